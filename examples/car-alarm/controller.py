#!/usr/bin/env python3
"""A car alarm as a system under test: the controller, and below it the adapter to Tioga.

Usage: controller.py [FAULT[=SECONDS]]     (see FAULTS; those in SECONDS may be given another time)
"""
import json
import random
import select
import sys
import time
from fractions import Fraction

FAULTS = {
    "early-arming": "arms itself after 19 s",
    "slow-siren": "lets the siren wait for 3/4 s",
    "long-siren": "lets the siren sound for 32 s",
    "no-flash": "forgets to switch on the lights",
    "deaf-to-unlock": "does not end an alarm when the car is unlocked",
    "arms-when-open": "arms itself though a door was opened in the meantime",
}
SECONDS = {"early-arming": "19", "slow-siren": "3/4", "long-siren": "32"}


class Controller:
    """Reacts to inputs at once; its outputs are timers that expire."""

    def __init__(self, seed, fault):
        self.random = random.Random(seed)
        self.fault, _, seconds = fault.partition("=")
        self.seconds = Fraction(seconds or SECONDS.get(self.fault, "0"))
        self.now = Fraction(0)
        self.timers = {}  # output: when
        self.closed = self.locked = self.armed = self.alarm = False
        self.signals = {"flash": "off", "sound": "off"}

    def soon(self):
        """Any of the answering times up to half a second."""
        return Fraction(self.random.randint(0, 8), 16)

    def set(self, output, delay):
        self.timers[output] = self.now + delay

    def input(self, name):
        if name == "close":
            self.closed = True
        elif name == "open":
            self.closed = False
        elif name == "lock":
            self.locked = True
        elif name == "unlock":
            self.locked = False
        if self.alarm:
            if name == "unlock" and self.fault != "deaf-to-unlock":
                self.alarm = False
                self.calm()
        elif self.armed:
            if name in ("unlock", "open"):
                self.set("armed_off", self.soon())
                self.armed, self.alarm = False, name == "open"
        elif self.closed and self.locked:
            wait = self.seconds if self.fault == "early-arming" else 20
            self.set("armed_on", wait + self.soon())
        elif not (self.fault == "arms-when-open" and name == "open"):
            self.timers.pop("armed_on", None)

    def calm(self):
        for signal, state in self.signals.items():
            self.timers.pop(signal + "_on", None)
            if state == "on":
                self.set(signal + "_off", self.soon())

    def next(self):
        """The output that comes next, and when."""
        return min(self.timers.items(), key=lambda timer: (timer[1], timer[0]), default=None)

    def output(self, name):
        """What else an output does."""
        del self.timers[name]
        signal, _, switched = name.partition("_")
        if name == "armed_on":
            self.armed = True
        elif name == "armed_off" and self.alarm:
            for one in self.signals:
                slow = one == "sound" and self.fault == "slow-siren"
                self.set(one + "_on", self.seconds if slow else self.soon())
            if self.fault == "no-flash":
                del self.timers["flash_on"]
        elif signal in self.signals:
            self.signals[signal] = switched
            if switched == "on":
                long = signal == "sound" and self.fault == "long-siren"
                duration = {"flash": 300, "sound": self.seconds if long else 30}[signal]
                self.set(signal + "_off", duration + self.soon())


def say(**message):
    print(json.dumps(message), flush=True)


def serve(fault):
    """The adapter: virtual time if told to advance, real time otherwise."""
    unit, start, controller = None, 0, Controller(0, fault)
    lines = open(0, "rb", buffering=0)  # so that nothing hides in a buffer from `select`
    while True:
        if unit:  # real time: outputs come by themselves, in the order in which they are due
            while (timer := controller.next()) and start + float(timer[1]) * unit <= time.monotonic():
                controller.now = timer[1]
                controller.output(timer[0])
                say(output=timer[0])
            wait = max(0, start + float(timer[1]) * unit - time.monotonic()) if timer else None
            if wait and wait > 0.02:  # a long wait may end late by a thousandth; a short one follows
                wait -= 0.01
            if not select.select([lines], [], [], wait)[0]:
                continue
        message = json.loads(lines.readline() or b'{"bye": true}')
        if "hello" in message:
            unit = message["hello"].get("unit_ns", 0) / 1e9
            say(hello={})
        elif "reset" in message:
            controller, start = Controller(message["reset"]["seed"], fault), time.monotonic()
            say(ready=True)
        elif "input" in message:
            if unit:
                controller.now = Fraction(time.monotonic() - start) / Fraction(unit)
            controller.input(message["input"])
        elif "advance" in message:
            until, timer = controller.now + Fraction(message["advance"]), controller.next()
            if timer and timer[1] <= until:
                after, controller.now = timer[1] - controller.now, timer[1]
                controller.output(timer[0])
                say(output=timer[0], after=str(after))
            else:
                controller.now = until
                say(advanced=message["advance"])
        elif "bye" in message:
            return


if __name__ == "__main__":
    chosen = sys.argv[1] if len(sys.argv) > 1 else ""
    name, sized, _ = chosen.partition("=")
    if chosen and name not in (SECONDS if sized else FAULTS):
        sys.exit("faults: " + ", ".join(FAULTS) + "; with =SECONDS: " + ", ".join(SECONDS))
    serve(chosen)
