/* An automatic door. Its caller says what time it is, in ticks, and asks what is due. */
enum { SECOND = 5040 }; /* ticks per second; halves, thirds, ... tenths of a second are whole */

/* When the door acts next; negative if it only waits for motion. */
extern long long door_due;

void door_reset(void);
void door_motion(long long now);
const char *door_act(void); /* what the door does when it is due */
