/** Where a redirect may lead: to our own pages. Pure. */

/** A path of our own, and a query: nothing that a browser takes for a host, and no line end. */
const OWN_PATH = /^\/(?![/\\])[\w\-./~%?=&+:,]*$/;

/** The path if it is one of our own, else `otherwise`. */
export function ownPath(path: string | null | undefined, otherwise: string): string {
  return typeof path === 'string' && OWN_PATH.test(path) ? path : otherwise;
}
