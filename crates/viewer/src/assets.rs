//! The files of the page, as they were bundled, and the policy that keeps everything else out of it.

use crate::answer::Answer;

const INDEX: &str = include_str!("../bundle/index.html");
const SCRIPT: &str = include_str!("../bundle/app.js");
const STYLE: &str = include_str!("../bundle/app.css");
const LICENCES: &str = include_str!("../bundle/licences.txt");

/// Where the page finds the nonce of its styles, which the editor needs.
const NONCE: &str = "NONCE";

/// What a page may load: its own files, and styles with the nonce.
pub fn policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; \
         connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

/// The file of the page at this path.
pub fn file(path: &str, nonce: &str) -> Option<Answer> {
    Some(match path {
        "" => Answer::file("text/html; charset=utf-8", INDEX.replace(NONCE, nonce)),
        "app.js" => Answer::file("text/javascript; charset=utf-8", SCRIPT),
        "app.css" => {
            use tioga_report::{picture, sequence, timing};
            let drawn = [picture::style(), sequence::style(), timing::style()];
            Answer::file("text/css; charset=utf-8", format!("{STYLE}\n{}\n", drawn.join("\n")))
        }
        "licences.txt" => Answer::file("text/plain; charset=utf-8", LICENCES),
        _ => return None,
    })
}
