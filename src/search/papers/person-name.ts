/** Names of people as records write them, taken apart for bibliographies. Pure. */

/** DBLP numbers people with the same name: "Minghui Hu 0001". */
const DBLP_NUMBER = /\s+\d{4}$/;

const GENERATION = /^(?:jr|sr|ii|iii|iv)\.?$/i;

/** "Berg A" and "Berg AB", as PubMed writes them. */
const INITIALS_LAST = /^(\p{Lu}[\p{L}'’-]+)\s+(\p{Lu}{1,3}|(?:\p{Lu}\.[\s-]?){1,3})$/u;

/** In these scripts the family name comes first. */
const FAMILY_FIRST =
  /^([\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]+) ([\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]+)$/u;

/** Words that only names of groups have. */
const GROUP =
  /\b(?:and|for|collaborations?|consorti(?:um|a)|committee|groups?|team|network|investigators|organi[sz]ation|society|association|institutes?|universit(?:y|ies)|department|agency|council|cent(?:er|re)s?|project|initiative)\b/i;

export interface PersonName {
  /** The family name with its particles, as in "van der Berg", or the whole name of a group. */
  family: string;
  /** Empty if unknown. */
  given: string;
  /** "Jr." and the like; empty without. */
  suffix: string;
}

/** Returns the name in the order in which it is printed, without DBLP's number. */
export function plainName(name: string): string {
  const [family = '', given = '', ...rest] = name.replace(DBLP_NUMBER, '').split(/\s*,\s*/);
  return [given, family, ...rest].filter((part) => part !== '').join(' ');
}

/** Takes a name apart. The name of a group is a family name without a given name. */
export function splitName(name: string): PersonName {
  const own = name.replace(DBLP_NUMBER, '').replaceAll(/\s+/g, ' ').trim();
  if (own.includes(',')) return splitAtCommas(own);
  const [, first, others] = INITIALS_LAST.exec(own) ?? FAMILY_FIRST.exec(own) ?? [];
  if (first !== undefined && others !== undefined) {
    return { family: first, given: others, suffix: '' };
  }
  const words = own.split(' ');
  if (words.length === 1 || GROUP.test(own)) return { family: own, given: '', suffix: '' };
  const suffix = GENERATION.test(words.at(-1) as string) ? (words.pop() as string) : '';
  // The last word, with the particles in small letters before it.
  let start = words.length - 1;
  while (start > 1 && /^\p{Ll}/u.test(words[start - 1] as string)) start--;
  if (words.length === 1) start = 0;
  return { family: words.slice(start).join(' '), given: words.slice(0, start).join(' '), suffix };
}

/** "Berg, Anna", "Berg, Jr., Anna", or "Berg, Anna, Jr." */
function splitAtCommas(name: string): PersonName {
  const [family = '', ...others] = name.split(/\s*,\s*/);
  const suffix = others.find((part) => GENERATION.test(part)) ?? '';
  const given = others.filter((part) => part !== suffix && part !== '').join(' ');
  return { family, given, suffix };
}
