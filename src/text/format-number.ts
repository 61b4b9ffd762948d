/** Numbers for people. Pure. */

/** Returns 1234567 as `1,234,567`, without `Intl`, which takes 20 ms to load its rules. */
export function formatNumber(value: number): string {
  return String(value).replace(/(?<!\.\d*)\B(?=(?:\d{3})+(?!\d))/g, ',');
}
