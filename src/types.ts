/**
 * The nouns of Verbatim. Read this first.
 *
 * Offsets into a text are UTF-16 code units. The end is exclusive.
 */

/** The `d` of a result: a DOI in lower case, or the source's own id. */
export type DocumentId = string;

/** The key of a document in the store: SQLite's rowid. Customers never see it. */
export type DocumentNumber = number;

/** A paper's record as a source gave it. Its text is stored and quoted byte for byte. */
export interface SourceDocument {
  id: DocumentId;
  title: string;
  /** Empty if the source has none. */
  abstract: string;
  /** 0 if unknown. */
  year: number;
  authors: string[];
  /** Journal or conference. Empty if unknown. */
  venue: string;
}

/** The identifiers of a paper in their normal forms. An unknown identifier is absent. */
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

/** What a journal announced about a paper after its publication. */
export interface Notice {
  kind: 'retraction' | 'withdrawal' | 'expression_of_concern' | 'correction' | 'reinstatement';
  /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`; empty if unknown. */
  date: string;
  /** The DOI of the notice, or its PMID as a document's id; empty if unknown. */
  id: string;
}

/**
 * A work in the list of references of a paper: its identifiers, or the printed reference where the
 * source gives none.
 */
export interface CitedWork {
  identifiers: Identifiers;
  /** At most 300 characters. Absent if there is an identifier. */
  text?: string;
}

/** Kinds of papers. The index stores their places in this list, so new ones come last. */
export const paperTypes = [
  ...(['article', 'review', 'preprint', 'conference-paper', 'book', 'chapter'] as const),
  ...(['dissertation', 'report', 'dataset', 'editorial', 'letter', 'erratum'] as const),
  ...(['retraction', 'other'] as const),
] as const;

export type PaperType = (typeof paperTypes)[number];

/** Fields of study. The index stores their places in this list, so new ones come last. */
export const fieldsOfStudy = [
  ...(['Agricultural and biological sciences', 'Agricultural and food sciences'] as const),
  ...(['Arts and humanities', 'Biochemistry and genetics', 'Biology', 'Business'] as const),
  ...(['Chemical engineering', 'Chemistry', 'Computer science', 'Decision sciences'] as const),
  ...(['Dentistry', 'Earth science', 'Economics', 'Education', 'Electrical engineering'] as const),
  ...(['Energy', 'Engineering', 'Environmental science', 'Geography'] as const),
  ...(['Health professions', 'History', 'Immunology and microbiology'] as const),
  ...(['Language and literature', 'Law', 'Library science', 'Linguistics'] as const),
  ...(['Materials science', 'Mathematics', 'Media and communications', 'Medicine'] as const),
  ...(['Natural sciences', 'Neuroscience', 'Nursing', 'Pharmacology', 'Philosophy'] as const),
  ...(['Physics', 'Political science', 'Psychology', 'Quantitative biology'] as const),
  ...(['Quantitative finance', 'Religion', 'Social sciences', 'Sociology', 'Statistics'] as const),
  'Veterinary medicine',
] as const;

export type FieldOfStudy = (typeof fieldsOfStudy)[number];

/** What sources say about a paper besides its citation. What is unknown is absent. */
export interface PaperDetails {
  type?: PaperType;
  /** Whether everyone may read the full text free of charge. */
  openAccess?: boolean;
  /** An address where they may. */
  openAccessUrl?: string;
  /** The number of works that cite it. */
  citationCount?: number;
  /** A code of two or three letters, as `languageCode` makes them. */
  language?: string;
  field?: FieldOfStudy;
  /** ORCIDs of authors in their normal form, each once. */
  orcids?: string[];
}

/** A paper as one bulk source describes it. */
export interface SourceRecord extends SourceDocument {
  identifiers: Identifiers;
  /** Why results exclude the paper, unless the operator includes such papers. */
  withheld?: 'retracted' | 'withdrawn';
  /** What a journal announced about the paper, if the record tells it. */
  notice?: Notice;
  /** Absent if the source says nothing of the kind. */
  details?: PaperDetails;
  /** The works that the paper cites, in the order of the source. Absent if the source lists none. */
  references?: readonly CitedWork[];
  /** When the source last changed the record, in milliseconds since 1970, or 0 if unknown. */
  updatedAt: number;
}

/** One sentence of an abstract: the unit that is embedded, scored and quoted. */
export interface SentenceSpan {
  start: number;
  end: number;
}

/** A vector with the model's dimensions and unit length. */
export type Embedding = Float32Array;

/** A document with the score that one retriever gave it. */
export interface Scored {
  document: DocumentNumber;
  score: number;
}

/** Sorted by falling score, ties by document number. */
export type Ranking = Scored[];

export type Provenance = 'corpus' | 'arxiv' | 'semantic_scholar' | 'web';

/**
 * What a lane said about a reference. `answered`: all that it has is in the documents. `no_answer`: it
 * failed, was too late, or its pace held the request back. `not_asked`: it had nothing to be asked.
 * `not_allowed`: the request names it, but somebody else does not allow it.
 */
export type LaneAnswer = 'answered' | 'no_answer' | 'not_asked' | 'not_allowed';

export type LaneAnswers = Partial<Record<Exclude<Provenance, 'corpus'>, LaneAnswer>>;

/** A quoted sentence. */
export interface Quote {
  /** The sentence, word for word. */
  q: string;
  /**
   * Its place in the abstract, in Unicode code points, the end exclusive. Absent if the quote is not
   * from the abstract.
   */
  start?: number;
  end?: number;
}

/** What a request may add to each result, by the names of `include`. */
export type ResultExtra =
  | ('offsets' | 'url' | 'citation' | 'venue' | 'authors' | 'identifiers')
  | ('type' | 'open_access' | 'citation_count' | 'retraction' | 'answers');

/** One result as the service returns it. The fields after `src` are there only if requested. */
export interface Citation {
  /** DOI or source id. */
  d: string;
  /** Title. */
  t: string;
  /** Year of publication, or 0 if unknown. */
  y: number;
  /** The first few authors. */
  a: string[];
  /** Relevance in [0,1], rounded to 3 decimals. */
  s: number;
  /** The cited sentence, word for word. */
  q: string;
  /** The abstract, only if the request asks for it. */
  ab?: string;
  src: Provenance;
  /** The best sentences, the best first. */
  sentences?: Quote[];
  /** The place of `q` in the abstract, as in `Quote`. */
  start?: number;
  end?: number;
  /** The address of the paper. Absent if its id has none. */
  url?: string;
  /** The paper as one line of a list of references. */
  citation?: string;
  /** Journal or conference. Empty if unknown. */
  venue?: string;
  /** All authors. */
  authors?: string[];
  identifiers?: Identifiers;
  /** What follows is absent where no source tells it. */
  type?: PaperType;
  open_access?: boolean;
  /** Where everyone may read the full text. */
  open_access_url?: string;
  /** The number of works that cite the paper, the highest that a source gives. */
  citation_count?: number;
  /** The retraction, withdrawal or expression of concern that holds. */
  retraction?: Notice;
  /**
   * The probability that `q` answers the question, rounded to 2 decimals. Absent if the paper has no
   * sentences, and with an encoder of which nobody measured it.
   */
  answers?: number;
}

/** The answer of a search as the service returns it. */
export interface Answer {
  n: number;
  /**
   * Corpus confidence: the highest cosine of the query with a title or a sentence of the index, in
   * [0,1], rounded to 3 decimals.
   */
  c: number;
  results: Citation[];
  /** The results that `tokensMax` left out. Absent if the request has no budget. */
  dropped?: number;
}

/** Which papers a search considers. A paper matches if it matches all fields that are present. */
export interface SearchFilter {
  /** Inclusive. Papers without a year do not match. */
  years?: { from: number; to: number };
  /** Names of journals and conferences, compared by their letters and digits. */
  venues?: readonly string[];
  /** Names, compared as author-keys.ts in src/identity does, and ORCIDs. */
  authors?: readonly string[];
  /** Beginnings of ids that are DOIs, as `doiPrefixOf` returns them. */
  doiPrefixes?: readonly string[];
  /** Ids in any form. */
  ids?: readonly string[];
  hasAbstract?: boolean;
  /** The sources of a paper's records: see source-names.ts in src/identity. */
  sources?: readonly string[];
  types?: readonly PaperType[];
  /** Papers of which this is unknown do not match. */
  openAccess?: boolean;
  /** The highest count of a source. Papers of which none is known do not match. */
  minCitations?: number;
  /** Ids in any form: papers that cite one of these works, which the index need not have. */
  cites?: readonly string[];
  /** Ids in any form: papers of the index that one of these papers cites. */
  citedBy?: readonly string[];
}

/** Options of a search beyond the first contract. An absent one changes nothing. */
export interface SearchOptions {
  /** Results with a lower shown score are left out. */
  minScore?: number;
  /** Results whose quote answers with a lower probability, or an unknown one, are left out. */
  minAnswer?: number;
  /** Ids of papers that are left out before the search, in any form. */
  exclude?: readonly string[];
  /** The order of the results. Absent: by relevance. */
  sort?: 'year' | 'citations';
  /** The number of sentences that are quoted of each paper. */
  sentences?: number;
  /** The most tokens of the answer, as token-estimate.ts estimates them. */
  tokensMax?: number;
  include?: readonly ResultExtra[];
  /** Whether the results are put into the order of the reranker. Absent: as the server is set. */
  rerank?: boolean;
  /** Absent: all papers. */
  filter?: SearchFilter;
}

/** A validated search request. */
export interface SearchRequest extends SearchOptions {
  query: string;
  limit: number;
  withAbstract: boolean;
  /** The lanes that the question may go to, as in lane-choice.ts. Absent means all. */
  lanes?: string;
}

/** A validated request for papers that are similar to one. */
export interface SimilarRequest extends SearchOptions {
  /** Any identifier of the paper. */
  similarTo: string;
  limit: number;
  withAbstract: boolean;
}

/** Identifies a model. The same name with other weights is another model. */
export interface ModelIdentity {
  name: string;
  dimensions: number;
  /** SHA-256 in hexadecimal of everything that the vectors depend on: files, pooling, prefixes. */
  sha256: string;
  /** The `sha256` of models whose vectors lie in the same space, so that an index may hold both. */
  compatible?: readonly string[];
  /** Its folder, if `index reembed` moved the index to it; '' for the bundled model. */
  folder?: string;
}
