"""An automatic door. Its caller says what time it is, in seconds, and asks what is due."""
from fractions import Fraction

OPENING = Fraction(1, 2)  # from the motion to the opening
CLOSING = Fraction(11, 2)  # from the opening or the last motion to the closing


class Door:
    def __init__(self):
        self.state = "shut"
        self.due = None  # when the door acts next; None if it only waits for motion

    def motion(self, now):
        if self.state == "shut":
            self.state, self.due = "opening", now + OPENING
        elif self.state == "open":  # count again
            self.due = now + CLOSING  # count again

    def act(self):
        """What the door does when it is due."""
        if self.state == "opening":
            self.state, self.due = "open", self.due + CLOSING
            return "open"
        self.state, self.due = "shut", None
        return "close"
