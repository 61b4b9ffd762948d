/** Which paths are the operator's. Pure. */
import { ownPath } from '../../page/page-redirects.ts';

const HOME = '/operator';

export function isOperatorPath(path: string): boolean {
  return path === HOME || path.startsWith(`${HOME}/`);
}

/** Returns where to go after the sign-in: a path of the operator's, or the start. */
export function nextPath(next: string | null): string {
  const path = ownPath(next, HOME);
  return isOperatorPath(path.split('?', 1)[0] ?? '') ? path : HOME;
}
