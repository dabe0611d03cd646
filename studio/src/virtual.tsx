// A long list of which only what is visible is drawn.
import { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface Props {
  count: number;
  height: number;
  label: string;
  /** Called with the rows that are visible. */
  onRange?: (from: number, to: number) => void;
  row: (index: number) => ComponentChildren;
  header?: ComponentChildren;
  selected?: number | null;
  onSelect?: (index: number) => void;
}

/** Browsers do not show elements that are higher. */
const HIGHEST = 8_000_000;

export function VirtualList({ count, height, label, onRange, row, header, selected, onSelect }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [view, setView] = useState(400);
  const whole = Math.min(count * height, HIGHEST);
  const factor = whole > 0 ? (count * height) / whole : 1;

  useEffect(() => {
    const own = host.current;
    if (!own) return;
    const watch = new ResizeObserver(() => setView(own.clientHeight));
    watch.observe(own);
    setView(own.clientHeight);
    return () => watch.disconnect();
  }, []);

  const first = Math.max(0, Math.min(Math.floor((top * factor) / height) - 5, count));
  const last = Math.min(count, first + Math.ceil(view / height) + 10);
  useEffect(() => onRange?.(first, last), [first, last, count]);

  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 };
    const move = moves[event.key];
    if (move === undefined || !onSelect) return;
    const next = Math.min(Math.max((selected ?? -1) + move, 0), count - 1);
    onSelect(next);
    const own = host.current;
    if (own) {
      const at = (next * height) / factor;
      if (at < own.scrollTop) own.scrollTop = at;
      if (at + height > own.scrollTop + own.clientHeight) own.scrollTop = at + height - own.clientHeight;
    }
    event.preventDefault();
  };

  const indices = [];
  for (let index = first; index < last; index++) indices.push(index);
  const offset = factor === 1 ? first * height : Math.min(top, whole - (last - first) * height);
  return (
    <div class="list">
      {header && <div class="list-head" aria-hidden="true">{header}</div>}
      <div
        class="virtual"
        ref={host}
        role="listbox"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={selected !== null && selected !== undefined ? `row-${label}-${selected}` : undefined}
        onKeyDown={onKeyDown}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      >
        <div style={{ height: `${whole}px`, position: "relative" }} role="presentation">
          <div style={{ position: "absolute", top: `${Math.max(offset, 0)}px`, left: 0, right: 0 }} role="presentation">
            {indices.map((index) => (
              <div
                key={index}
                id={`row-${label}-${index}`}
                class={index === selected ? "row chosen" : "row"}
                style={{ height: `${height}px` }}
                role="option"
                aria-selected={index === selected}
                aria-posinset={index + 1}
                aria-setsize={count}
                onClick={() => onSelect?.(index)}
              >
                {row(index)}
              </div>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}
