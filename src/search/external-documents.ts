/**
 * Merges documents from the fallback lanes into the candidates of the index. They get the same
 * features, from the index's term statistics and with the same quantization, so that all candidates
 * are ranked together.
 */

import { distinctNotices } from '../identity/notices.ts';
import {
  cosinesOf,
  encodeEmbeddings,
  ownVectorOf,
  type QuantizedUnit,
} from '../index/dense/embeddings.ts';
import { encodeTermVector } from '../index/lexical/term-vectors.ts';
import type { LaneName } from '../settings/lane-choice.ts';
import type {
  DocumentNumber,
  Embedding,
  Identifiers,
  Notice,
  SentenceSpan,
  SourceDocument,
} from '../types.ts';
import { type DotProducts, dotProductsOf } from '../vectors/dot-products.ts';
import { type Candidate, scoreTerms } from './candidates.ts';
import type { CitableDocument, CitableReader, PaperFacts } from './citable-document.ts';
import type { Ranked } from './ranked.ts';
import { groupSamePapers, type IdentifiedDocument, identityOf } from './same-paper.ts';
import type { WeightedQuery } from './weight-query.ts';

/** A paper from a lane. Its `abstract` holds all text that may be quoted. */
export interface QuotableSource extends SourceDocument {
  lane: LaneName;
  identifiers: Identifiers;
  /** What journals announced about the paper, such as a concern. */
  notices?: readonly Notice[];
  /** The abstract without other quotable text. */
  ownAbstract: string;
}

/** A paper from a lane with its sentences and vectors. */
export interface ExternalDocument {
  source: QuotableSource;
  spans: SentenceSpan[];
  own: Embedding;
  /** The vectors of the title and the sentences: see embeddings.ts. */
  units: readonly QuantizedUnit[];
}

/** A document of a lane with the documents of the index that share an identifier with it. */
export interface AdmittedDocument {
  external: ExternalDocument;
  known: readonly DocumentNumber[];
}

/**
 * Leaves out the lanes' copies of documents of the index that are excluded from results. `known` has the
 * documents of the index that share an identifier with each.
 */
export function admitExternal(
  all: readonly ExternalDocument[],
  known: readonly (readonly DocumentNumber[])[],
  withheld: ReadonlyMap<DocumentNumber, unknown>,
): AdmittedDocument[] {
  return all
    .map((external, at) => ({ external, known: known[at] ?? [] }))
    .filter(({ known: own }) => !own.some((document) => withheld.has(document)));
}

export interface MergeDeps {
  query: WeightedQuery;
  vector: Embedding;
  answer?: Embedding | undefined;
  /** The candidates of the index, and their documents in the same order. */
  local: readonly Candidate[];
  documents: readonly CitableDocument[];
}

/** The candidates of the index and of the lanes, without the lanes' duplicates. */
export function mergeExternal(
  admitted: readonly AdmittedDocument[],
  { query, vector, answer, local, documents }: MergeDeps,
): Candidate[] {
  const duplicates = duplicatesOf(
    local,
    admitted.map(({ known }) => known),
  );
  const products = { vector: dotProductsOf(vector), answer: answer && dotProductsOf(answer) };
  const candidates = admitted.map(({ external }, at) =>
    toCandidate(external, numberOf(at), query, products),
  );
  const papers = [...documents, ...admitted.map(({ external }) => citedExternal(external))];
  return withoutDuplicates([...local, ...candidates], papers, duplicates);
}

/** Reads documents of the index and, by the numbers of their candidates, those of the lanes. */
export function withExternal(
  reader: CitableReader,
  admitted: readonly AdmittedDocument[],
): CitableReader {
  const externalOf = (document: DocumentNumber): ExternalDocument =>
    (admitted[-1 - document] as AdmittedDocument).external;
  /** Takes the documents of the lanes from memory, and reads all others together. */
  const readAll = async <Value>(
    numbers: readonly DocumentNumber[],
    read: (numbers: readonly DocumentNumber[]) => Promise<Value[]>,
    toValue: (external: ExternalDocument) => Value,
  ): Promise<Value[]> => {
    const stored = await read(numbers.filter((number) => !isExternal(number)));
    let next = 0;
    return numbers.map((number) =>
      isExternal(number) ? toValue(externalOf(number)) : (stored[next++] as Value),
    );
  };
  return {
    read: (numbers) => readAll(numbers, reader.read, citedExternal),
    factsOf: (numbers) => readAll(numbers, reader.factsOf, factsOfExternal),
  };
}

/**
 * The ranking up to its last external document, or all of it if it has none. The lanes were asked
 * because the index has nothing close, so its documents stay only where they score higher than one
 * of the lanes'.
 */
export function cutAfterLastExternal<One extends Pick<Ranked, 'document'>>(
  ranked: readonly One[],
): readonly One[] {
  const last = ranked.findLastIndex(({ document }) => isExternal(document));
  return last === -1 ? ranked : ranked.slice(0, last + 1);
}

/** External documents count down from -1. Documents of the index have positive numbers. */
function numberOf(at: number): DocumentNumber {
  return -1 - at;
}

function isExternal(document: DocumentNumber): boolean {
  return document < 0;
}

function citedExternal({ source, spans }: ExternalDocument): CitableDocument & QuotableSource {
  return { ...source, spans };
}

/** Lanes tell no details. They leave out what is retracted, but not what raised concern. */
function factsOfExternal({ source }: ExternalDocument): PaperFacts {
  const { identifiers, notices = [] } = source;
  return { identifiers, details: {}, notices: distinctNotices(notices) };
}

function toCandidate(
  { source, spans, own, units }: ExternalDocument,
  document: DocumentNumber,
  query: WeightedQuery,
  products: { vector: DotProducts; answer: DotProducts | undefined },
): Candidate {
  const dimensions = own.length;
  const vectors = encodeEmbeddings(own, units);
  return {
    document,
    cosines: cosinesOf(products.vector, vectors, dimensions),
    ...(products.answer && {
      answerCosines: cosinesOf(products.answer, vectors, dimensions),
    }),
    ...scoreTerms(encodeTermVector(source.title, source.abstract, spans), query),
    own: ownVectorOf(vectors, dimensions),
  };
}

/**
 * Pairs of positions, of a local candidate and of an external document with one of its identifiers.
 * The index may know more identifiers of a document than its id. `known` has, for each external
 * document, the documents of the index that share an identifier with it.
 */
function duplicatesOf(
  local: readonly Candidate[],
  known: readonly (readonly DocumentNumber[])[],
): [number, number][] {
  const positions = new Map(local.map(({ document }, at) => [document, at]));
  return known.flatMap((documents, at) =>
    documents
      .flatMap((document) => positions.get(document) ?? [])
      .map((position): [number, number] => [position, local.length + at]),
  );
}

/**
 * Keeps one record of each paper. The index's record precedes the lanes', and an earlier lane
 * document a later one, but a record with an abstract precedes one without. `papers` are the documents
 * of the candidates.
 */
function withoutDuplicates(
  candidates: readonly Candidate[],
  papers: readonly CitableDocument[],
  known: readonly [number, number][],
): Candidate[] {
  const identities = papers.map((paper: IdentifiedDocument) => identityOf(paper));
  const groups = groupSamePapers(identities, known);
  const hasText = papers.map(({ abstract }) => abstract.trim() !== '');
  const kept = new Map<number, number>();
  for (const [at, group] of groups.entries()) {
    const known = kept.get(group);
    // Local candidates come first, so a later record is better only if it adds an abstract.
    if (known === undefined || (hasText[at] && !hasText[known])) kept.set(group, at);
  }
  return candidates.filter(({ document }, at) => {
    const best = kept.get(groups[at] as number) as number;
    if (at === best) return true;
    // Duplicates within the index are handled by deduplicate.ts.
    return !isExternal(document) && !isExternal((candidates[best] as Candidate).document);
  });
}
