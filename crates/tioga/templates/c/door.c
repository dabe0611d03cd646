/* An automatic door, as door.h says. */
#include "door.h"

enum { OPENING = SECOND / 2 };      /* from the motion to the opening */
enum { CLOSING = SECOND * 11 / 2 }; /* from the opening or the last motion to the closing */

static enum { SHUT, MOVING, OPEN } state;
long long door_due = -1;

void door_reset(void) {
    state = SHUT;
    door_due = -1;
}

void door_motion(long long now) {
    if (state == SHUT) {
        state = MOVING;
        door_due = now + OPENING;
    } else if (state == OPEN) {   // count again
        door_due = now + CLOSING; // count again
    }
}

const char *door_act(void) {
    if (state == MOVING) {
        state = OPEN;
        door_due += CLOSING;
        return "open";
    }
    state = SHUT;
    door_due = -1;
    return "close";
}
