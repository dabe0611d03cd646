#!/usr/bin/env python3
"""The smart light as a program, with adapters for virtual and for real time in JSON lines."""
import json
import select
import sys
import time
from fractions import Fraction


class Light:
    """Reacts one time unit after a touch. `due` is when it will react, if it will."""

    def __init__(self):
        self.level, self.changed, self.due = "off", 0, None

    def touch(self, now):
        if self.due is None:
            late = now - self.changed >= (20 if self.level == "off" else 4)
            nexts = {"off": ("dim", "bright"), "dim": ("bright", "off"), "bright": ("dim", "off")}
            self.next, self.due = nexts[self.level][late], now + 1

    def react(self):
        self.level, self.changed, self.due = self.next, self.due, None
        return self.level


def say(**message):
    print(json.dumps(message), flush=True)


# Virtual time begins.
def virtually():
    for line in sys.stdin:
        message = json.loads(line)
        if "reset" in message:
            light, now = Light(), Fraction(0)
            say(ready=True)
        elif "input" in message:
            light.touch(now)
        elif "advance" in message:
            delay = Fraction(message["advance"])
            if light.due is not None and light.due <= now + delay:
                delay = light.due - now
                say(output=light.react(), after=str(delay))
            else:
                say(advanced=str(delay))
            now += delay
        elif "bye" in message:
            return
# Virtual time ends.


# Real time begins.
def really(unit):
    light, start = Light(), time.monotonic()
    while True:
        left = start + light.due * unit - time.monotonic() if light.due else None
        if not select.select([lines], [], [], left and max(left, 0))[0]:
            say(output=light.react())
            continue
        message = json.loads(lines.readline() or b'{"bye": true}')
        if "reset" in message:
            light, start = Light(), time.monotonic()
            say(ready=True)
        elif "input" in message:
            light.touch((time.monotonic() - start) / unit)
        elif "bye" in message:
            return
# Real time ends.


lines = open(0, "rb", buffering=0)
hello = json.loads(lines.readline())["hello"]
say(hello={"inputs": ["touch"], "outputs": ["dim", "bright", "off"]})
if hello["time"] == "virtual":
    virtually()
else:
    really(hello["unit_ns"] / 1e9)
