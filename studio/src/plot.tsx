// A plot over two clocks: convex sets as polygons, with sides that belong to them or not.
import { useRef } from "preact/hooks";
import { Exact, Polygon, value } from "./api";

export interface Layer {
  name: string;
  polygons: Polygon[];
  className: string;
}

interface Props {
  x: string;
  y: string | null;
  limit: Exact;
  layers: Layer[];
  point?: [number, number] | null;
  onPoint?: (point: [number, number]) => void;
  label: string;
}

const SIZE = 360;
const LEFT = 44;
const BOTTOM = 40;
const TOP = 14;

function ticks(limit: number): number[] {
  const rough = limit / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? rough;
  const all: number[] = [];
  for (let at = 0; at <= limit + 1e-9; at += step) all.push(Number(at.toFixed(6)));
  return all;
}

export function Plot({ x, y, limit, layers, point, onPoint, label }: Props) {
  const host = useRef<SVGSVGElement>(null);
  const end = value(limit);
  const high = y ? SIZE : 90;
  const right = (at: number) => LEFT + (at / end) * SIZE;
  const up = (at: number) => TOP + high - (at / end) * high;
  const place = (event: PointerEvent) => {
    const box = host.current?.getBoundingClientRect();
    if (!box || !onPoint) return;
    const scale = (LEFT + SIZE + 16) / box.width;
    const across = (((event.clientX - box.left) * scale - LEFT) / SIZE) * end;
    const upwards = ((TOP + high - (event.clientY - box.top) * scale) / high) * end;
    const inside = (at: number) => Math.min(Math.max(at, 0), end);
    onPoint([inside(across), y ? inside(upwards) : 0]);
  };
  return (
    <svg
      class="plot"
      ref={host}
      viewBox={`0 0 ${LEFT + SIZE + 16} ${TOP + high + BOTTOM}`}
      role="img"
      aria-label={label}
      onPointerMove={onPoint && ((event) => (event.pointerType === "mouse" || event.buttons ? place(event) : undefined))}
      onPointerDown={onPoint && place}
    >
      <defs>
        <clipPath id="inside">
          <rect x={LEFT - 2} y={TOP - 2} width={SIZE + 4} height={high + 4} />
        </clipPath>
      </defs>
      <rect class="field" x={LEFT} y={TOP} width={SIZE} height={high} />
      {ticks(end).map((at) => (
        <g class="tick" key={at}>
          <line x1={right(at)} x2={right(at)} y1={TOP} y2={TOP + high} />
          <text x={right(at)} y={TOP + high + 16} text-anchor="middle">
            {at}
          </text>
          {y && (
            <>
              <line x1={LEFT} x2={LEFT + SIZE} y1={up(at)} y2={up(at)} />
              <text x={LEFT - 7} y={up(at) + 4} text-anchor="end">
                {at}
              </text>
            </>
          )}
        </g>
      ))}
      <g clip-path="url(#inside)">
        {layers.map((layer) =>
          layer.polygons.map((polygon, index) => {
            const corners = polygon.corners.map(([a, b]) => [right(value(a)), up(value(b))] as const);
            const path = corners.map(([a, b]) => `${a},${b}`).join(" ");
            return (
              <g class={layer.className} key={`${layer.name} ${index}`}>
                <title>{layer.name}</title>
                {corners.length > 2 && <polygon class="area" points={path} />}
                {corners.length < 3 &&
                  corners.map(([a, b], corner) => (
                    <circle class={polygon.inside[corner] ? "dot" : "dot outside"} cx={a} cy={b} r="3.5" key={corner} />
                  ))}
                {corners.length > 1 &&
                  corners.map(([a, b], side) => {
                    const [c, d] = corners[(side + 1) % corners.length];
                    const kind = polygon.sides[side];
                    if (kind === "cut") return null;
                    return <line class={`side ${kind}`} x1={a} y1={b} x2={c} y2={d} key={side} />;
                  })}
              </g>
            );
          }),
        )}
      </g>
      {point && (
        <g class="here">
          <line x1={right(point[0])} x2={right(point[0])} y1={TOP} y2={TOP + high} />
          {y && <line x1={LEFT} x2={LEFT + SIZE} y1={up(point[1])} y2={up(point[1])} />}
          <circle cx={right(point[0])} cy={up(point[1])} r="5" />
        </g>
      )}
      <text class="axis" x={LEFT + SIZE / 2} y={TOP + high + 34} text-anchor="middle">
        {x}
      </text>
      {y && (
        <text class="axis" x={12} y={TOP + high / 2} text-anchor="middle" transform={`rotate(-90 12 ${TOP + high / 2})`}>
          {y}
        </text>
      )}
    </svg>
  );
}

/** Chooses the clocks of a plot; nothing if there is no choice. */
export function Axes({ clocks, x, y, onAxes }: { clocks: string[]; x: string; y: string; onAxes: (next: [string, string]) => void }) {
  if (clocks.length <= 2) return null;
  return (
    <>
      <label>
        x{" "}
        <select value={x} onChange={(event) => onAxes([event.currentTarget.value, y])}>
          {clocks.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label>
        y{" "}
        <select value={y} onChange={(event) => onAxes([x, event.currentTarget.value])}>
          {clocks
            .filter((one) => one !== x)
            .map((one) => (
              <option key={one}>{one}</option>
            ))}
        </select>
      </label>
    </>
  );
}
