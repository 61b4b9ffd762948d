/**
 * Merges documents from the fallback lanes into the candidates of the index. They get the same
 * features, from the index's term statistics and with the same quantization, so that all candidates
 * are ranked together.
 */

import { distinctNotices } from '../identity/notices.ts';
import type { LaneName } from '../lane-choice.ts';
import {
  cosinesOf,
  encodeEmbeddings,
  ownVectorOf,
  type QuantizedUnit,
} from '../store/index/dense/embeddings.ts';
import type { DocumentReader } from '../store/index/documents/documents.ts';
import { encodeTermVector } from '../store/index/lexical/term-vectors.ts';
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
import type { CitableReader } from './citable-document.ts';
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

export interface MergedCandidates {
  candidates: Candidate[];
  /** Reads documents of the index and of the lanes. */
  documents: CitableReader;
}

interface MergeDeps {
  query: WeightedQuery;
  vector: Embedding;
  local: Candidate[];
  documents: DocumentReader;
  /** Documents of the index that are excluded from results, and with them the lanes' copies. */
  withheld: ReadonlyMap<DocumentNumber, unknown>;
}

/** The candidates of the index and of the lanes, without the lanes' duplicates. */
export function mergeExternal(all: readonly ExternalDocument[], deps: MergeDeps): MergedCandidates {
  const { local, documents, withheld } = deps;
  const admitted = all
    .map((one) => ({ one, known: documents.knownBy(one.source.identifiers) }))
    .filter(({ known }) => !known.some((document) => withheld.has(document)));
  if (admitted.length === 0) return { candidates: local, documents };
  const external = admitted.map(({ one }) => one);
  const duplicates = duplicatesOf(
    local,
    admitted.map(({ known }) => known),
  );
  const products = dotProductsOf(deps.vector);
  const candidates = external.map((one, at) =>
    toCandidate(one, numberOf(at), deps.query, products),
  );
  const reader: CitableReader = {
    read: (number) =>
      isExternal(number) ? readExternal(external, number) : documents.read(number),
    factsOf: (number) =>
      isExternal(number) ? factsOfExternal(external, number) : documents.factsOf(number),
  };
  return {
    candidates: withoutDuplicates([...local, ...candidates], reader, duplicates),
    documents: reader,
  };
}

/**
 * The ranking up to its last external document, or all of it if it has none. The lanes were asked
 * because the index has nothing close, so its documents stay only where they score higher than one
 * of the lanes'.
 */
export function cutAfterLastExternal(ranked: readonly Ranked[]): readonly Ranked[] {
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

function readExternal(
  external: readonly ExternalDocument[],
  document: DocumentNumber,
): ReturnType<CitableReader['read']> {
  const { source, spans } = sourceOf(external, document);
  return { ...source, spans };
}

/** Lanes tell no details. They leave out what is retracted, but not what raised concern. */
function factsOfExternal(
  external: readonly ExternalDocument[],
  document: DocumentNumber,
): ReturnType<CitableReader['factsOf']> {
  const { identifiers, notices = [] } = sourceOf(external, document).source;
  return { identifiers, details: {}, notices: distinctNotices(notices) };
}

function sourceOf(
  external: readonly ExternalDocument[],
  document: DocumentNumber,
): ExternalDocument {
  return external[-1 - document] as ExternalDocument;
}

function toCandidate(
  { source, spans, own, units }: ExternalDocument,
  document: DocumentNumber,
  query: WeightedQuery,
  products: DotProducts,
): Candidate {
  const dimensions = own.length;
  const vectors = encodeEmbeddings(own, units);
  return {
    document,
    cosines: cosinesOf(products, vectors, dimensions),
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
 * document a later one, but a record with an abstract precedes one without.
 */
function withoutDuplicates(
  candidates: readonly Candidate[],
  reader: CitableReader,
  known: readonly [number, number][],
): Candidate[] {
  const papers = candidates.map(({ document }) => reader.read(document));
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
