/**
 * Compares names of journals and conferences: whole, abbreviated as ISO 4 does ("Adv. Neural Inf.
 * Process. Syst."), or by acronym ("NeurIPS 2021"). Pure.
 */
import { memoize } from '../../text/memoize.ts';
import { knownVenue } from './venue-names.ts';

/** What is longer is no name; only its beginning is compared. */
const COMPARED_CHARACTERS_MAX = 500;
/** Words without meaning for the identity of a venue. */
const EMPTY =
  /^(?:of|the|on|in|and|for|at|to|de|la|le|des|und|fur|a|an|proceedings|proc|ann|annual|conference|conf|meeting|international|intl|int|volume|vol|ieee|acm|cvf|sigkdd|sigir|usenix)$/;
/** Venues with words that begin so are others than those without them. */
const DISTINCT = ['finding', 'workshop', 'companion', 'lett'];
/** "34th", "thirty-fourth", "2021", "'21", "35". */
const NUMBER =
  /\b(?:\d+(?:st|nd|rd|th)?|(?:twenty|thirty|forty|fifty|sixty|seventy)(?:[- ](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth))?|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\w+teenth|(?:twen|thir|for|fif|six|seven|eigh|nine)tieth)\b/gi;

/** Whether two names can name one venue. */
export function isSameVenue(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) => readVenue(name.slice(0, COMPARED_CHARACTERS_MAX))) as [
    Venue,
    Venue,
  ];
  if (a.words.length === 0 || b.words.length === 0) return false;
  if (DISTINCT.some((stem) => hasStem(a, stem) !== hasStem(b, stem))) return false;
  if (a.known !== undefined && b.known !== undefined) return a.known === b.known;
  if (a.words.join('') === b.words.join('')) return true;
  return (
    a.acronyms.some((acronym) => isAcronym(acronym, b)) ||
    b.acronyms.some((acronym) => isAcronym(acronym, a)) ||
    areAbbreviated(a.words, b.words)
  );
}

function hasStem({ all }: Venue, stem: string): boolean {
  return all.some((word) => word.startsWith(stem));
}

interface Venue {
  /** All words in lower case. */
  all: string[];
  /** Those with meaning. */
  words: string[];
  /** Words with several capitals, in lower case, if they may stand for the whole. */
  acronyms: string[];
  known: string | undefined;
}

const readVenue = memoize((name): Venue => {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/['’]\d\d\b/g, ' ')
    .replace(NUMBER, ' ');
  const all = (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.toLowerCase());
  const words = all.filter((word) => !EMPTY.test(word));
  const bracketed = [...plain.matchAll(/\(([\p{L}\p{N}* -]+)\)/gu)].map(([, inner = '']) => inner);
  const capitals = (plain.match(/\p{L}+/gu) ?? []).filter((word) =>
    /\p{Lu}\P{Lu}*\p{Lu}/u.test(word),
  );
  const acronyms = [...bracketed, ...(words.length === 1 ? capitals : [])]
    .map((text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
    .filter((text) => text.length >= 2);
  return { all, words, acronyms, known: knownVenue(all, acronyms) };
});

/** Whether an acronym is a word of the venue, or made from the initials of its words. */
function isAcronym(acronym: string, { all, words }: Venue): boolean {
  if (all.includes(acronym)) return true;
  if (words.length < 2) return false;
  // All words with meaning must be in it; the others may be.
  let at = 0;
  for (const word of all) {
    if (acronym.charAt(at) === word.charAt(0)) at++;
    else if (words.includes(word)) return false;
  }
  return at === acronym.length;
}

function areAbbreviated(ones: readonly string[], others: readonly string[]): boolean {
  if (ones.length !== others.length) return false;
  return ones.every((word, at) => {
    const other = others[at] as string;
    return isShort(word, other) || isShort(other, word);
  });
}

/** "inf" for "information", "natl" for "national". */
function isShort(short: string, long: string): boolean {
  if (long.startsWith(short)) return true;
  if (short.length < 3 || short.charAt(0) !== long.charAt(0)) return false;
  let at = 0;
  for (const letter of long) if (letter === short.charAt(at)) at++;
  return at === short.length && short.at(-1) === long.at(-1);
}
