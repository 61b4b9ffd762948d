/**
 * Converts TeX to the text that a reader sees: `{\'E}tude of $x^2$` becomes "Étude of x²". Only this
 * file uses the library. It takes milliseconds per abstract, so it gets only words that contain TeX.
 */
import type { Creator, parse } from '@retorquere/bibtex-parser';

/**
 * The library's time grows faster than its input. What is longer between two blanks outside of braces
 * is kept as written, and longer lists of names are parsed in parts.
 */
const PARSED_CHARACTERS_MAX = 10_000;
const PARSED_NAMES_CHARACTERS_MAX = 2000;
/** TeX words of a text that are parsed. Further ones are kept as written. */
const PARSED_WORDS_MAX = 1000;
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

/** Loaded on first use: the library is a fifth of the program, and most files do not need it. */
let parseBibtex: typeof parse | undefined;

/** Must be awaited before the other functions are called. */
export async function loadTex(): Promise<void> {
  parseBibtex ??= (await import('@retorquere/bibtex-parser')).parse;
}

/** The text. Invalid TeX and unknown commands stay as written. */
export function texToText(tex: string): string {
  if (!SPECIAL.test(tex)) return tex;
  return unprotect(decodeWords(protect(tex)));
}

/** Names: "Last, First and First Last and {A Group} and others". */
export function texToNames(tex: string): string[] {
  return partsOfList(protect(tex))
    .flatMap((part) => {
      const creators = parseField('author', part);
      return Array.isArray(creators) ? creators.map(nameOf) : [decodeWords(part)];
    })
    .map((name) => unprotect(name).replace(/\s+/g, ' ').trim())
    .filter((name) => name !== '' && name !== 'others');
}

/** Divides a list of names at some of its "and"s, so that each part can be parsed. */
function partsOfList(list: string): string[] {
  const parts: string[] = [];
  let [start, end, next, depth] = [0, 0, 0, 0];
  for (const { 0: found, index } of list.matchAll(/[{}]|\sand\s|$/gi)) {
    if (found === '{') depth++;
    else if (found === '}') depth--;
    else if (depth === 0) {
      if (index - start > PARSED_NAMES_CHARACTERS_MAX && end > start) {
        parts.push(list.slice(start, end));
        start = next;
      }
      [end, next] = [index, index + found.length];
    }
  }
  return [...parts, list.slice(start)];
}

function nameOf({ name, firstName, prefix, lastName, suffix }: Creator): string {
  const parts = [name, firstName, prefix, lastName, suffix];
  return plain(parts.filter((part) => part !== undefined).join(' '));
}

/** Removes markup. In Unicode an accented i keeps its dot, unlike in TeX. */
function plain(text: string): string {
  return text
    .replace(TAG, '')
    .replaceAll('\u{a0}', ' ')
    .replace(/ı(?=\p{M})/gu, 'i')
    .normalize('NFC');
}

function decodeWords(tex: string): string {
  let left = PARSED_WORDS_MAX;
  return tokensOf(tex)
    .map((token) => (SPECIAL.test(token) && left-- > 0 ? decode(token) : token))
    .join('');
}

function decode(token: string): string {
  const text = parseField('abstract', token);
  return typeof text === 'string' ? plain(text) : token;
}

/** The library's result for a field; undefined if it fails. */
function parseField(field: 'author' | 'abstract', value: string): string | Creator[] | undefined {
  if (parseBibtex === undefined) throw new Error('loadTex has not been awaited');
  const isNames = field === 'author';
  const charactersMax = isNames ? PARSED_NAMES_CHARACTERS_MAX : PARSED_CHARACTERS_MAX;
  if (value.length > charactersMax) return undefined;
  try {
    const { entries, errors } = parseBibtex(`@misc{key, ${field}={${value}}}`, {
      english: false,
      sentenceCase: false,
      caseProtection: false,
      applyCrossRef: false,
      unsupported: (node, command) =>
        node.type === 'macro' && FORMATTING.test(node.content) ? '' : `${command} `,
    });
    return errors.length === 0 ? entries[0]?.fields[field] : undefined;
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
