/**
 * Reads a BibTeX file line by line, in the memory of one entry. Values stay TeX, with macros and `#`
 * resolved.
 */
import { VerbatimError } from '../../errors.ts';
import { splitLines } from '../read/lines.ts';
import type { SkipReason } from '../read/packed-format.ts';

export type BibtexEntry = { line: number } & (
  | {
      /** In lower case, like the names of the fields. */
      type: string;
      key: string;
      fields: ReadonlyMap<string, string>;
    }
  | { problem: string; reason: SkipReason }
);

export interface BibtexOptions {
  /** For messages. */
  path: string;
  lineBytesMax: number;
}

/** Macros remembered. Abbreviations of journals come by the thousand. */
const MACROS_MAX = 10_000;
/** Characters that macros bring into an entry, which may be a macro too. Further names stay as written. */
const MACRO_CHARACTERS_MAX = 10_000;

/** The start of an entry. Blanks may follow the type. */
const ENTRY_START = /@\s*([a-z][a-z_-]*)\s*([{(])/i;
/** An entry within another one must start a line; elsewhere `@` may be an email address. */
const ENTRY_START_OF_LINE = /^ {0,3}@[a-z]+\s*[{(]\s*[^\s{}(),="]+\s*,/i;

/** The current entry. */
interface Body {
  line: number;
  type: string;
  closer: string;
  parts: string[];
  characters: number;
  depth: number;
  isQuoted: boolean;
  problem: { problem: string; reason: SkipReason } | undefined;
}

/**
 * The entries in file order, without `@string` and `@comment`. An unclosed entry ends where the next
 * one starts, and is reported. Throws `unreadable_input` if the file ends within an entry.
 */
export async function* readBibtexEntries(
  chunks: AsyncIterable<Buffer>,
  { path, lineBytesMax }: BibtexOptions,
): AsyncGenerator<BibtexEntry> {
  const macros = new Map<string, string>();
  let body: Body | undefined;
  let lastNumber = 0;
  for await (const line of splitLines(chunks, lineBytesMax)) {
    const { number } = line;
    if ('problem' in line) {
      const { problem, reason } = line;
      if (body === undefined) yield { line: number, problem, reason };
      else body.problem ??= { problem: `line ${number}: ${problem}`, reason };
      lastNumber = number;
      continue;
    }
    // splitLines leaves out blank lines, which separate paragraphs.
    let rest = (number > lastNumber + 1 ? '\n\n' : '\n') + line.text;
    lastNumber = number;
    if (body !== undefined && ENTRY_START_OF_LINE.test(line.text)) {
      const problem = `the entry is not closed where the next one starts, in line ${number}`;
      yield { line: body.line, problem, reason: 'malformed' };
      body = undefined;
    }
    while (rest !== '') {
      if (body === undefined) {
        [body, rest] = startIn(rest, number);
        continue;
      }
      const end = addTo(body, rest, lineBytesMax);
      rest = end === -1 ? '' : rest.slice(end);
      if (end === -1) continue;
      const entry = finish(body, macros);
      if (entry !== undefined) yield entry;
      body = undefined;
    }
  }
  if (body === undefined) return;
  const message = `${path} breaks off within the entry that starts in line ${body.line}`;
  throw new VerbatimError('unreadable_input', message);
}

/** The entry that starts in a text between entries, and the rest. Everything before is a comment. */
function startIn(text: string, line: number): [body: Body | undefined, rest: string] {
  if (/^\s*%/.test(text)) return [undefined, ''];
  const match = ENTRY_START.exec(text);
  const [start = '', type = '', opener] = match ?? [];
  if (match === null) return [undefined, ''];
  const body: Body = {
    line,
    type: type.toLowerCase(),
    closer: opener === '{' ? '}' : ')',
    parts: [],
    characters: 0,
    depth: 0,
    isQuoted: false,
    problem: undefined,
  };
  return [body, text.slice(match.index + start.length)];
}

/** Adds text to an entry. Returns the position after its closing brace, or -1. */
function addTo(body: Body, text: string, charactersMax: number): number {
  let index = 0;
  let end = -1;
  for (; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '\\') index++;
    else if (character === '{') body.depth++;
    else if (character === body.closer && body.depth === 0 && !body.isQuoted) {
      end = index;
      break;
    } else if (character === '}') body.depth--;
    else if (body.depth > 0) continue;
    else if (character === '"') body.isQuoted = !body.isQuoted;
    // Between fields, a comment runs to the end of the line.
    else if (character === '%' && !body.isQuoted) break;
  }
  body.characters += index;
  if (body.characters <= charactersMax) body.parts.push(text.slice(0, index));
  else {
    const problem = `the entry has more than ${charactersMax} characters`;
    body.problem ??= { problem, reason: 'too_long' };
    body.parts = [];
  }
  return end === -1 ? -1 : end + 1;
}

/** The entry of a complete body; undefined for comments, preambles, and macros. */
function finish(body: Body, macros: Map<string, string>): BibtexEntry | undefined {
  const { line, type, problem } = body;
  if (type === 'comment' || type === 'preamble') return undefined;
  if (problem !== undefined) return { line, ...problem };
  const text = body.parts.join('');
  if (type === 'string') {
    for (const [name, value] of readFields(text, macros).fields) {
      if (macros.size < MACROS_MAX) macros.set(name, value);
    }
    return undefined;
  }
  const [start = ''] = /^[^,={}"]*(?:,|$)/.exec(text) ?? [];
  const key = start.replace(',', '').trim();
  const { fields, rest } = readFields(text.slice(start.length), macros);
  if (rest === '') return { line, type, key, fields };
  const last = [...fields.keys()].at(-1) ?? 'the key';
  const shown = JSON.stringify(rest.slice(0, 40));
  return { line, problem: `after ${last} there is no field but ${shown}`, reason: 'malformed' };
}

/** A value, or one part of a `#` concatenation, that is neither braced nor quoted. */
const BARE = /[^\s,#{}"=]+/y;
const NAME = /[\s,]*([^\s,#{}"=]+)\s*=\s*/y;
const JOIN = /\s*#\s*/y;

/** The fields, and the rest at the first syntax error. Of two fields with one name, the first. */
function readFields(
  text: string,
  macros: ReadonlyMap<string, string>,
): { fields: Map<string, string>; rest: string } {
  const fields = new Map<string, string>();
  let left = MACRO_CHARACTERS_MAX;
  let position = 0;
  for (;;) {
    NAME.lastIndex = position;
    const name = NAME.exec(text)?.[1]?.toLowerCase();
    if (name === undefined) return { fields, rest: text.slice(position).replace(/^[\s,]+/, '') };
    position = NAME.lastIndex;
    let value = '';
    for (;;) {
      const part = readPart(text, position);
      if (part === undefined) break;
      const meant = part.isName ? macros.get(part.value.toLowerCase()) : undefined;
      const isKnown = meant !== undefined && meant.length <= left;
      if (isKnown) left -= meant.length;
      value += isKnown ? meant : part.value;
      JOIN.lastIndex = position = part.end;
      if (!JOIN.test(text)) break;
      position = JOIN.lastIndex;
    }
    if (!fields.has(name)) fields.set(name, value);
  }
}

function readPart(
  text: string,
  start: number,
): { value: string; isName: boolean; end: number } | undefined {
  const opener = text.charAt(start);
  if (opener === '{' || opener === '"') {
    const end = endOfValue(text, start);
    return { value: text.slice(start + 1, end), isName: false, end: end + 1 };
  }
  BARE.lastIndex = start;
  const [word] = BARE.exec(text) ?? [];
  if (word === undefined) return undefined;
  return { value: word, isName: true, end: BARE.lastIndex };
}

/** Position of the brace or quote that closes a value, or the end of the text. */
function endOfValue(text: string, start: number): number {
  const isQuoted = text.charAt(start) === '"';
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '\\') index++;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0 && !isQuoted) return index;
    else if (character === '"' && isQuoted && depth === 0 && index > start) return index;
  }
  return text.length;
}
