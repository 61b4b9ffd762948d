/** Names some of many. Pure. */
import { formatCount } from './format-values.ts';

/** Returns the first of some names, and how many follow: `Medicine, Physics, and 12 more`. */
export function formatSome(names: readonly string[], most: number): string {
  // A name takes no more room than the words that would stand for it.
  const shown = names.length > most + 1 ? names.slice(0, most) : names;
  const others = names.length - shown.length;
  return [...shown, ...(others > 0 ? [`and ${formatCount(others)} more`] : [])].join(', ');
}
