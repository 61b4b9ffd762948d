/** Reads Markdown and plain text: citations, quotes, footnotes, and the list of references. Pure. */

import { splitReferences } from '../references/printed/split-references.ts';
import { BEFORE_MAX, indexByAuthorAndYear } from './author-year.ts';
import type { ManuscriptPart } from './manuscript.ts';
import { BLOCK, citationMark, citationsIn } from './marks.ts';

/** A reference as printed, with its number or its start as its name. */
interface PrintedReference {
  name: string;
  line: number;
  reference: string;
}

const TITLES =
  'references?|bibliography|literature(?: cited)?|works cited|cited (?:works|literature)|reference list';
/** "## References", "**References**", "7. References:", or the word alone. */
const LIST_HEADING = new RegExp(
  String.raw`^ {0,3}(?:#{1,6}\s+)?(?:\*\*|__)?(?:\d{1,2}\.?\s+)?(?:${TITLES})(?:\*\*|__)?\s{0,9}:?\s{0,9}#*\s*$`,
  'i',
);
const NEXT_HEADING = /^ {0,3}#{1,6}\s|^(?:appendix|supplement)/i;
const UNDERLINE = /^\s*(?:=+|-+)\s*$/;
const FENCE = /^ {0,3}(```+|~~~+)/;
const FOOTNOTE = /^\[\^([^\]\s]{1,100})\]:\s*(.*)$/;
/** The number before a reference of a list. */
const NUMBER = /(?:^|\s)[[(^]{0,2}(\d{1,4})[\]).^:]{1,3}\s*$/;

/** A citation key of pandoc. */
const KEY = String.raw`@(?:\{[^{}\s]{1,300}\}|[\p{L}\p{N}_](?:[\p{L}\p{N}_]|[:.#$%&+?<>~/-](?=[\p{L}\p{N}_])){0,300})`;
const KEYS = new RegExp(KEY, 'gu');
const CITATION = new RegExp(
  [
    // [@berg2020, p. 3; see @dahl2019]
    String.raw`\[(?<keyed>[^[\]@]{0,500}@[^[\]]{1,500})\]`,
    // [^1]
    String.raw`\[\^(?<note>[^\]\s]{1,100})\]`,
    // [1], [2, 5-7, p. 3], but no link
    String.raw`\[(?<numbers>\d{1,4}(?:\s?[,;–-]\s?\d{1,4}){0,30})(?:,\s?pp?\.[^[\]]{0,30})?\](?!\(|:\s<?https?:)`,
    // ^1^
    String.raw`\^(?<raised>\d{1,4}(?:[,–-]\d{1,4}){0,30})\^`,
    // (Berg, 2020), Berg (2020)
    String.raw`\((?<bracketed>[^()[\]@]{4,500})\)`,
    // As @berg2020 says
    String.raw`(?<![\p{L}\p{N}.])(?<named>${KEY})`,
  ].join('|'),
  'gu',
);
/** References that a range such as [2-900] may cite; a larger one is an interval. */
const RANGE_MAX = 50;
/** Longer names of references are cut. */
const LABEL_CHARACTERS_MAX = 60;
/** Words of a footnote that is a reference. */
const WORDS_MIN = 5;

/** Reads a text that `prepareText` prepared. */
export function readProse(source: string): ManuscriptPart {
  const lines = source.split('\n');
  const bibliographies = takeFrontMatter(lines);
  takeCode(lines);
  const list = takeList(lines);
  const notes = takeFootnotes(lines);
  const keysOf = citedKeys(list, notes);
  const text = markCitations(markBlocks(lines), keysOf);
  const hasList = list.length + bibliographies.length > 0;
  return {
    text,
    references: hasList ? list : notes.filter(isReference),
    bibliographies,
    included: [],
    cited: new Set(citationsIn(text).flatMap(({ keys }) => keys)),
  };
}

/** Whether a text has a list of references under a heading of its own. */
export function hasReferenceList(text: string): boolean {
  return text.split('\n').some((line) => LIST_HEADING.test(line));
}

/** Returns what a reader sees of a quote in Markdown. */
export function readProseQuote(quote: string): string {
  return quote
    .replace(/!?\[([^[\]]{0,500})\]\([^()\s]{0,500}\)/g, '$1')
    .replace(/(?<![\p{L}\p{N}\\])[*_]{1,3}(?=\S)|(?<=[^\s\\])[*_]{1,3}(?![\p{L}\p{N}])/gu, '')
    .replace(/\\(?=\p{P})/gu, '');
}

/** Empties the front matter of Markdown. Returns the bibliographies that it names. */
function takeFrontMatter(lines: string[]): string[] {
  if (lines[0]?.trim() !== '---') return [];
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  const files: string[] = [];
  let isList = false;
  for (const line of take(lines, 0, end + 1)) {
    const [, value] = /^bibliography:\s*(.*)$/.exec(line) ?? [];
    const [, item] = /^\s*-\s+(.+)$/.exec(line) ?? [];
    isList = value !== undefined || (isList && item !== undefined);
    const named = value ?? (isList ? item : undefined) ?? '';
    files.push(...named.replace(/^\[|\]\s*$/g, '').split(','));
  }
  return files.map((file) => file.trim().replace(/^["']|["']$/g, '')).filter((file) => file !== '');
}

/** Empties blocks of code. */
function takeCode(lines: string[]): void {
  let fence: string | undefined;
  for (const [at, line] of lines.entries()) {
    const [, mark] = FENCE.exec(line) ?? [];
    const isEnd = fence !== undefined && mark?.startsWith(fence) === true;
    if (fence !== undefined || mark !== undefined) lines[at] = '';
    fence = isEnd ? undefined : (fence ?? mark);
  }
}

/** Empties the list of references. Returns its entries. */
function takeList(lines: string[]): PrintedReference[] {
  const heading = lines.findLastIndex((line) => LIST_HEADING.test(line));
  if (heading === -1) return [];
  const start = heading + (UNDERLINE.test(lines[heading + 1] ?? '') ? 2 : 1);
  const next = lines.findIndex((line, at) => at >= start && NEXT_HEADING.test(line));
  const list = take(lines, start, next === -1 ? lines.length : next).join('\n');
  lines[heading] = '';
  let [line, at] = [start + 1, 0];
  const names = new Set<string>();
  return splitReferences(list).map(({ text, start: from, end }) => {
    const before = list.slice(at, from);
    line += before.match(/\n/g)?.length ?? 0;
    const known = NUMBER.exec(before)?.[1] ?? startOfReference(text);
    const name = names.has(known) ? `${known}, line ${line}` : known;
    const reference = { name, line, reference: text };
    line += text.match(/\n/g)?.length ?? 0;
    at = end;
    names.add(name);
    return reference;
  });
}

/** The start of a reference up to its year, by which readers know it: "Berg, A., & Dahl, B. (2020)". */
export function startOfReference(text: string): string {
  const line = text.slice(0, LABEL_CHARACTERS_MAX).replace(/\s+/g, ' ');
  const [dated] = /^.*?(?:1[6-9]|20)\d\d[a-z]?\)?/.exec(line) ?? [];
  return dated ?? (text.length > LABEL_CHARACTERS_MAX ? `${line}…` : line);
}

/** Empties footnotes, with the indented lines that continue them. Returns them. */
function takeFootnotes(lines: string[]): PrintedReference[] {
  const notes: PrintedReference[] = [];
  let open: PrintedReference | undefined;
  for (const [at, line] of lines.entries()) {
    const [, label, text = ''] = FOOTNOTE.exec(line) ?? [];
    if (label !== undefined) {
      open = { name: `^${label}`, line: at + 1, reference: text };
      notes.push(open);
    } else if (open !== undefined && /^(?: {2,}|\t)\S/.test(line)) {
      open.reference += ` ${line.trim()}`;
    } else {
      open = undefined;
      continue;
    }
    lines[at] = '';
  }
  return notes;
}

function isReference({ reference }: PrintedReference): boolean {
  const words = reference.match(/\p{L}{2,}/gu)?.length ?? 0;
  const parts = reference.match(/[.,:]["”’]?\s/g)?.length ?? 0;
  return words >= WORDS_MIN && parts > 1 && /\b(?:1[6-9]|20)\d\d\b/.test(reference);
}

/** Empties lines. Returns what stood there. */
function take(lines: string[], start: number, end: number): string[] {
  return lines.splice(start, end - start, ...Array(Math.max(0, end - start)).fill(''));
}

function markBlocks(lines: readonly string[]): string {
  return lines.map((line) => line.replace(/^ {0,3}>[> ]{0,9}/, BLOCK)).join('\n');
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Returns the keys of a citation, from its groups and the text before it; none if it is none. */
type KeysOf = (groups: Groups, before: string) => string[];

function citedKeys(list: readonly PrintedReference[], notes: readonly PrintedReference[]): KeysOf {
  const names = new Set(list.map(({ name }) => name));
  const authors = indexByAuthorAndYear(
    list.map(({ name, reference }) => ({ key: name, text: reference })),
  );
  const footnotes = new Map<string, string[]>();
  const keysOf: KeysOf = ({ keyed, named, note, numbers: listed, raised, bracketed }, before) => {
    const text = keyed ?? named;
    if (text !== undefined) return keysOfPandoc(text);
    if (bracketed !== undefined) return authors.keysIn(bracketed, before);
    const cited = listed ?? raised;
    if (cited !== undefined) {
      const numbers = numbersIn(cited);
      // [0, 1] is an interval.
      return numbers.every((number) => names.has(number)) ? numbers : [];
    }
    return footnotes.get(`^${note}`) ?? [];
  };
  for (const { name, reference } of notes) {
    // A footnote stands for the papers that it cites, or else for itself.
    const others = citationsIn(markCitations(reference, keysOf)).flatMap(({ keys }) => keys);
    footnotes.set(name, others.length > 0 || list.length > 0 ? others : [name]);
  }
  return keysOf;
}

function keysOfPandoc(text: string): string[] {
  return [...text.matchAll(KEYS)].map(([key]) => key.replace(/^@\{?|\}$/g, ''));
}

/** "2, 5-7" as 2, 5, 6, and 7. */
function numbersIn(text: string): string[] {
  return text.split(/[,;]/).flatMap((part) => {
    const [first = 0, last = first] = part.split(/[–-]/).map(Number);
    const length = last - first + 1;
    if (length < 1 || length > RANGE_MAX) return [];
    return Array.from({ length }, (_, at) => String(first + at));
  });
}

/** Puts marks in place of citations. */
function markCitations(text: string, keysOf: KeysOf): string {
  const parts: string[] = [];
  let at = 0;
  for (const match of text.matchAll(CITATION)) {
    const { 0: written, index, groups = {} } = match;
    const keys = keysOf(groups, text.slice(Math.max(0, index - BEFORE_MAX), index));
    if (keys.length === 0) continue;
    parts.push(text.slice(at, index), citationMark(keys, written));
    at = index + written.length;
  }
  return parts.join('') + text.slice(at);
}
