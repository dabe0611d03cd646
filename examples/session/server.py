#!/usr/bin/env python3
"""A session server as a system under test: the server, and below it the adapter to Tioga.

Usage: server.py [--fault NAME]     (see FAULTS)
"""
import json
import random
import select
import sys
import time
from fractions import Fraction

FAULTS = {
    "early-expiry": "a session expires after 29 s",
    "short-lockout": "the server is unlocked after 45 s",
    "slow-data": "data take 5/4 s",
    "signed-user": "users are welcomed as signed numbers of 16 bits",
    "loose-code": "the last digit of a code is not compared",
    "taken-over": "a login during a session makes it the session of that user",
}
ATTEMPTS = 3


class Server:
    """Reacts to inputs at once; what it will say next, and when, is `due`."""

    def __init__(self, seed, fault):
        self.random = random.Random(seed)
        self.fault = fault
        self.now = Fraction(0)
        self.state, self.user, self.wrong = "closed", 0, 0
        self.due = None  # (when, output, values)

    def soon(self, most=1):
        """Any of the answering times."""
        return Fraction(self.random.randint(0, 16), 16) * most

    def answer(self, state, delay, output, *values):
        self.state, self.due = state, (self.now + delay, output, values)

    def input(self, name, values):
        if name == "login" and self.state == "closed":
            self.login(*values)
        elif name == "login" and self.state == "open" and self.fault == "taken-over":
            self.user = values[0]
            self.due = (self.due[0], "expired", (self.user,))
        elif name == "request" and self.state == "open":
            delay = Fraction(5, 4) if self.fault == "slow-data" else self.soon()
            self.answer("answering", delay, "data", self.user)
        elif name == "logout" and self.state == "open":
            self.answer("leaving", self.soon(), "bye", self.user)

    def login(self, user, code):
        right = 101101 + 13 * user
        if code == right or self.fault == "loose-code" and code // 10 == right // 10:
            self.user, self.wrong = user, 0
            if self.fault == "signed-user" and user > 32767:
                user -= 65536
            self.answer("welcoming", self.soon(), "welcome", user)
            return
        self.wrong += 1
        if self.wrong < ATTEMPTS:
            self.answer("denying", self.soon(), "denied", ATTEMPTS - self.wrong)
        else:
            self.answer("denying", self.soon(), "locked")

    def wait(self):
        """The session is open until it expires."""
        idle = 29 if self.fault == "early-expiry" else 30
        self.answer("open", idle + self.soon(Fraction(1, 2)), "expired", self.user)

    def output(self):
        """Says what is due; the next output may follow."""
        self.now, name, values = self.due
        self.state, self.due = "closed", None
        if name in ("welcome", "data"):
            self.wait()
        elif name == "locked":
            self.wrong = 0
            lockout = 45 if self.fault == "short-lockout" else 60
            self.answer("locked", lockout + self.soon(Fraction(1, 2)), "unlocked")
        return {"output": name, "values": list(values)}


def say(**message):
    print(json.dumps(message), flush=True)


def serve(fault):
    """The adapter: virtual time if told to advance, real time otherwise."""
    unit, start, server = None, 0, Server(0, fault)
    lines = open(0, "rb", buffering=0)  # so that nothing hides in a buffer from `select`
    while True:
        if unit:  # real time: outputs come by themselves
            while server.due and start + float(server.due[0]) * unit <= time.monotonic():
                say(**server.output())
            due = start + float(server.due[0]) * unit if server.due else None
            wait = due and max(0, due - time.monotonic())
            if wait and wait > 0.02:  # a long wait may end late by a thousandth; a short one follows
                wait -= 0.01
            if not select.select([lines], [], [], wait)[0]:
                continue
        message = json.loads(lines.readline() or b'{"bye": true}')
        if "hello" in message:
            unit = message["hello"].get("unit_ns", 0) / 1e9
            say(hello={})
        elif "reset" in message:
            server, start = Server(message["reset"]["seed"], fault), time.monotonic()
            say(ready=True)
        elif "input" in message:
            if unit:
                server.now = Fraction(time.monotonic() - start) / Fraction(unit)
            server.input(message["input"], message.get("values", []))
        elif "advance" in message:
            before, until = server.now, server.now + Fraction(message["advance"])
            if server.due and server.due[0] <= until:
                output = server.output()
                say(**output, after=str(server.now - before))
            else:
                server.now = until
                say(advanced=message["advance"])
        elif "bye" in message:
            return


if __name__ == "__main__":
    given = sys.argv[1:]
    if given and not (len(given) == 2 and given[0] == "--fault" and given[1] in FAULTS):
        sys.exit("usage: server.py [--fault NAME], where NAME is " + ", ".join(FAULTS))
    serve(given[1] if given else "")
