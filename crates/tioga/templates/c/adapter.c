/* Connects the door to a tester: JSON lines on standard input and output, in virtual or real time. The tester spells
   its messages in one way, so no JSON library is needed. */
#define _POSIX_C_SOURCE 200809L
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "door.h"

static char line[65536];

/* Whether the line is the message of this name. */
static int is(const char *name) {
    return line[0] == '{' && line[1] == '"' && !strncmp(line + 2, name, strlen(name));
}

/* The tester says how much time passes. */
static void virtual_time(void) {
    long long now = 0, p, q, delay;
    while (fgets(line, sizeof line, stdin) && !is("bye")) {
        if (is("reset")) {
            now = 0;
            door_reset();
            puts("{\"ready\":true}");
        } else if (is("input")) {
            door_motion(now);
        } else if (q = 1, sscanf(line, "{\"advance\":\"%lld/%lld", &p, &q) >= 1) {
            delay = p * SECOND / q;
            if (p * SECOND % q) {
                puts("{\"error\":\"this time is too fine\"}");
            } else if (door_due >= 0 && door_due <= now + delay) {
                delay = door_due - now;
                now = door_due;
                printf("{\"output\":\"%s\",\"after\":\"%lld/%d\"}\n", door_act(), delay, SECOND);
            } else {
                now += delay;
                printf("{\"advanced\":\"%lld/%lld\"}\n", p, q);
            }
        }
    }
}

/* Nanoseconds of a clock that never goes back. */
static long long ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* The clock of the machine runs; a time unit of the model takes `unit` nanoseconds. */
static void real_time(long long unit) {
    long long start = ns(), wait;
    for (struct pollfd input = {0, POLLIN, 0};;) {
        wait = (start + door_due * unit / SECOND - ns()) / 1000000 + 1;
        if (!poll(&input, 1, door_due < 0 ? -1 : wait < 0 ? 0 : (int)wait)) {
            printf("{\"output\":\"%s\"}\n", door_act());
        } else if (!fgets(line, sizeof line, stdin) || is("bye")) {
            return;
        } else if (is("reset")) {
            start = ns();
            door_reset();
            puts("{\"ready\":true}");
        } else if (is("input")) {
            door_motion((ns() - start) * SECOND / unit);
        }
    }
}

int main(void) {
    setvbuf(stdin, NULL, _IONBF, 0); /* a buffer would hide lines from `poll` */
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!fgets(line, sizeof line, stdin)) return 1;
    puts("{\"hello\":{\"inputs\":[\"motion\"],\"outputs\":[\"open\",\"close\"]}}");
    const char *unit = strstr(line, "\"unit_ns\":");
    if (unit) real_time(atoll(unit + 10));
    else virtual_time();
    return 0;
}
