/** Reads TeX: citations, quotes, and the list of references. Pure, once `loadTex` was awaited. */
import { texToText } from '../../ingest/values/tex.ts';
import type { NamedReference } from '../references/read-file.ts';
import type { ManuscriptPart } from './manuscript.ts';
import { BLOCK, citationMark, citationsIn, lineFeedsOf } from './marks.ts';

/** Environments whose text is no text of the manuscript. */
const SKIPPED = /\\begin\{(verbatim|lstlisting|minted|comment|filecontents)(\*?)\}/;
const BLOCK_START = /\\begin\{(?:quote|quotation|displayquote|displaycquote)\}/;
const BLOCK_END = /\\end\{(?:quote|quotation|displayquote|displaycquote)\}/;
const LIST_START = '\\begin{thebibliography}';
const LIST_END = '\\end{thebibliography}';
/** Brackets may stand in the label. */
const BIBITEM =
  /\\bibitem\s*(?:\[(?:(?!\\bibitem)[^[\]]|\[[^[\]]{0,200}\])*\]\s*)?\{([^{}]{1,500})\}/g;
/** What BibTeX styles write around the fields: those of ACM, IEEE, AAS, and REVTeX. */
const STYLED =
  /\\(?:BIBforeignlanguage|bibinfo|bibfield|BibitemShut|href@noop)\s*\{[^{}]{0,40}\}|\\(?:newblock|BIB[a-zA-Z]+|BibitemOpen|bibf?namefont|dodoi|doarXiv|doeprint|doibase|Eprint|show[a-zA-Z]+|urldef|tempurl|natexlab|bf|it|em|sc|rm|tt|sl)(?![a-zA-Z])/g;
/** The families of natbib and biblatex: `\citep[see][p. 3]{a,b}`, `\footcite*{a}`. */
const CITE =
  /\\(?!nocite)[a-zA-Z]*cite[a-zA-Z]*\*?\s*(?:\[[^\]]{0,300}\]\s*){0,2}\{([^{}]{1,2000})\}/g;
const NOCITE = /\\nocite\s*\{([^{}]{1,2000})\}/g;
/** Commands whose last argument is a quote. Those with a `c` have the keys before it. */
const ENQUOTE = /\\(enquote|textquote|blockquote|textcquote|blockcquote)\*?/g;
const BIBLIOGRAPHY =
  /\\(?:bibliography|addbibresource(?:\[[^\]]{0,300}\])?)\s*\{([^{}]{1,2000})\}/g;
const INCLUDED = /\\(?:input|include|subfile)\s*\{([^{}]{1,500})\}/g;

/** In English, and in German by the shorthands of babel. */
const QUOTATION_MARKS = [
  ['"`', '„'],
  [`"'`, '“'],
  ['``', '“'],
  ["''", '”'],
] as const;

/** The key that `\nocite{*}` cites. */
export const EVERYTHING = '*';

/** Reads a TeX file that `prepareText` prepared. */
export function readTex(source: string): ManuscriptPart {
  const plain = withoutComments(source);
  const start = plain.indexOf(LIST_START);
  const end = start === -1 ? -1 : plain.indexOf(LIST_END, start);
  const list = start === -1 ? '' : plain.slice(start, end === -1 ? undefined : end);
  const body = plain.replace(list, lineFeedsOf);
  const valuesOf = (pattern: RegExp): string[] =>
    [...body.matchAll(pattern)].flatMap(([, value = '']) => keysIn(value));
  const text = QUOTATION_MARKS.reduce(
    (marked, [tex, mark]) => marked.replaceAll(tex, mark),
    markBlocks(markEnquotes(markCitations(body))),
  );
  const cited = citationsIn(text).flatMap(({ keys }) => keys);
  return {
    text,
    references: bibitemsOf(list, 1 + (plain.slice(0, start).match(/\n/g)?.length ?? 0)),
    bibliographies: valuesOf(BIBLIOGRAPHY),
    included: valuesOf(INCLUDED),
    cited: new Set([...cited, ...valuesOf(NOCITE)]),
  };
}

/** Returns what a reader sees of a quote in TeX. Commands that are not known are left out. */
export function readTexQuote(quote: string): string {
  return texToText(quote.replace(/\\enquote\*?\{([^{}]*)\}/g, '‘$1’'))
    .replace(/\\[a-zA-Z]+\*?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function keysIn(list: string): string[] {
  return list
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
}

/** The text without comments and without environments such as `verbatim`, line by line. */
function withoutComments(source: string): string {
  let skippedTo: string | undefined;
  return source
    .split('\n')
    .map((line) => {
      const [, name, star = ''] = SKIPPED.exec(line) ?? [];
      skippedTo ??= name === undefined ? undefined : `\\end{${name}${star}}`;
      if (skippedTo === undefined) return line.replace(/(?<!\\)((?:\\\\)*)%.*/, '$1');
      if (line.includes(skippedTo)) skippedTo = undefined;
      return '';
    })
    .join('\n');
}

function markCitations(text: string): string {
  return text
    .replace(
      /\\begin\{displaycquote\}\s*(?:\[[^\]]{0,300}\]\s*){0,2}\{([^{}]{1,500})\}/g,
      (whole, keys: string) => `\\begin{quote}${citationMark(keysIn(keys), whole)}`,
    )
    .replace(CITE, (whole, keys: string) => citationMark(keysIn(keys), whole));
}

/** Puts quotation marks around the arguments of csquotes' commands. */
function markEnquotes(text: string): string {
  const closers = closingBraces(text);
  const parts: string[] = [];
  let at = 0;
  for (const match of text.matchAll(ENQUOTE)) {
    if (match.index < at) continue;
    const options = optionsAfter(text, match.index + match[0].length);
    let [cites, open] = [marksOf(options.text), options.end];
    if (match[1]?.includes('cquote')) {
      const end = closers.get(open);
      if (end === undefined) continue;
      cites = citationMark(keysIn(text.slice(open + 1, end)), '');
      open = optionsAfter(text, end + 1).end;
    }
    const close = closers.get(open);
    if (close === undefined) continue;
    parts.push(text.slice(at, match.index), '“', text.slice(open + 1, close), '”', cites);
    at = close + 1;
  }
  return parts.join('') + text.slice(at);
}

/** The optional arguments at a place. */
function optionsAfter(text: string, start: number): { text: string; end: number } {
  const options = /(?:\[[^\]]{0,300}\]){0,2}/y;
  options.lastIndex = start;
  const [found = ''] = options.exec(text) ?? [];
  return { text: found, end: start + found.length };
}

/** The citations of a text alone: those of `\textquote[\cite{berg}]`. */
function marksOf(text: string): string {
  return citationsIn(text)
    .map(({ keys }) => citationMark(keys, ''))
    .join('');
}

/** The position of the closing brace of each opening one. */
function closingBraces(text: string): Map<number, number> {
  const closers = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: brace, index } of text.matchAll(/\\[\s\S]|[{}]/g)) {
    if (brace === '{') open.push(index);
    const start = brace === '}' ? open.pop() : undefined;
    if (start !== undefined) closers.set(start, index);
  }
  return closers;
}

function markBlocks(text: string): string {
  let isInside = false;
  return text
    .split('\n')
    .map((line) => {
      const isBlock = isInside || BLOCK_START.test(line);
      isInside = isBlock && !BLOCK_END.test(line);
      if (!isBlock) return line;
      return BLOCK + line.replace(BLOCK_START, '').replace(BLOCK_END, '');
    })
    .join('\n');
}

function bibitemsOf(list: string, firstLine: number): NamedReference[] {
  const items = [...list.matchAll(BIBITEM)];
  let [line, at] = [firstLine, 0];
  return items.map(({ 0: { length }, 1: key = '', index }, number) => {
    line += list.slice(at, index).match(/\n/g)?.length ?? 0;
    at = index;
    const tex = list.slice(index + length, items[number + 1]?.index).replace(STYLED, '');
    return { name: key.trim(), line, reference: textOfItem(tex) };
  });
}

/** Of commands that are not known, such as \apj for a journal, the name is left. */
function textOfItem(tex: string): string {
  return texToText(tex.replace(/\\\s/g, ' '))
    .replace(/\\([a-zA-Z]+)/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[,.;:)])|(?<=\() /g, '')
    .trim();
}
