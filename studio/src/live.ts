// A journal while it is written.
import { useEffect, useRef } from "preact/hooks";

/** Calls back when a journal has grown: not more than once a second, and never while the last call is under way. */
export function useLive(name: string, grown: () => Promise<unknown>) {
  const latest = useRef(grown);
  latest.current = grown;
  useEffect(() => {
    let [first, waiting, again] = [true, false, false];
    let timer = 0;
    const schedule = () => {
      waiting = true;
      timer = window.setTimeout(async () => {
        await latest.current();
        waiting = false;
        if (again) {
          again = false;
          schedule();
        }
      }, 700);
    };
    const source = new EventSource(`api/live?name=${encodeURIComponent(name)}`);
    source.onmessage = () => {
      if (first) first = false;
      else if (waiting) again = true;
      else schedule();
    };
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [name]);
}
