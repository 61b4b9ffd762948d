/** What people call a language. Pure. */

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

/** The English name of a language by its code; the code itself if it has no name. */
export function languageName(code: string): string {
  return names.of(code) ?? code;
}
