// Exact delays: fractions of whole numbers, compared without rounding.
import { Exact, Interval } from "./api";

export interface Fraction {
  over: number;
  under: number;
}

function divisor(a: number, b: number): number {
  return b === 0 ? Math.abs(a) : divisor(b, a % b);
}

export function fraction(over: number, under = 1): Fraction {
  const common = divisor(over, under) || 1;
  return { over: over / common, under: under / common };
}

export function parse(exact: Exact): Fraction {
  if (typeof exact === "number") return fraction(exact);
  const [over, under] = exact.split("/").map(Number);
  return fraction(over, under ?? 1);
}

export function compare(a: Fraction, b: Fraction): number {
  return a.over * b.under - b.over * a.under;
}

export function written(one: Fraction): string {
  return one.under === 1 ? String(one.over) : `${one.over}/${one.under}`;
}

/** As people read it: a decimal where that is short. */
export function readable(one: Fraction): string {
  const decimal = one.over / one.under;
  return Number(decimal.toFixed(3)) === decimal ? String(decimal) : written(one);
}

export function contains(interval: Interval, delay: Fraction): boolean {
  const lower = compare(delay, parse(interval.from));
  if (lower < 0 || (lower === 0 && interval.from_open)) return false;
  if (interval.to === null) return true;
  const upper = compare(delay, parse(interval.to));
  return upper < 0 || (upper === 0 && !interval.to_open);
}
