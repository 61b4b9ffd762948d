/** Round values for the axis of a chart. Pure. */

const STEPS = [1, 2, 5, 10] as const;

/**
 * Returns round values for the lines of an axis from 0 to at least `largest`, with at most
 * `linesMax` above 0. Values are whole, because searches are.
 */
export function axisValues(largest: number, linesMax: number): number[] {
  const rough = Math.max(1, largest) / linesMax;
  const magnitude = 10 ** Math.max(0, Math.floor(Math.log10(rough)));
  const factor = STEPS.find((candidate) => candidate * magnitude >= rough) ?? 10;
  const step = factor * magnitude;
  const count = Math.max(1, Math.ceil(largest / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
