"""Connects the door to a tester: JSON lines on standard input and output, in virtual or real time."""
import json
import select
import time
from fractions import Fraction

from door import Door


def say(**message):
    print(json.dumps(message), flush=True)


def virtual_time():
    """The tester says how much time passes."""
    while "bye" not in (message := json.loads(lines.readline() or b'{"bye": true}')):
        if "reset" in message:
            door, now = Door(), Fraction(0)
            say(ready=True)
        elif "input" in message:
            door.motion(now)
        elif "advance" in message:
            delay = Fraction(message["advance"])
            if door.due is not None and door.due <= now + delay:
                delay = door.due - now
                now = door.due
                say(output=door.act(), after=str(delay))
            else:
                now += delay
                say(advanced=str(delay))


def real_time(unit):
    """The clock of the machine runs; a time unit of the model takes `unit` seconds."""
    door, start = Door(), time.monotonic()
    while True:
        wait = None if door.due is None else max(start + door.due * unit - time.monotonic(), 0)
        if not select.select([lines], [], [], wait)[0]:
            say(output=door.act())
            continue
        message = json.loads(lines.readline() or b'{"bye": true}')
        if "reset" in message:
            door, start = Door(), time.monotonic()
            say(ready=True)
        elif "input" in message:
            door.motion((time.monotonic() - start) / unit)
        elif "bye" in message:
            return


lines = open(0, "rb", buffering=0)  # a buffer would hide lines from `select`
hello = json.loads(lines.readline())["hello"]
say(hello={"inputs": ["motion"], "outputs": ["open", "close"]})
if hello["time"] == "virtual":
    virtual_time()
else:
    real_time(hello["unit_ns"] / 1e9)
