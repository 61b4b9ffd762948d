/** Languages as sources and people write them, in one form. Pure. */

/** Undetermined, not coded, and no language at all. */
const UNKNOWN = new Set(['und', 'mis', 'zxx']);

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

let codes: ReadonlyMap<string, string> | undefined;

/**
 * The code of a language: `en` for `en`, `eng`, `en-US`, `English`. '' where it is not known; a
 * name that is not English stays as it is, in small letters.
 */
export function languageCode(text: string): string {
  const written = text.trim().toLowerCase().replaceAll('_', '-');
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/.test(written)) {
    codes ??= codesByName();
    return codes.get(written) ?? written;
  }
  // Codes of three letters, two of them for some languages, are one with those of two letters.
  const code = localeOf(written);
  return UNKNOWN.has(code) ? '' : code;
}

function localeOf(tag: string): string {
  try {
    return new Intl.Locale(tag).language ?? '';
  } catch {
    return tag;
  }
}

/** By their English names: those with a code of two letters. */
function codesByName(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const found = new Map<string, string>();
  for (const code of LETTERS.flatMap((first) => LETTERS.map((second) => first + second))) {
    const name = names.of(code)?.toLowerCase();
    // The codes that are in use come out as they went in; old ones turn into others.
    if (name !== undefined && !found.has(name)) found.set(name, localeOf(code));
  }
  return found;
}
