/** Normalizes languages as sources and people write them. Pure. */

/** Codes for undetermined, uncoded, and non-linguistic content. */
const UNKNOWN = new Set(['und', 'mis', 'zxx']);

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

let codes: ReadonlyMap<string, string> | undefined;

/**
 * The code of a language: `en` for `en`, `eng`, `en-US`, `English`. '' if it is not known. A name
 * in another language is returned in lower case.
 */
export function languageCode(text: string): string {
  const written = text.trim().toLowerCase().replaceAll('_', '-');
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/.test(written)) {
    codes ??= codesByName();
    return codes.get(written) ?? written;
  }
  // Three-letter codes, of which some languages have two, become two-letter codes.
  const code = localeOf(written);
  return UNKNOWN.has(code) ? '' : code;
}

/** The code that the index keeps; undefined if the language is not known, or has no code. */
export function storedLanguage(text: string): string | undefined {
  const code = languageCode(text);
  return /^[a-z]{2,3}$/.test(code) ? code : undefined;
}

function localeOf(tag: string): string {
  try {
    return new Intl.Locale(tag).language ?? '';
  } catch {
    return tag;
  }
}

/** Two-letter codes by English names. */
function codesByName(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const found = new Map<string, string>();
  for (const code of LETTERS.flatMap((first) => LETTERS.map((second) => first + second))) {
    const name = names.of(code)?.toLowerCase();
    // The first code wins: deprecated codes map to current ones.
    if (name !== undefined && !found.has(name)) found.set(name, localeOf(code));
  }
  return found;
}
