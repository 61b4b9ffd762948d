/** Finds the quotes of a marked text, and what each of them cites. Pure. */
import { splitSentences } from '../../text/split-sentences.ts';
import type { SentenceSpan } from '../../types.ts';
import { BLOCK, type CitationMark, citationsIn, withoutMarks } from './marks.ts';

/** A quote of a manuscript. */
export interface FoundQuote {
  quote: string;
  /** Its line in the text, from 1. */
  line: number;
  /** The keys of the references that may be meant; none if it has no citation. */
  cites: string[];
}

/** Fewer words in quotation marks are a term or a name. */
const WORDS_MIN = 4;
/** A longer quote has lost its closing mark. The limit is that of a request. */
const CHARACTERS_MAX = 4_000;
/** Longer paragraphs are read in parts, and of a longer line the start: within it, each quote looks at each citation. */
const PARAGRAPH_CHARACTERS_MAX = 10_000;
/** References that a quote is compared with. */
const CITES_MAX = 10;

/** No alternative reads beyond the next mark of its own kind, so each takes linear time. */
const QUOTED = new RegExp(
  [
    ...['“([^“”]+)”', '„([^„“”]+)[“”]', '«([^«»]+)»', '»([^«»]+)«'],
    // Not in 5" or between words.
    '(?<![\\p{L}\\p{N}"])"(?=\\S)([^"“”]+)"(?![\\p{L}\\p{N}])',
    '‘((?:[^‘’]|(?<=\\p{L})’(?=\\p{L}))+)’',
  ].join('|'),
  'gu',
);
/** The text that may stand between a quote and its citation, such as the start of a footnote. */
const JOINED = /^[\s\p{P}]*(?:\\footnote\{[^“”{}]{0,100})?$/u;
const BETWEEN_CHARACTERS_MAX = 120;
const ATTACHED = /^\p{P}*$/u;
/** The attribution line below a block quote. */
const ATTRIBUTION = /^\s*(?:[—–]|---?)/;

/** Lines without a blank one between them, of a block quote or of other text. */
interface Paragraph {
  text: string;
  line: number;
  isBlock: boolean;
}

/** The quotes in order. */
export function findQuotes(text: string): FoundQuote[] {
  const quotes: FoundQuote[] = [];
  /** What the sentence before a block quote cites. */
  let introduced: string[] = [];
  for (const paragraph of paragraphsOf(text)) {
    const citations = citationsIn(paragraph.text);
    if (paragraph.isBlock) {
      const own = citations.flatMap(({ keys }) => keys);
      add(quotes, paragraph, blockTextOf(paragraph.text), own.length > 0 ? own : introduced);
      continue;
    }
    const spans = quotedIn(paragraph.text);
    const sentences = splitSentences(maskOf(paragraph.text, spans, citations));
    for (const span of spans) {
      const line = paragraph.line + count(paragraph.text, '\n', span.start);
      const cites = citesOf(span, { text: paragraph.text, citations, sentences });
      add(quotes, { line }, paragraph.text.slice(span.start + 1, span.end - 1), cites);
    }
    const from = sentences.at(-1)?.start ?? 0;
    introduced = citations.filter(({ start }) => start >= from).flatMap(({ keys }) => keys);
  }
  return quotes;
}

function add(
  quotes: FoundQuote[],
  { line }: Pick<Paragraph, 'line'>,
  text: string,
  cites: readonly string[],
): void {
  // "[e]elgrass" stands for "Eelgrass".
  const quote = withoutMarks(text).replace(/^\[(\p{L})\]/u, '$1');
  const words = quote.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  if (words < WORDS_MIN || quote.length > CHARACTERS_MAX) return;
  quotes.push({ quote, line, cites: [...new Set(cites)].slice(0, CITES_MAX) });
}

function paragraphsOf(text: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let isOpen = false;
  for (const [at, whole] of text.split('\n').entries()) {
    const isBlock = whole.startsWith(BLOCK);
    if (whole.replace(BLOCK, '').trim() === '') isOpen = false;
    else {
      const line = whole.slice(0, PARAGRAPH_CHARACTERS_MAX);
      const last = paragraphs.at(-1);
      const isShort = (last?.text.length ?? 0) + line.length <= PARAGRAPH_CHARACTERS_MAX;
      if (isOpen && isShort && last?.isBlock === isBlock) last.text += `\n${line}`;
      else paragraphs.push({ text: line, line: at + 1, isBlock });
      isOpen = true;
    }
  }
  return paragraphs;
}

function blockTextOf(text: string): string {
  const lines = text.split('\n').map((line) => line.slice(BLOCK.length));
  const last = lines.at(-1);
  return (last !== undefined && ATTRIBUTION.test(last) ? lines.slice(0, -1) : lines).join('\n');
}

function quotedIn(text: string): SentenceSpan[] {
  const spans = [...text.matchAll(QUOTED)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
  return spans.filter(({ start, end }) => end - start > WORDS_MIN);
}

/** The text for the splitter of sentences, to which a quote is one word and a citation a blank. */
function maskOf(
  text: string,
  quotes: readonly SentenceSpan[],
  citations: readonly SentenceSpan[],
): string {
  const parts: string[] = [];
  let at = 0;
  const all = [
    ...quotes.map((span) => ({ ...span, isQuote: true })),
    ...citations.map((span) => ({ ...span, isQuote: false })),
  ].sort((a, b) => a.start - b.start);
  for (const { start, end, isQuote } of all) {
    // A citation within a quote.
    if (start < at) continue;
    // The first and the last letter say whether a sentence ends before the quote, or with it.
    const masked = isQuote
      ? text.slice(start, start + 2) + 'x'.repeat(end - start - 4) + text.slice(end - 2, end)
      : ' '.repeat(end - start);
    parts.push(text.slice(at, start), masked);
    at = end;
  }
  return parts.join('') + text.slice(at);
}

interface Context {
  text: string;
  citations: readonly CitationMark[];
  sentences: readonly SentenceSpan[];
}

/**
 * What a quote cites: what stands in it or right after it, or else everything that its sentence cites,
 * which may be before it, after it, or after the period.
 */
function citesOf(quote: SentenceSpan, { text, citations, sentences }: Context): string[] {
  const inside = citations.filter(({ start }) => start > quote.start && start < quote.end);
  const direct = [...inside, ...runAfter(quote.end, text, citations)];
  if (direct.length > 0) return direct.flatMap(({ keys }) => keys);
  const at = sentences.findIndex(({ end }) => end >= quote.end);
  const [before = 0, end = text.length] = [sentences[at - 1]?.end, sentences[at]?.end];
  // A mark right after the period of the sentence before belongs to that: "grew.[1] Next".
  const ended = at <= 0 ? [] : runAfter(before, text, citations, ATTACHED);
  const from = ended.at(-1)?.end ?? before;
  const own = citations.filter(({ start }) => start >= from && start < end);
  return [...own, ...runAfter(end, text, citations)].flatMap(({ keys }) => keys);
}

/** The citations that follow a place with nothing but punctuation between them. */
function runAfter(
  place: number,
  text: string,
  citations: readonly CitationMark[],
  between = JOINED,
): CitationMark[] {
  const run: CitationMark[] = [];
  let end = place;
  for (const citation of citations) {
    if (citation.start < end) continue;
    if (
      citation.start - end > BETWEEN_CHARACTERS_MAX ||
      !between.test(text.slice(end, citation.start))
    )
      break;
    run.push(citation);
    end = citation.end;
  }
  return run;
}

function count(text: string, character: string, end: number): number {
  let found = 0;
  for (let at = text.indexOf(character); at !== -1 && at < end; found++) {
    at = text.indexOf(character, at + 1);
  }
  return found;
}
