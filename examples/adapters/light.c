/* The smart light as a program, with adapters for virtual and for real time in JSON lines. */
#define _POSIX_C_SOURCE 200809L
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TICKS = 5040 }; /* Time is counted in ticks, of which a unit has so many. */
enum level { OFF, DIM, BRIGHT };
static const char *const names[] = {"off", "dim", "bright"};
static const enum level soon[] = {DIM, BRIGHT, DIM}, late[] = {BRIGHT, OFF, OFF};
static enum level level, next;
static long long changed, due; /* `due` is when the light will react; negative if it will not. */

static void reset(void) {
    level = OFF, changed = 0, due = -1;
    puts("{\"ready\":true}");
}

/* Reacts one time unit after a touch. */
static void touch(long long now) {
    if (due >= 0) return;
    next = (now - changed >= (level == OFF ? 20 : 4) * TICKS ? late : soon)[level];
    due = now + TICKS;
}

static const char *react(void) {
    level = next, changed = due, due = -1;
    return names[level];
}

/* Whether a message has this name. The tester always writes it in this way. */
static int is(const char *line, const char *name) {
    return line[0] == '{' && line[1] == '"' && !strncmp(line + 2, name, strlen(name));
}

static char line[65536];

/* Virtual time begins. */
static void virtually(void) {
    long long now = 0, p, q, delay;
    while (fgets(line, sizeof line, stdin) && !is(line, "bye")) {
        if (is(line, "reset")) {
            now = 0;
            reset();
        } else if (is(line, "input")) {
            touch(now);
        } else if (q = 1, sscanf(line, "{\"advance\":\"%lld/%lld", &p, &q) >= 1) {
            delay = p * TICKS / q;
            if (p * TICKS % q) {
                puts("{\"error\":\"this time is too fine\"}");
            } else if (due >= 0 && due <= now + delay) {
                delay = due - now;
                printf("{\"output\":\"%s\",\"after\":\"%lld/%d\"}\n", react(), delay, TICKS);
            } else {
                printf("{\"advanced\":\"%lld/%lld\"}\n", p, q);
            }
            now += delay;
        }
    }
}
/* Virtual time ends. */

/* Nanoseconds of a clock that never goes back. */
static long long ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Real time begins. */
static void really(long long unit) {
    long long start = ns(), left;
    for (struct pollfd input = {0, POLLIN, 0};;) {
        left = (start + due * unit / TICKS - ns()) / 1000000 + 1;
        if (!poll(&input, 1, due < 0 ? -1 : left < 0 ? 0 : (int)left)) {
            printf("{\"output\":\"%s\"}\n", react());
        } else if (!fgets(line, sizeof line, stdin) || is(line, "bye")) {
            return;
        } else if (is(line, "reset")) {
            start = ns();
            reset();
        } else if (is(line, "input")) {
            touch((ns() - start) * TICKS / unit);
        }
    }
}
/* Real time ends. */

int main(void) {
    setvbuf(stdin, NULL, _IONBF, 0); /* Nothing may wait in a buffer while we wait in poll. */
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!fgets(line, sizeof line, stdin)) return 1;
    puts("{\"hello\":{\"inputs\":[\"touch\"],\"outputs\":[\"dim\",\"bright\",\"off\"]}}");
    const char *unit = strstr(line, "\"unit_ns\":");
    due = -1;
    if (unit) really(atoll(unit + 10));
    else virtually();
    return 0;
}
