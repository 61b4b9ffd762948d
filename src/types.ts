/**
 * The nouns of Verbatim; no functions. Read this first.
 *
 * Offsets into a text are always UTF-16 code units, the end exclusive.
 */

/** What a customer gets as `d`: a DOI in lower case, or the source's own id. */
export type DocumentId = string;

/** The key under which the store keeps a document: SQLite's rowid, never shown to customers. */
export type DocumentNumber = number;

/** A paper's record as a source gave it. The text is kept, and quoted, byte for byte. */
export interface SourceDocument {
  id: DocumentId;
  title: string;
  /** Empty where the source has none. */
  abstract: string;
  /** 0 where it is not known. */
  year: number;
  authors: string[];
  /** Journal or conference; empty where it is not known. */
  venue: string;
}

/** What a paper is known by, each in its one normal form; absent where it is not known. */
export interface Identifiers {
  /** In lower case, without a resolver. */
  doi?: string;
  /** Without `arXiv:` and without a version: `2401.00001`, `hep-ex/0307015`. */
  arxiv?: string;
  pmid?: string;
  /** `PMC` and digits. */
  pmcid?: string;
  /** `2024.acl-long.1`, `P19-1001`. */
  acl?: string;
  /** `W` and digits. */
  openalex?: string;
  /** Semantic Scholar's corpus id, digits. */
  s2?: string;
}

/** A record of a bulk source: a paper as this source knows it. */
export interface SourceRecord extends SourceDocument {
  identifiers: Identifiers;
  /** Why it is left out of results unless the operator says otherwise. */
  withheld?: 'retracted' | 'withdrawn';
  /** When the source says that it last changed, in milliseconds since 1970; 0 where it doesn't. */
  updatedAt: number;
}

/** One sentence of an abstract: the unit that is embedded, scored and quoted. */
export interface SentenceSpan {
  start: number;
  end: number;
}

/** A vector of the model's dimensions and of unit length. */
export type Embedding = Float32Array;

/** A document with a score of one retriever. */
export interface Scored {
  document: DocumentNumber;
  score: number;
}

/** Sorted by falling score, ties by document number. */
export type Ranking = Scored[];

export type Provenance = 'corpus' | 'arxiv' | 'semantic_scholar' | 'web';

/** One result as the service returns it. */
export interface Citation {
  /** DOI or source id. */
  d: string;
  /** Title. */
  t: string;
  /** Year of publication, 0 if unknown. */
  y: number;
  /** The first few authors. */
  a: string[];
  /** Relevance in [0,1], rounded to 3 decimals. */
  s: number;
  /** The cited sentence, word for word. */
  q: string;
  /** The abstract, only where it was asked for. */
  ab?: string;
  src: Provenance;
}

/** A search's answer as the service returns it. */
export interface Answer {
  n: number;
  /** Cosine of the best local semantic match, in [0,1], rounded to 3 decimals. */
  c: number;
  results: Citation[];
}

/** What a search is asked for, after validation. */
export interface SearchRequest {
  query: string;
  limit: number;
  withAbstract: boolean;
  /** The lanes that it may go to, as in lane-choice.ts; absent: all. */
  lanes?: string;
}

/** Names a model beyond doubt: the same name with other weights is another model. */
export interface ModelIdentity {
  name: string;
  dimensions: number;
  /** SHA-256 of all that its vectors depend on: files, pooling, prefixes; in hexadecimal. */
  sha256: string;
}
