/** What an object that is a reference may look like. Pure. */

/** Whether an object has a field that only CSL-JSON has. */
export function isCslItem(value: Record<string, unknown>): boolean {
  const { type, issued, author } = value;
  const areNames = Array.isArray(author) && author.every((one) => typeof one === 'object');
  const isDate = typeof issued === 'object' && issued !== null;
  return typeof type === 'string' || isDate || areNames || 'container-title' in value;
}
