/** The names before the title of a printed reference. Styles differ, so a list has several readings. Pure. */

export interface Names {
  authors: string[];
  /** Whether the list ends with "et al.", or leaves names out. */
  hasMoreAuthors: boolean;
}

/** More names than a reference shows. */
const NAMES_MAX = 1_000;
const MORE =
  /(?:\bet\.?\s+al\b|\band\s+(?:\d{1,4}\s+)?(?:others|colleagues|coworkers|co-workers)\b|\bet\s+alii\b|…|\.\s?\.\s?\.).*$/iu;
/** "(Eds.)", "[and others]", and the year. */
const NO_NAMES = /[([][^()[\]]{0,80}[)\]]|\b(?:1[6-9]|20)\d\d[a-z]?\b/g;
const AND = /\s*[,;]?\s+(?:and|und|et)\s+|\s*[,;]?\s*&\s*|\s*[,;]\s*/u;
/** "A.", "B. C.", "J.-P.", "Yu.", "AB", also with particles after them: "A. van den". */
const INITIALS =
  /^(?:\p{Lu}\p{Ll}{0,2}\.[\s-]?|\p{Lu}(?=[\s-]|$)[\s-]?){1,6}(?:(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|ter|ten|el|al)\s?){0,3}$|^\p{Lu}{2,4}$/u;
const GENERATION = /^(?:jr|sr|ii|iii|iv|2nd|3rd)\.?$/i;
/** "Dahl BC", "van den Berg A", "Dahl B.C." */
const LETTERS_LAST =
  /^((?:\p{L}[\p{L}\p{M}'’‐-]*\s){1,5})(\p{Lu}(?:[.-]{0,2}\p{Lu}){0,4})\.?(?:\s(jr|sr|ii|iii|iv)\.?)?$/iu;

/** What the list may say, the likeliest first; one reading without authors if it is empty. */
export function readNames(text: string): Names[] {
  const known = text.replace(NO_NAMES, ' ').replace(/^\s*by\s+/i, '');
  const list = known
    .replace(MORE, '')
    .replace(/\s+/g, ' ')
    .replace(/(?<![\s.,:;"“‘'«„`])[\s.,:;"“‘'«„`]+$/u, '')
    .replace(/(?<=(?:^|[\s.-])\p{Lu})$/u, '.');
  const hasMoreAuthors = MORE.test(known);
  const parts = list
    .split(AND)
    .slice(0, NAMES_MAX)
    .map((part) => part.replace(/^[\s.:"“'‘]+|[\s:"“'‘]+$/gu, ''))
    .filter((part) => /\p{L}/u.test(part));
  const hasInitials = parts.some((part) => INITIALS.test(part));
  const isFirstInverted = parts.length > 1 && !/\s/.test(parts[0] as string);
  const orders = hasInitials
    ? [joined, firstInverted, apart]
    : list.includes(';')
      ? [pairs, firstInverted, apart]
      : isFirstInverted
        ? [firstInverted, pairs, apart]
        : [apart, firstInverted, pairs];
  const readings = new Map<string, Names>();
  for (const order of orders) {
    const authors = order(parts).map(straight);
    const key = authors.join('\n');
    if (!readings.has(key)) readings.set(key, { authors, hasMoreAuthors });
  }
  return [...readings.values()];
}

type Order = (parts: readonly string[]) => string[];

/** "Anna Berg, Bo Dahl". */
const apart: Order = (parts) => {
  const names: string[] = [];
  for (const part of parts) {
    if (GENERATION.test(part) && names.length > 0) names.push(`${names.pop()} ${part}`);
    else names.push(part);
  }
  return names;
};

/** "Berg, A., Dahl, B. C.", and names of which some are not turned around. */
const joined: Order = (parts) => {
  const names: string[] = [];
  for (const [at, part] of parts.entries()) {
    const before = parts[at - 1];
    const isGiven = INITIALS.test(part) && before !== undefined && !INITIALS.test(before);
    if ((isGiven || GENERATION.test(part)) && names.length > 0) {
      const name = names.pop() as string;
      names.push(isGiven ? `${part} ${name}` : `${name} ${part}`);
    } else names.push(part);
  }
  return names;
};

/** "Berg, Anna, Bo Dahl". */
const firstInverted: Order = ([family, given, ...others]) => {
  if (family === undefined) return [];
  return given === undefined ? [family] : [`${given} ${family}`, ...apart(others)];
};

/** "Berg, Anna, Dahl, Bo". */
const pairs: Order = (parts) => {
  const names: string[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    names.push([parts[at + 1], parts[at]].filter((part) => part !== undefined).join(' '));
  }
  return names;
};

/** With the family name last: "B. C. Dahl" for "Dahl BC". */
function straight(name: string): string {
  const [, family, letters, generation] = LETTERS_LAST.exec(name) ?? [];
  if (family === undefined || letters === undefined || letters !== letters.toUpperCase())
    return name;
  const initials = [...letters.replace(/[^\p{L}]/gu, '')].map((letter) => `${letter}.`).join(' ');
  return [initials, family.trim(), generation].filter((part) => part !== undefined).join(' ');
}
