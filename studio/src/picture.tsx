// A picture made by the server, with parts that can be pointed at and chosen, also by keyboard.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Automaton } from "./api";

/** Pictures are not made smaller by themselves. */
const READABLE = 0.6;

export interface Part {
  automaton: number;
  node?: number;
  edge?: number;
}

interface Props {
  svg: string;
  label: string;
  automata?: Automaton[];
  /** Which parts look chosen, with the class they get. */
  classes?: (part: Part) => string | undefined;
  onChoose?: (part: Part) => void;
  /** Which parts can be chosen. */
  chooses?: "nodes" | "all";
  /** What a box stands for. */
  word?: string;
  /** What each box stands for, by position. In a new picture, the box for the same keeps the focus. */
  keys?: number[];
  /** The box that gets the focus if the one that had it is not in the new picture. */
  current?: number;
}

function partOf(element: Element | null): Part | null {
  const own = element?.closest("[data-node],[data-edge]");
  const automaton = own?.closest("[data-automaton]");
  if (!own || !automaton) return null;
  const number = (name: string) => (own.hasAttribute(name) ? Number(own.getAttribute(name)) : undefined);
  return { automaton: Number(automaton.getAttribute("data-automaton")), node: number("data-node"), edge: number("data-edge") };
}

/** Scrolls the picture, and nothing else, to what is marked in it, if that changed. */
function reveal(box: HTMLDivElement | null) {
  const marked = box?.querySelector<SVGGElement>(".current, .pointed");
  const name = marked ? `${marked.parentElement?.dataset.automaton} ${marked.dataset.node} ${marked.dataset.edge}` : "";
  if (!box || box.dataset.shown === name) return;
  box.dataset.shown = name;
  if (!marked) return;
  const [own, room] = [marked.getBoundingClientRect(), box.getBoundingClientRect()];
  if (own.top < room.top || own.bottom > room.bottom) box.scrollTop += own.top - room.top - room.height / 3;
  if (own.left < room.left || own.right > room.right) box.scrollLeft += own.left - room.left - room.width / 3;
}

export function Picture({ svg, label, automata, classes, onChoose, chooses = "all", word = "location", keys, current }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState<number | "fit" | null>(null);
  const [focused, setFocused] = useState(0);
  const scale = useRef(1);
  // What the boxes of the picture stand for that is shown now.
  const shown = useRef(keys);

  const parts = () => {
    const selector = chooses === "nodes" ? "[data-node]" : "[data-node],[data-edge]:has(path)";
    return [...(host.current?.querySelectorAll<SVGGElement>(selector) ?? [])];
  };

  // Before the page is shown: a key that is pressed then means this picture, and not the one before.
  useLayoutEffect(() => {
    if (!host.current) return;
    // What had the focus keeps it if it is still there.
    const had = document.activeElement;
    const before = had && host.current.contains(had) ? partOf(had) : null;
    host.current.innerHTML = svg;
    // What is marked may be at another place now.
    delete host.current.dataset.shown;
    const drawn = host.current.querySelector("svg");
    drawn?.setAttribute("role", onChoose ? "group" : "img");
    drawn?.setAttribute("aria-label", label);
    const same = (node: number) => {
      const known = shown.current?.[node];
      const at = known === undefined || !keys ? node : keys.indexOf(known);
      return at < 0 ? current : at;
    };
    const next = before?.node === undefined ? undefined : same(before.node);
    shown.current = keys;
    const again = next !== undefined ? host.current.querySelector<SVGGElement>(`[data-node="${next}"]`) : null;
    setFocused(again ? Math.max(parts().indexOf(again), 0) : 0);
    again?.setAttribute("tabindex", "0");
    again?.focus();
  }, [svg]);

  useLayoutEffect(() => {
    const drawn = host.current?.querySelector("svg");
    if (!drawn) return;
    const wide = Number(drawn.getAttribute("viewBox")?.split(" ")[2] ?? 0);
    const room = (host.current?.clientWidth ?? 0) - 12;
    const fit = Math.min(room / wide, 1);
    // What would be too small to read is scrolled instead.
    const shown = zoom === null ? Math.max(fit, READABLE) : zoom === "fit" ? fit : zoom;
    drawn.style.width = `${Math.floor(wide * shown)}px`;
    drawn.style.maxWidth = "none";
    drawn.style.height = "auto";
    scale.current = shown;
    const [box, start] = [host.current, drawn.querySelector("[data-node]")];
    // What is wider than its room begins where runs begin.
    if (box && start && zoom === null && box.scrollLeft === 0 && box.scrollTop === 0) {
      const [own, space] = [start.getBoundingClientRect(), box.getBoundingClientRect()];
      if (own.right > space.right) box.scrollLeft = own.left + own.width / 2 - space.left - space.width / 2;
    }
  }, [svg, zoom]);

  // Elements of the picture are not made by the page, so their classes are set by hand.
  useLayoutEffect(() => {
    const all = host.current?.querySelectorAll<SVGGElement>("[data-node],[data-edge]") ?? [];
    for (const one of all) {
      const part = partOf(one);
      one.setAttribute("class", (part && classes?.(part)) ?? "");
    }
    reveal(host.current);
    if (!onChoose) return;
    parts().forEach((one, index) => {
      const part = partOf(one);
      const spots = part && automata?.[part.automaton];
      const spot = part?.node !== undefined ? spots?.nodes[part.node] : spots?.edges[part?.edge ?? 0];
      const kind = part?.node !== undefined ? word : "edge";
      one.setAttribute("role", "button");
      // What can be read in the picture is part of the name.
      const written = [...one.querySelectorAll("text")].map((line) => line.textContent).join(" ");
      one.setAttribute("aria-label", `${kind} ${written || (spot?.name ?? "")}`);
      one.setAttribute("tabindex", index === focused ? "0" : "-1");
    });
  });

  const onClick = (event: MouseEvent) => {
    const part = partOf(event.target as Element);
    if (part && onChoose && (chooses === "all" || part.node !== undefined)) onChoose(part);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = parts();
    const at = all.findIndex((one) => one === document.activeElement);
    const move = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (move && at >= 0) {
      const next = (at + move + all.length) % all.length;
      setFocused(next);
      all[next].focus();
      event.preventDefault();
    } else if ((event.key === "Enter" || event.key === " ") && at >= 0) {
      const part = partOf(all[at]);
      if (part) onChoose?.(part);
      event.preventDefault();
    }
  };

  return (
    <div class="picture-box">
      <div class="tools" role="group" aria-label="Zoom">
        <button type="button" class="quiet" aria-label="Zoom out" onClick={() => setZoom(Math.max(scale.current / 1.25, 0.1))}>
          −
        </button>
        <button type="button" class="quiet" onClick={() => setZoom("fit")}>
          fit
        </button>
        <button type="button" class="quiet" aria-label="Zoom in" onClick={() => setZoom(Math.min(scale.current * 1.25, 4))}>
          +
        </button>
      </div>
      <div
        class={onChoose ? "picture chooses" : "picture"}
        ref={host}
        onClick={onClick}
        onKeyDown={onKeyDown}
        tabIndex={onChoose ? undefined : 0}
        role={onChoose ? undefined : "region"}
        aria-label={onChoose ? undefined : label}
      />
    </div>
  );
}
