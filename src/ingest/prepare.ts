/** Prepares documents: checks them, and splits them into the texts to embed. Pure. */

import type { KeptRecord } from '../identity/kept-record.ts';
import { dequantizeUnit, type QuantizedUnit, quantizeUnit } from '../index/dense/embeddings.ts';
import type { IndexedDocument } from '../index/documents/make-change.ts';
import { documentVector } from '../text/embed/document-vector.ts';
import { sentencesOf } from '../text/quotable.ts';
import { splitSentences } from '../text/split-sentences.ts';
import type { Embedding, SentenceSpan, SourceDocument } from '../types.ts';
import type { SkipReason } from './read/packed-format.ts';

export interface DocumentLimits {
  titleCharactersMax: number;
  abstractCharactersMax: number;
  authorsMax: number;
}

/** SQLite keeps ids in an index. A longer id is a mistake. */
const ID_CHARACTERS_MAX = 512;

export interface DocumentProblem {
  problem: string;
  reason: SkipReason;
}

/** What is wrong with a record; undefined if it is fine. */
export function documentProblem(
  { id, title, abstract, authors, part, withheld, details }: KeptRecord,
  limits: DocumentLimits,
): DocumentProblem | undefined {
  const isNotice = part === 'notice' || (part === 'abstract' && withheld !== undefined);
  const hasText = title.trim() !== '' || abstract.trim() !== '';
  if (!hasText && !isNotice && part !== 'references') {
    return { problem: 'there is neither title nor abstract', reason: 'without_text' };
  }
  if (id === '' && part === 'record') {
    // A personal record without an id would get one from its title.
    const problem = title.trim() === '' ? 'there is neither id nor title' : 'there is no id';
    return { problem, reason: 'without_id' };
  }
  const lengths = [
    { what: 'the id', length: id.length, most: ID_CHARACTERS_MAX },
    { what: 'the title', length: title.length, most: limits.titleCharactersMax },
    { what: 'the abstract', length: abstract.length, most: limits.abstractCharactersMax },
  ];
  const long = lengths.find(({ length, most }) => length > most);
  if (long !== undefined) {
    const { what, length, most } = long;
    const problem = `${what} has ${length} characters, at most ${most} are taken`;
    return { problem, reason: 'too_long' };
  }
  const people = Math.max(authors.length, details?.orcids?.length ?? 0);
  if (people <= limits.authorsMax) return undefined;
  const problem = `there are ${people} authors, at most ${limits.authorsMax} are taken`;
  return { problem, reason: 'too_long' };
}

export interface SplitDocument {
  source: SourceDocument;
  spans: SentenceSpan[];
}

/** A document with its units: the title, if any, then the sentences. */
export interface PreparedDocument extends SplitDocument {
  /** The vectors of the units; undefined for units to embed. */
  units: (QuantizedUnit | undefined)[];
  /** The texts to embed. */
  texts: string[];
}

export interface PrepareOptions {
  /** The sentences of the abstract, if already known. */
  spans?: SentenceSpan[] | undefined;
  /** Known vectors by text. */
  known?: ReadonlyMap<string, QuantizedUnit> | undefined;
}

export function prepareDocument(
  source: SourceDocument,
  { spans = spansOf(source), known = new Map() }: PrepareOptions = {},
): PreparedDocument {
  const sentences = spans.map(({ start, end }) => source.abstract.slice(start, end));
  const all = hasTitle(source) ? [source.title, ...sentences] : sentences;
  const units = all.map((text) => known.get(text));
  return { source, spans, units, texts: all.filter((text) => !known.has(text)) };
}

/** The vectors of a document's title and sentences, by text. */
export function unitsByText({ source, spans, units }: IndexedDocument): Map<string, QuantizedUnit> {
  const sentences = spans.map(({ start, end }) => source.abstract.slice(start, end));
  const first = units.length - sentences.length;
  const byText = new Map(sentences.map((text, at) => [text, units[first + at] as QuantizedUnit]));
  if (hasTitle(source)) byText.set(source.title, units[0] as QuantizedUnit);
  return byText;
}

/** Without a title even boilerplate is embedded, because a document needs a vector. */
function spansOf(source: SourceDocument): SentenceSpan[] {
  const spans = sentencesOf(source.abstract);
  return spans.length > 0 || hasTitle(source) ? spans : splitSentences(source.abstract);
}

/** Combines a prepared document with the vectors of its texts, in their order. */
export function withVectors(
  { source, spans, units }: PreparedDocument,
  vectors: readonly Embedding[],
): IndexedDocument {
  const embedded = vectors.values();
  const next = (): QuantizedUnit => quantizeUnit(embedded.next().value as Embedding);
  return withUnits(
    { source, spans },
    units.map((unit) => unit ?? next()),
  );
}

/**
 * Combines a document with the vectors of its units. The document's own vector is computed from the
 * stored, quantized vectors, so it does not depend on when they were embedded.
 */
export function withUnits(
  { source, spans }: SplitDocument,
  units: readonly QuantizedUnit[],
): IndexedDocument {
  const title = hasTitle(source) ? units[0] : undefined;
  const sentences = units.slice(title === undefined ? 0 : 1);
  const own = documentVector(title && dequantizeUnit(title), sentences.map(dequantizeUnit));
  return { source, spans, own, units: [title ?? quantizeUnit(own), ...sentences] };
}

function hasTitle(source: SourceDocument): boolean {
  return source.title.trim() !== '';
}
