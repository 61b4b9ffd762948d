/**
 * Converts TeX to the text that a reader sees: `{\'E}tude of $x^2$` becomes "Étude of x²". Only this
 * file uses the library. It takes a tenth of a millisecond per word, so it gets only words with TeX that
 * needs a parser.
 */
import type { parse } from '@retorquere/bibtex-parser';
import { decodeSimpleTex } from './simple-tex.ts';

/** Characters of a text that are parsed. Further words are kept as written. */
const PARSED_CHARACTERS_MAX = 10_000;
/** A shorter word takes as long as one with so many characters. */
const WORD_CHARACTERS_MIN = 10;
/** The library's time grows with the cube of the depth. No title nests so many braces. */
const DEPTH_MAX = 20;

/** Characters that need the library. Everything else is text already. */
const SPECIAL = /[\\{}$~]|--|``|''/;

/**
 * Characters that are special in TeX or in the library's output but must stay text. They are
 * replaced by noncharacters (U+FDD0 and following), which no text contains.
 */
const PROTECTED = '<>%&#_{$}~';
const STAND_INS = /[\ufdd0-\ufdd9]/g;

/** Commands that only format what follows. */
const FORMATTING =
  /^(?:math\w+|bm|boldsymbol|operatorname|displaystyle|textstyle|limits|nolimits)$/;

/** Markup in the library's output: emphasis, indices, links. */
const TAG = /<\/?[a-z][^<>]*>/g;

/** What may still be parsed of a text, or of several together. */
export interface TexBudget {
  charactersLeft: number;
}

/** Loaded on first use: the library is a fifth of the program, and most files do not need it. */
let parseBibtex: typeof parse | undefined;

/** Must be awaited before the other functions are called. */
export async function loadTex(): Promise<void> {
  parseBibtex ??= (await import('@retorquere/bibtex-parser')).parse;
}

/** The text. Invalid TeX and unknown commands stay as written. */
export function texToText(tex: string, budget = newBudget()): string {
  if (!SPECIAL.test(tex)) return tex;
  return unprotect(decodeWords(protect(tex), budget));
}

/** Names: "Last, First and First Last and {A Group} and others". */
export function texToNames(tex: string, budget = newBudget()): string[] {
  return splitOutsideBraces(protect(tex), /\sand(?=\s)/i)
    .map((name) => {
      const parts = splitOutsideBraces(name.replace(/(?<![\s,])[\s,]+$/, ''), /,/);
      const [last = '', suffix = '', first = suffix] = parts;
      if (parts.length > 3) return decodeWords(name, budget);
      const ordered = parts.length === 3 ? [first, last, suffix] : [first, last];
      return ordered.map((part) => decodeWords(part, budget)).join(' ');
    })
    .map((name) => unprotect(name).replace(/\s+/g, ' ').trim())
    .filter((name) => name !== '' && name !== 'others');
}

function newBudget(): TexBudget {
  return { charactersLeft: PARSED_CHARACTERS_MAX };
}

function splitOutsideBraces(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let [start, depth] = [0, 0];
  for (const { 0: found, index } of text.matchAll(new RegExp(`[{}]|${separator.source}`, 'gi'))) {
    if (found === '{') depth++;
    else if (found === '}') depth--;
    else if (depth === 0) {
      parts.push(text.slice(start, index));
      start = index + found.length;
    }
  }
  return [...parts, text.slice(start)];
}

/** Removes markup. In Unicode an accented i keeps its dot, unlike in TeX. */
function plain(text: string): string {
  return text
    .replace(TAG, '')
    .replaceAll('\u{a0}', ' ')
    .replace(/ı(?=\p{M})/gu, 'i')
    .normalize('NFC');
}

function decodeWords(tex: string, budget: TexBudget): string {
  return tokensOf(tex)
    .map((token) => (SPECIAL.test(token) ? decode(token, budget) : token))
    .join('');
}

function decode(token: string, budget: TexBudget): string {
  const text = decodeSimpleTex(token) ?? parseWithin(budget, token);
  return text === undefined ? token : plain(text);
}

/** The library's result; undefined if it fails, or if the word goes beyond the budget. */
function parseWithin(budget: TexBudget, word: string): string | undefined {
  if (parseBibtex === undefined) throw new Error('loadTex has not been awaited');
  const characters = Math.max(word.length, WORD_CHARACTERS_MIN);
  if (characters > budget.charactersLeft) return undefined;
  budget.charactersLeft -= characters;
  try {
    const { entries, errors } = parseBibtex(`@misc{key, abstract={${word}}}`, {
      english: false,
      sentenceCase: false,
      caseProtection: false,
      applyCrossRef: false,
      unsupported: (node, command) =>
        node.type === 'macro' && FORMATTING.test(node.content) ? '' : `${command} `,
    });
    const text = errors.length === 0 ? entries[0]?.fields['abstract'] : undefined;
    return typeof text === 'string' ? text : undefined;
  } catch {
    // The grammar or the stack fails for some input, which is then kept as it is.
    return undefined;
  }
}

/** The words and the white space between them. Braces and dollars keep words together. */
function tokensOf(tex: string): string[] {
  const tokens: string[] = [];
  let token = '';
  let depth = 0;
  let isMath = false;
  for (let index = 0; index < tex.length; index++) {
    const character = tex.charAt(index);
    if (character === '{') depth++;
    else if (character === '}') depth--;
    else if (character === '$') isMath = !isMath;
    const isBlank = /\s/.test(character) && depth === 0 && !isMath;
    // In "\v s" the blank only ends the command name.
    if (!isBlank || /\\(?:[a-zA-Z]+)?$/.test(token.slice(-20))) {
      token += character === '\\' ? character + tex.charAt(++index) : character;
      continue;
    }
    tokens.push(token, character);
    token = '';
  }
  return [...tokens, token];
}

function protect(tex: string): string {
  const standIn = (character: string): string =>
    String.fromCharCode(0xfdd0 + PROTECTED.indexOf(character));
  let text = tex
    .replace(STAND_INS, '\u{fffd}')
    // The blank only ends the command name, as in "na\"\i ve".
    .replace(/\\(i|j|o|O|l|L|ae|AE|oe|OE|aa|AA|ss)\s+/g, '\\$1{}')
    .replace(/\\([%&#_${}])/g, (_, character: string) => standIn(character))
    .replace(/\\text(less|greater)(?![a-zA-Z])(?:\{\})?/g, (_, name: string) =>
      standIn(name === 'less' ? '<' : '>'),
    )
    // A home page: "/~berg/".
    .replace(/[<>%]|(?<=\/)~/g, standIn);
  if (!isShallow(text)) text = text.replace(/[{}]/g, standIn);
  const dollars = text.match(/\$/g)?.length ?? 0;
  return dollars % 2 === 0 ? text : text.replaceAll('$', standIn('$'));
}

function unprotect(text: string): string {
  return text.replace(STAND_INS, (stand) => PROTECTED.charAt(stand.charCodeAt(0) - 0xfdd0));
}

/** Whether the braces are in pairs and not nested too deep. */
function isShallow(text: string): boolean {
  let depth = 0;
  for (const brace of text.match(/[{}]/g) ?? []) {
    depth += brace === '{' ? 1 : -1;
    if (depth < 0 || depth > DEPTH_MAX) return false;
  }
  return depth === 0;
}
