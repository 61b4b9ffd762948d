/**
 * Text that is written in TeX, as a reader sees it: `{\'E}tude of $x^2$` is "Étude of x²". The only
 * file that knows the library that does it, which takes milliseconds for an abstract: so it gets
 * only the words that have something of TeX in them.
 */
import type { Creator, parse } from '@retorquere/bibtex-parser';

/** A formula or list of names that is longer is kept as it stands: it would take seconds. */
const PARSED_CHARACTERS_MAX = 100_000;

/** What only the library understands; all else is text already. */
const SPECIAL = /[\\{}$~]|--|``|''/;

/**
 * Characters that mean something in TeX, or in the library's answer, and are to be text. They
 * travel as noncharacters (U+FDD0 and following), which no text has.
 */
const PROTECTED = '<>%&#_{$}~';
const STAND_INS = /[\ufdd0-\ufdd9]/g;

/** Commands that only say how what follows them looks, or nothing. */
const FORMATTING =
  /^(?:math\w+|bm|boldsymbol|operatorname|displaystyle|textstyle|limits|nolimits)$/;

/** What the library marks up: emphasis, indices, links. */
const TAG = /<\/?[a-z][^<>]*>/g;

/** The library's, once loaded: it is a fifth of the program, and most files need nothing of it. */
let parseBibtex: typeof parse | undefined;

/** To be awaited before anything here is called. */
export async function loadTex(): Promise<void> {
  parseBibtex ??= (await import('@retorquere/bibtex-parser')).parse;
}

/** The text. What is no valid TeX, or is not known to the library, stays as it stands. */
export function texToText(tex: string): string {
  if (!SPECIAL.test(tex)) return tex;
  const text = tokensOf(protect(tex))
    .map((token) => (SPECIAL.test(token) ? decode(token) : token))
    .join('');
  return unprotect(text);
}

/** Names: "Last, First and First Last and {A Group} and others". */
export function texToNames(tex: string): string[] {
  const creators = parseField('author', protect(tex));
  const names = Array.isArray(creators) ? creators.map(nameOf) : [texToText(tex)];
  return names
    .map((name) => unprotect(name).replace(/\s+/g, ' ').trim())
    .filter((name) => name !== '' && name !== 'others');
}

function nameOf({ name, firstName, prefix, lastName, suffix }: Creator): string {
  const parts = [name, firstName, prefix, lastName, suffix];
  return plain(parts.filter((part) => part !== undefined).join(' '));
}

/** Without markup, and with an accent on an i that has a dot in Unicode, unlike in TeX. */
function plain(text: string): string {
  return text
    .replace(TAG, '')
    .replaceAll('\u{a0}', ' ')
    .replace(/ı(?=\p{M})/gu, 'i')
    .normalize('NFC');
}

function decode(token: string): string {
  const text = parseField('abstract', token);
  return typeof text === 'string' ? plain(text) : token;
}

/** What the library makes of a field; undefined where it makes nothing of it. */
function parseField(field: 'author' | 'abstract', value: string): string | Creator[] | undefined {
  if (parseBibtex === undefined) throw new Error('loadTex has not been awaited');
  if (value.length > PARSED_CHARACTERS_MAX) return undefined;
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
    // Its grammar, or the stack, ends at some input: then there is the input itself.
    return undefined;
  }
}

/** Words with the white space between them; what braces or dollars hold together is one. */
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
    // In "\v s" the blank only ends the command's name.
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
    // The blank only ends the name of the letter, as in "na\"\i ve".
    .replace(/\\(i|j|o|O|l|L|ae|AE|oe|OE|aa|AA|ss)\s+/g, '\\$1{}')
    .replace(/\\([%&#_${}])/g, (_, character: string) => standIn(character))
    .replace(/\\text(less|greater)(?![a-zA-Z])(?:\{\})?/g, (_, name: string) =>
      standIn(name === 'less' ? '<' : '>'),
    )
    // A user's pages: "/~berg/".
    .replace(/[<>%]|(?<=\/)~/g, standIn);
  if (!isBalanced(text)) text = text.replace(/[{}]/g, standIn);
  const dollars = text.match(/\$/g)?.length ?? 0;
  return dollars % 2 === 0 ? text : text.replaceAll('$', standIn('$'));
}

function unprotect(text: string): string {
  return text.replace(STAND_INS, (stand) => PROTECTED.charAt(stand.charCodeAt(0) - 0xfdd0));
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const brace of text.match(/[{}]/g) ?? []) {
    depth += brace === '{' ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
