/** Formats rates and spans of time for the operator's pages. Pure. */
import { formatCount } from '../../components/format-values.ts';

/** Returns a rate with as many decimals as say something: `0.04`, `3.1`, `250`. */
export function formatRate(perSecond: number): string {
  if (perSecond === 0 || perSecond >= 100) return formatCount(Math.round(perSecond));
  return perSecond.toFixed(perSecond < 1 ? 2 : 1);
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Returns a span in its largest unit: `3 days`, `1 minute`. */
export function formatSpan(seconds: number): string {
  const [name, length] = units.find(([, size]) => seconds >= size) ?? units[3];
  const count = Math.floor(seconds / length);
  return `${count} ${count === 1 ? name : `${name}s`}`;
}
