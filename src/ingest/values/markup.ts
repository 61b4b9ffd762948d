/**
 * Converts the markup in titles and abstracts to the text that a reader sees: JATS and MathML (with
 * or without prefix), HTML, and the tags of PubMed and the ACL Anthology. Pure.
 *
 * Every word is kept. A tag must have a known name or a prefix: "p <0.05", "a<b", and "<unk>" stay
 * text.
 */
import { decodeHTMLStrict } from 'entities';
import { isAbstractHeading } from '../../text/abstract-heading.ts';
import { BLOCK_NAMES, INLINE_NAMES } from '../../text/markup-names.ts';

const BLOCKS: ReadonlySet<string> = new Set(BLOCK_NAMES);
const INLINE: ReadonlySet<string> = new Set(INLINE_NAMES);

/**
 * A comment, a CDATA section, or a tag whose attributes have values. A match never extends past the
 * start of the next one, so the scan takes linear time.
 */
const TAG = new RegExp(
  [
    '<!--(?:(?!<!--)[^]){0,10000}?-->',
    '<!\\[CDATA\\[(?<data>(?:(?!<!\\[CDATA)[^]){0,100000}?)\\]\\]>',
    '<(?<slash>/?)(?<prefix>[a-z]{1,10}:)?(?<name>[a-z][\\w-]{0,40})' +
      '(?:\\s+[\\w:.-]+\\s*=\\s*(?:"[^"<>]*"|\'[^\'<>]*\'))*\\s*(?<empty>/?)>',
  ].join('|'),
  'gi',
);

const LINE_BREAK = /<br\s*\/?>/i;

/** Rounds of unescaping: some texts went through three systems, each of which escaped them. */
const UNESCAPED_MAX = 3;

const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|\w{1,31});/i;

/** Maximum nesting. Deeper elements are read as if they were flat. */
const DEPTH_MAX = 100;

/** A title or another single line, without markup, with white space collapsed. */
export function markupToLine(markup: string): string {
  return paragraphsOf(markup).join(' ');
}

/**
 * An abstract, with blank lines between paragraphs, which end sentences. A section heading becomes a
 * paragraph that ends with a colon, so it is neither a sentence nor part of one: see
 * `splitSentences`. A heading that only says "Abstract" is dropped.
 */
export function markupToAbstract(markup: string): string {
  return paragraphsOf(markup).join('\n\n');
}

/**
 * Removes markup from a text of a format that should have none. Only closed elements and line breaks
 * count as markup. A text without any keeps its white space.
 */
export function withoutMarkup(text: string): string {
  if (!/[<&]/.test(text)) return text;
  const markup = unescaped(text);
  if (!hasTag(markup) && !LINE_BREAK.test(markup)) return decodeText(markup);
  return markup
    .split(/\n\s*\n/)
    .map(markupToAbstract)
    .join('\n\n');
}

/** State of reading a text. */
interface MarkupState {
  paragraphs: string[];
  /** The current paragraph or heading. */
  line: string;
  /** Headings that wait for a paragraph. */
  labels: string[];
  /** The open elements, outermost first. */
  open: OpenElement[];
}

interface OpenElement {
  name: string;
  /** The number of its children so far. */
  children: number;
  /** The TeX in it, which counts if it has no MathML. */
  tex: string;
  hasMath: boolean;
}

/** Elements that may have one formula both as MathML and as TeX. */
const FORMULAS: ReadonlySet<string> = new Set(['alternatives', 'inline-formula', 'disp-formula']);

/** Around the formula where a publisher gives a whole document of TeX. */
const [TEX_START, TEX_END] = ['\\begin{document}', '\\end{document}'];

function paragraphsOf(input: string): string[] {
  const markup = unescaped(input);
  const reading: MarkupState = { paragraphs: [], line: '', labels: [], open: [] };
  let from = 0;
  for (const match of markup.matchAll(TAG)) {
    const { data, slash = '', prefix, name, empty = '' } = match.groups ?? {};
    const tag = name?.toLowerCase();
    if (tag !== undefined && prefix === undefined && !isKnown(tag)) continue;
    addText(reading, decodeText(markup.slice(from, match.index)));
    from = match.index + match[0].length;
    if (data !== undefined) addText(reading, data);
    if (tag === undefined) continue;
    if (slash === '') openElement(reading, tag);
    if (slash !== '' || empty !== '') closeElement(reading, tag);
  }
  addText(reading, decodeText(markup.slice(from)));
  closeFrom(reading, 0);
  endParagraph(reading);
  return [...reading.paragraphs, ...reading.labels];
}

function openElement(reading: MarkupState, name: string): void {
  const parent = reading.open.at(-1);
  // A fraction reads "1/2", not "12".
  if (parent?.name === 'mfrac' && parent.children++ === 1) reading.line += '/';
  if (BLOCKS.has(name)) endParagraph(reading);
  if (name === 'math' && parent !== undefined) parent.hasMath = true;
  if (reading.open.length < DEPTH_MAX) {
    reading.open.push({ name, children: 0, tex: '', hasMath: false });
  }
}

function closeElement(reading: MarkupState, name: string): void {
  const index = reading.open.findLastIndex((element) => element.name === name);
  if (index !== -1) closeFrom(reading, index);
  if (BLOCKS.has(name)) endParagraph(reading, name === 'title');
}

/** Closes an element and those in it, and adds the TeX of formulas that have no MathML. */
function closeFrom(reading: MarkupState, index: number): void {
  while (reading.open.length > index) {
    const { name, tex, hasMath } = reading.open.pop() as OpenElement;
    if (tex === '' || hasMath) continue;
    const formula = name === 'tex-math' ? withoutPreamble(tex) : tex;
    const parent = reading.open.at(-1);
    if (parent !== undefined && FORMULAS.has(parent.name)) parent.tex += formula;
    else reading.line += formula;
  }
}

function withoutPreamble(tex: string): string {
  const start = tex.indexOf(TEX_START);
  const end = tex.indexOf(TEX_END, start);
  return start === -1 || end === -1 ? tex : tex.slice(start + TEX_START.length, end);
}

function addText(reading: MarkupState, text: string): void {
  const isOpen = (name: string): boolean => reading.open.some((element) => element.name === name);
  // Formulas come twice, as MathML and as TeX. The TeX is for machines.
  if (isOpen('annotation') || isOpen('annotation-xml')) return;
  const tex = reading.open.findLastIndex((element) => element.name === 'tex-math');
  if (tex !== -1) {
    (reading.open[tex] as OpenElement).tex += text;
    return;
  }
  // White space in MathML is only formatting.
  reading.line += isOpen('math') ? text.replace(/\s+/g, '') : text;
}

function endParagraph(reading: MarkupState, isHeading = false): void {
  const line = reading.line.replace(/\s+/g, ' ').trim();
  reading.line = '';
  if (line === '' || (isHeading && isAbstractHeading(line))) return;
  if (isHeading) {
    reading.labels.push(line);
    return;
  }
  const labels = reading.labels.splice(0).map((label) => `${label.replace(/\s*[.:]$/, '')}:`);
  reading.paragraphs.push(...labels, line);
}

/** Markup that was escaped as a whole: `&lt;jats:p&gt;It rose.&lt;/jats:p&gt;`. */
function unescaped(markup: string): string {
  if (!/&(?:amp;){0,2}lt;/.test(markup) || hasTag(markup)) return markup;
  let text = markup;
  for (let times = 0; times < UNESCAPED_MAX; times++) {
    text = decodeHTMLStrict(text);
    if (hasTag(text)) return text;
  }
  return markup;
}

/** Whether there is a closed element, not only something like the "<i>" of "a<i>b". */
function hasTag(text: string): boolean {
  const opened = new Set<string>();
  for (const { groups } of text.matchAll(TAG)) {
    const name = `${groups?.['prefix'] ?? ''}${groups?.['name'] ?? ''}`.toLowerCase();
    if (groups?.['name'] === undefined || !isKnown(groups['name'].toLowerCase())) continue;
    if (groups['slash'] === '') opened.add(name);
    else if (opened.has(name)) return true;
  }
  return false;
}

/** Decodes text between tags. Its entities and tags may have been escaped again. */
function decodeText(text: string): string {
  if (!ENTITY.test(text)) return text;
  let decoded = text;
  for (let times = 0; times < UNESCAPED_MAX && ENTITY.test(decoded); times++) {
    decoded = decodeHTMLStrict(decoded);
  }
  if (!hasTag(decoded)) return decoded;
  return decoded.replace(TAG, (tag, ...rest) => {
    const { prefix, name = '' } = rest.at(-1) as Partial<Record<string, string>>;
    const known = name.toLowerCase();
    if (prefix === undefined && !isKnown(known)) return tag;
    return BLOCKS.has(known) ? ' ' : '';
  });
}

function isKnown(name: string): boolean {
  return BLOCKS.has(name) || INLINE.has(name);
}
