/** Reads the references of a pasted text: a bibliography in any format, or prose that cites. */
import { VerbatimError } from '../../errors.ts';
import { readHead } from '../../ingest/read/head.ts';
import type { SentenceSpan } from '../../types.ts';
import { placedIdentifiers } from '../references/printed/identifiers-in-text.ts';
import { type PlacedReference, splitReferences } from '../references/printed/split-references.ts';
import { isReferenceFormat, type NamedReference, readReferences } from '../references/read-file.ts';
import { textSource } from '../references/text-source.ts';
import { readProse, startOfReference } from './read-prose.ts';

/** A reference with its place in the text in UTF-16 code units; JSON has no places. */
export type PastedReference = NamedReference & { place?: SentenceSpan };

/** The start of BibTeX, RIS, or JSON. Elsewhere an entry may stand among other references. */
const FORMATTED = /^(?:[%@]|TY {1,2}-|\{|\[\s*\{)/;
const ENTRY = /^[ \t]*(?=@|TY {1,2}-)/gm;
/** Lines without a blank one between them. */
const PARAGRAPH = /(?:^.*\S.*(?:\n|$))+/gm;
/** A line of a list, which may have a comment on its reference. */
const LISTED = /^[ \t]*(?:[-*+•]|[[(]?\d{1,4}[\]).])\s/m;
/** English words of sentences, which titles seldom have. */
const SENTENCE_WORDS =
  /\b(?:is|are|was|were|be|been|has|have|had|that|this|these|those|which|we|our|they|it|may|but|however|because|although)\b/gi;
const SENTENCE_WORDS_MIN = 3;
/** Words of a paragraph for each of them. */
const WORDS_EACH_MAX = 40;

interface PastedLimits {
  lineBytesMax: number;
  /** Of BibTeX and the like, one more may be returned, which says that there are too many. */
  referencesMax: number;
}

/** Returns references in their order. `text` was prepared by `prepareText`. */
export async function readPasted(text: string, limits: PastedLimits): Promise<PastedReference[]> {
  const entries = await readEntries(text, limits);
  if (entries !== undefined) return entries;
  const { references, cited } = readProse(text);
  if (references.length > 0 && cited.size > 0) return withPlaces(text, references);
  return placedIn(text).map(({ text: reference, ...place }) => {
    return { name: startOfReference(reference), reference, place };
  });
}

/** The entries of BibTeX, RIS, or CSL-JSON; undefined if it is none, or breaks off. */
async function readEntries(
  text: string,
  limits: PastedLimits,
): Promise<PastedReference[] | undefined> {
  const source = textSource(text);
  if (!FORMATTED.test(text.trimStart()) || !isReferenceFormat(await readHead(source)))
    return undefined;
  try {
    return withPlaces(text, await readReferences(source, limits, limits.referencesMax));
  } catch (error) {
    if (error instanceof VerbatimError) return undefined;
    throw error;
  }
}

/** Places each reference where the text has it as written, or else the entry that starts on its line. */
function withPlaces(text: string, references: readonly NamedReference[]): PastedReference[] {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const entries = [...text.matchAll(ENTRY)].map(({ index }) => index);
  return references.map((one) => {
    const { line = 0 } = one;
    const from = starts[line - 1];
    if (from === undefined) return one;
    const written = 'reference' in one ? String(one.reference) : '';
    const within = text.slice(from, (starts[line] ?? text.length) + written.length);
    const at = written === '' ? -1 : within.indexOf(written);
    if (at !== -1) return { ...one, place: { start: from + at, end: from + at + written.length } };
    const next = entries.find((start) => start > from) ?? text.length;
    return { ...one, place: { start: from, end: text.slice(0, next).trimEnd().length } };
  });
}

/** The references of a bibliography, and the identifiers in paragraphs of prose, which are none. */
function placedIn(text: string): PlacedReference[] {
  const found: PlacedReference[] = [];
  const list = text.replace(PARAGRAPH, (paragraph, at: number) => {
    if (!isProse(paragraph)) return paragraph;
    for (const { start, end, ...rest } of placedIdentifiers(paragraph)) {
      found.push({ ...rest, start: at + start, end: at + end });
    }
    return paragraph.replace(/\S/g, ' ');
  });
  return [...found, ...splitReferences(list)].sort((a, b) => a.start - b.start);
}

function isProse(paragraph: string): boolean {
  if (LISTED.test(paragraph)) return false;
  const said = paragraph.match(SENTENCE_WORDS)?.length ?? 0;
  const words = paragraph.match(/\p{L}+/gu)?.length ?? 0;
  return said >= SENTENCE_WORDS_MIN && words <= said * WORDS_EACH_MAX;
}
