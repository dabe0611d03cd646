//! Who is answered, and what is never read.

use serde_json::json;
use tioga::{Cancel, OpenOptions};
use tioga_testkit::folder;
use tioga_viewer::{Server, StudioOptions, Workspace};

use crate::client::{Studio, named};

#[test]
fn the_page_has_a_strict_policy() {
    let studio = Studio::of("@smart-light");
    let page = studio.get("");
    assert_eq!(page.status, 200);
    let policy =
        page.head.lines().find(|line| line.starts_with("Content-Security-Policy:")).unwrap();
    assert!(
        policy.contains("default-src 'none'") && policy.contains("script-src 'self';"),
        "{policy}"
    );
    assert!(!policy.contains("-inline") && !policy.contains("-eval"), "{policy}");
    let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap();
    assert!(page.body.contains(&format!("content=\"{nonce}\"")), "{}", page.body);
    for line in [
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
        "Cache-Control: no-store",
    ] {
        assert!(page.head.contains(line), "{}", page.head);
    }
    assert_ne!(studio.get("").head, page.head, "each page has a nonce of its own");
    assert!(studio.get("licences.txt").body.contains("@codemirror/view"));
}

#[test]
fn without_the_token_nothing_is_answered() {
    let studio = Studio::of("@smart-light");
    let wrong = "0".repeat(studio.address.token.len());
    let short = &studio.address.token[..10];
    for path in [
        "/",
        "/api/files",
        &format!("/{wrong}/"),
        &format!("/{wrong}/api/files"),
        &format!("/{short}/app.js"),
    ] {
        for method in ["GET", "POST"] {
            let reply = studio.request(method, path, &studio.host(), "{}");
            assert_eq!(reply.status, 403, "{method} {path}");
            assert!(!reply.body.contains(&studio.address.token));
        }
    }
}

#[test]
fn a_ticket_leads_to_the_page_once() {
    let studio = Studio::of("@smart-light");
    assert!(!studio.ticket.contains(&studio.address.token));
    let origin = format!("http://127.0.0.1:{}", studio.address.port);
    let path = studio.ticket.strip_prefix(&origin).unwrap().to_owned();
    // What is no exchange does not use it up.
    let evil = format!("Host: evil.example:{}\r\n", studio.address.port);
    let attempts = [
        ("GET", path.clone(), evil),
        ("GET", path[..path.len() - 1].to_owned(), studio.host()),
        ("GET", "/open/".to_owned(), studio.host()),
        ("POST", path.clone(), studio.host()),
        ("HEAD", path.clone(), studio.host()),
    ];
    for (method, path, head) in attempts {
        let reply = studio.request(method, &path, &head, "");
        assert_eq!(reply.status, 403, "{method} {path}");
        assert!(!(reply.head + &reply.body).contains(&studio.address.token), "{method} {path}");
    }
    let led = studio.request("GET", &path, &studio.host(), "");
    assert_eq!(led.status, 303);
    assert!(led.head.contains(&format!("Location: {}\r\n", studio.address)), "{}", led.head);
    let again = studio.request("GET", &path, &studio.host(), "");
    assert_eq!(again.status, 403);
    assert!(again.body.contains("end the studio with Ctrl-C"), "{}", again.body);
    assert!(!(again.head + &again.body).contains(&studio.address.token));
}

#[test]
fn requests_by_another_name_or_from_another_page_are_refused() {
    let studio = Studio::of("@smart-light");
    let port = studio.address.port;
    let status = |head: &str| studio.request("POST", &studio.path("api/files"), head, "{}").status;
    // A page of another site that lets its name lead here sends its own name.
    assert_eq!(status(&format!("Host: evil.example:{port}\r\n")), 403);
    assert_eq!(status("Host: 127.0.0.1\r\n"), 403);
    assert_eq!(status("Host: 127.0.0.1:1\r\n"), 403);
    assert_eq!(status(""), 403);
    let origin = |origin: &str| status(&format!("Host: 127.0.0.1:{port}\r\nOrigin: {origin}\r\n"));
    for other in [
        "http://evil.example",
        "null",
        "https://127.0.0.1",
        &format!("http://127.0.0.1:{}", port - 1),
    ] {
        assert_eq!(origin(other), 403, "{other}");
    }
    assert_eq!(origin(&format!("http://127.0.0.1:{port}")), 200);
    assert_eq!(
        status(&format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n")),
        200
    );
}

#[test]
fn no_name_leads_out_of_the_folder() {
    let outside = folder("outside");
    std::fs::write(outside.join("secret.tioga"), "// secret\n").unwrap();
    let inside = outside.join("inside");
    std::fs::create_dir(&inside).unwrap();
    std::fs::write(inside.join("own.tioga"), "automaton A { init location L; }").unwrap();
    std::os::unix::fs::symlink(outside.join("secret.tioga"), inside.join("link.tioga")).unwrap();
    std::os::unix::fs::symlink(&outside, inside.join("up")).unwrap();
    let studio = Studio::of_folder(&inside);
    let files = studio.ask("files", &json!({}));
    let names: Vec<&str> = files["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["own.tioga"]);
    let absolute = outside.join("secret.tioga").display().to_string();
    let wrong = [
        "../secret.tioga",
        "link.tioga",
        "up/secret.tioga",
        "inside/../../secret.tioga",
        &absolute,
        "",
        "/",
    ];
    for name in wrong {
        for path in ["model", "look", "suite", "journal", "mutation", "simulate"] {
            let (status, message) = studio.refusal(path, &named(name));
            assert_eq!(status, 404, "{path} {name}: {message}");
            assert!(!message.contains("// secret"));
        }
        let (status, _) =
            studio.refusal("save", &json!({ "name": name, "text": "x", "before": "// secret\n" }));
        assert_eq!(status, 404, "{name}");
    }
    assert_eq!(std::fs::read_to_string(outside.join("secret.tioga")).unwrap(), "// secret\n");
    for page in
        ["../", "..%2f", "%2e%2e/secret.tioga", "app.js/../../x", "index.html", "bundle/app.js"]
    {
        let reply = studio.get(page);
        assert_eq!(reply.status, 404, "{page}: {}", reply.body);
    }
}

#[test]
fn what_is_read_beside_a_model_leads_nowhere_else() {
    let outside = folder("beside");
    std::fs::write(outside.join("secret"), "E<> secret\n").unwrap();
    let inside = outside.join("inside");
    std::fs::create_dir(&inside).unwrap();
    let model = "process A() { state L; init L; } system A;";
    for name in ["plain", "linked", "named"] {
        std::fs::write(inside.join(format!("{name}.xta")), model).unwrap();
    }
    std::fs::write(inside.join("plain.q"), "E<> A.L\n").unwrap();
    let link = |name: &str| {
        std::os::unix::fs::symlink(outside.join("secret"), inside.join(name)).unwrap();
    };
    link("linked.q");
    link("named.interface.toml");
    for given in [&inside, &inside.join("linked.xta"), &inside.join("named.xta")] {
        let studio = Studio::of(given.to_str().unwrap());
        for (name, beside) in [("linked.xta", "linked.q"), ("named.xta", "named.interface.toml")] {
            let reply = studio.post("look", &named(name));
            assert!([403, 404].contains(&reply.status), "{given:?} {name}: {}", reply.body);
            assert!(!reply.body.contains("secret"), "{}", reply.body);
            let led = format!("`{beside}` leads out of the folder that was given");
            assert!(reply.status == 404 || reply.body.contains(&led), "{}", reply.body);
        }
    }
    let queries = Studio::of_folder(&inside).ask("look", &named("plain.xta"))["queries"].clone();
    assert_eq!(queries[0]["text"], "E<> A.L");
}

#[test]
fn addresses_in_other_forms_are_no_way_around() {
    let studio = Studio::of("@smart-light");
    let (host, port, token) = (studio.host(), studio.address.port, &studio.address.token);
    for target in [
        format!("http://127.0.0.1:{port}/{token}/api/files"),
        format!("//{token}/api/files"),
        format!("/x/../{token}/api/files"),
        format!("/?token={token}"),
        format!("/{}/api/files", token.to_uppercase().replace(char::is_numeric, "A")),
        format!("/{token}%00/api/files"),
    ] {
        let status = studio.request("POST", &target, &host, "{}").status;
        assert!([400, 403].contains(&status), "{target}: {status}");
    }
    // The token is only in the address, never in what another page could read.
    for path in ["", "app.js", "app.css", "api/files"] {
        assert!(!studio.get(path).body.contains(token.as_str()), "{path}");
    }
}

#[test]
fn a_port_that_is_taken_is_named() {
    let studio = Studio::of("@smart-light");
    let port = studio.address.port;
    let workspace = Workspace::new("@smart-light", OpenOptions::default()).unwrap();
    let limit = std::time::Duration::from_secs(1);
    let options = StudioOptions { workspace, campaign: None, sut: None, port, limit };
    let failure = Server::new(options, Cancel::new()).unwrap_err();
    assert_eq!(failure.to_string(), format!("port {port} is taken by another program"));
}

#[test]
fn only_the_loopback_interface_listens() {
    let studio = Studio::of("@smart-light");
    let port = format!("{:04X}", studio.address.port);
    let sockets = std::fs::read_to_string("/proc/net/tcp").unwrap_or_default();
    for line in sockets.lines().filter(|line| line.contains(" 0A ")) {
        let local = line.split_whitespace().nth(1).unwrap();
        if local.ends_with(&format!(":{port}")) {
            assert_eq!(local, format!("0100007F:{port}"));
        }
    }
    let six = std::fs::read_to_string("/proc/net/tcp6").unwrap_or_default();
    assert!(!six.lines().any(|line| line.contains(" 0A ") && line.contains(&format!(":{port} "))));
}

#[test]
fn what_is_no_request_gets_an_answer_and_the_server_goes_on() {
    let studio = Studio::of("@smart-light");
    let post = |path: &str, body: &str| {
        studio.request("POST", &studio.path(path), &studio.host(), body).status
    };
    for body in [
        "",
        "{",
        "[]",
        "null",
        "{\"name\": 1}",
        "\u{0}",
        "{\"name\": \"@smart-light\", \"records\": {}}",
    ] {
        let status = post("api/simulate", body);
        assert!(status == 400 || status == 404, "{body}: {status}");
    }
    assert_eq!(post("api/nothing", "{}"), 404);
    assert_eq!(studio.request("PUT", &studio.path("api/files"), &studio.host(), "{}").status, 405);
    assert_eq!(studio.get("api/files").status, 405);
    assert_eq!(studio.ask("files", &json!({}))["given"], "@smart-light");
}

#[test]
fn lengths_that_are_not_true_harm_nothing() {
    let studio = Studio::of("@smart-light");
    let (host, path) = (studio.host(), studio.path("api/files"));
    let status = |head: &str, body: &str| {
        studio.send(&format!("POST {path} HTTP/1.1\r\n{host}{head}\r\n{body}")).status
    };
    assert_eq!(status("Content-Length: 2\r\n", "{}"), 200);
    // Memory for what is only announced would end the program.
    assert_eq!(status("Content-Length: 99999999999\r\n", "{}"), 413);
    assert_eq!(status("Content-Length: 18446744073709551616\r\n", "{}"), 400);
    assert_eq!(status("Content-Length: -1\r\n", "{}"), 400);
    assert_eq!(status("Content-Length: 2\r\nContent-Length: 3\r\n", "{}"), 400);
    assert_eq!(status("Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n"), 411);
    let large = format!("X: {}\r\n", "x".repeat(100_000));
    assert_eq!(status(&large, ""), 431);
    let twice = "Host: evil.example\r\nContent-Length: 2\r\n";
    assert_eq!(status(twice, "{}"), 403);
    let wrong = studio.send("POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n");
    assert_eq!(wrong.status, 403);
    assert_eq!(studio.send("no request\r\n\r\n").status, 400);
    assert_eq!(studio.ask("files", &json!({}))["given"], "@smart-light");
}

#[test]
fn clients_that_send_nothing_do_not_stop_the_others() {
    let studio = Studio::of("@smart-light");
    let silent: Vec<std::net::TcpStream> = (0..200)
        .map(|_| {
            let mut stream =
                std::net::TcpStream::connect(("127.0.0.1", studio.address.port)).unwrap();
            std::io::Write::write_all(&mut stream, b"GET /x HTTP/1.1\r\nHost: ").unwrap();
            stream
        })
        .collect();
    assert_eq!(studio.ask("files", &json!({}))["given"], "@smart-light");
    drop(silent);
    studio.stop();
}

#[test]
fn a_campaign_needs_a_system_from_the_command_line() {
    let studio = Studio::of("@smart-light");
    let (status, message) = studio.refusal("campaign/start", &json!({ "sut": "touch /tmp/owned" }));
    assert_eq!(status, 409);
    assert!(message.contains("--sut"), "{message}");
}

#[test]
fn two_clients_are_answered_at_the_same_time() {
    let studio = Studio::of("@conveyor-game");
    std::thread::scope(|scope| {
        let asked: Vec<_> = (0..8)
            .map(|seed| {
                let studio = &studio;
                scope.spawn(move || {
                    let body = json!({ "name": "@conveyor-game", "walk": [5, seed] });
                    studio.ask("simulate", &body)["records"].clone()
                })
            })
            .collect();
        let answers: Vec<_> = asked.into_iter().map(|one| one.join().unwrap()).collect();
        assert!(answers.iter().any(|one| *one != answers[0]), "each client has a run of its own");
    });
    studio.stop();
}
