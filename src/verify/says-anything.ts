/** Verdicts that say nothing about a quote or a reference. */
const SILENT: readonly string[] = ['not_indexed', 'unreadable'];

/** Whether something could be said of any item. A call in which nothing could is free. */
export function saysAnything(results: readonly { verdict: string }[]): boolean {
  return results.some(({ verdict }) => !SILENT.includes(verdict));
}
