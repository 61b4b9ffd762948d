/**
 * What the lanes have found, among the candidates of the local index: scored from the same signals,
 * with the index's statistics and its few bits a component, so that all are ranked together.
 */

import type { LaneName } from '../lane-choice.ts';
import {
  cosinesOf,
  ownVectorOf,
  type PackedUnit,
  packEmbeddings,
} from '../store/index/dense/embeddings.ts';
import type { DocumentReader } from '../store/index/documents/documents.ts';
import { packTerms } from '../store/index/lexical/term-vectors.ts';
import type {
  DocumentNumber,
  Embedding,
  Identifiers,
  SentenceSpan,
  SourceDocument,
} from '../types.ts';
import { type DotProducts, dotProductsOf } from '../vectors/dot-products.ts';
import { type Candidate, scoreTerms } from './candidates.ts';
import type { CitableReader } from './cite.ts';
import type { Ranked } from './ranked.ts';
import { groupSamePapers, type IdentifiedDocument, identityOf } from './same-paper.ts';
import type { WeighedQuery } from './weigh-query.ts';

/** A paper from outside of the index as it is ranked and quoted. */
export interface QuotableSource extends SourceDocument {
  lane: LaneName;
  identifiers: Identifiers;
  /** The abstract alone: what may be quoted can be longer. */
  ownAbstract: string;
}

/** A paper from outside of the index with what it is scored by. */
export interface FoundDocument {
  source: QuotableSource;
  spans: SentenceSpan[];
  own: Embedding;
  /** The title's and the sentences' vectors: see embeddings.ts. */
  units: readonly PackedUnit[];
}

export interface JoinedCandidates {
  candidates: Candidate[];
  /** Reads those of both. */
  documents: CitableReader;
}

interface JoinDeps {
  query: WeighedQuery;
  vector: Embedding;
  local: Candidate[];
  documents: DocumentReader;
  /** Documents of the index that are left out, and so are lanes' copies of them. */
  withheld: ReadonlyMap<DocumentNumber, unknown>;
}

/** The candidates of both, each paper once. */
export function joinFound(all: readonly FoundDocument[], deps: JoinDeps): JoinedCandidates {
  const { local, documents, withheld } = deps;
  const admitted = all
    .map((one) => ({ one, known: documents.knownBy(one.source.identifiers) }))
    .filter(({ known }) => !known.some((document) => withheld.has(document)));
  if (admitted.length === 0) return { candidates: local, documents };
  const found = admitted.map(({ one }) => one);
  const copies = copiesOf(
    local,
    admitted.map(({ known }) => known),
  );
  const products = dotProductsOf(deps.vector);
  const outside = found.map((one, at) => toCandidate(one, numberOf(at), deps.query, products));
  const reader: CitableReader = {
    read: (number) => (isFound(number) ? readFound(found, number) : documents.read(number)),
  };
  return { candidates: withoutCopies([...local, ...outside], reader, copies), documents: reader };
}

/**
 * The ranking up to the last result of a lane: the lanes were asked because the index has nothing
 * close, so of its documents only those stay that are as good as what the lanes found. All of them
 * where no result is a lane's.
 */
export function cutBehindFound(ranked: readonly Ranked[]): readonly Ranked[] {
  const last = ranked.findLastIndex(({ document }) => isFound(document));
  return last === -1 ? ranked : ranked.slice(0, last + 1);
}

/** Found documents count down from -1: those of the index have positive numbers. */
function numberOf(at: number): DocumentNumber {
  return -1 - at;
}

function isFound(document: DocumentNumber): boolean {
  return document < 0;
}

function readFound(
  found: readonly FoundDocument[],
  document: DocumentNumber,
): ReturnType<CitableReader['read']> {
  const { source, spans } = found[-1 - document] as FoundDocument;
  return { ...source, spans };
}

function toCandidate(
  { source, spans, own, units }: FoundDocument,
  document: DocumentNumber,
  query: WeighedQuery,
  products: DotProducts,
): Candidate {
  const dimensions = own.length;
  const packed = packEmbeddings(own, units);
  return {
    document,
    cosines: cosinesOf(products, packed, dimensions),
    ...scoreTerms(packTerms(source.title, source.abstract, spans), query),
    own: ownVectorOf(packed, dimensions),
  };
}

/**
 * The positions of local candidates and of what was found that is a copy of them by any identifier
 * that the index has of them: their ids are one of several. `known`: of each that was found the
 * documents of the index that it is.
 */
function copiesOf(
  local: readonly Candidate[],
  known: readonly (readonly DocumentNumber[])[],
): [number, number][] {
  const places = new Map(local.map(({ document }, at) => [document, at]));
  return known.flatMap((documents, at) =>
    documents
      .flatMap((document) => places.get(document) ?? [])
      .map((place): [number, number] => [place, local.length + at]),
  );
}

/**
 * Of a paper that both have, the index's copy stays, unless only a lane's has an abstract; of those
 * of lanes the first one with an abstract.
 */
function withoutCopies(
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
    // Local ones come first, so a later one is better only by its abstract.
    if (known === undefined || (hasText[at] && !hasText[known])) kept.set(group, at);
  }
  return candidates.filter(({ document }, at) => {
    const best = kept.get(groups[at] as number) as number;
    if (at === best) return true;
    // Copies within the index are the index's own affair.
    return !isFound(document) && !isFound((candidates[best] as Candidate).document);
  });
}
