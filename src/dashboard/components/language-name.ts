/** What people call a language. Pure. */
import { once } from '../../text/memoize.ts';

const names = once(() => new Intl.DisplayNames('en', { type: 'language', fallback: 'code' }));

/** The English name of a language by its code; the code itself if it has no name. */
export function languageName(code: string): string {
  return names().of(code) ?? code;
}
