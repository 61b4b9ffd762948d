/** Documents as results cite them, from the index and from lanes. */
import type { PaperFacts, StoredDocument } from '../store/index/documents/documents.ts';
import type { DocumentNumber, Provenance } from '../types.ts';

/** A document of the index or of a fallback lane. */
export interface CitableDocument extends StoredDocument {
  /** The lane that returned it. Absent for a document of the index. */
  lane?: Provenance;
  /** The abstract, where `abstract` also holds other quotable text. */
  ownAbstract?: string;
}

export interface CitableReader {
  read(document: DocumentNumber): CitableDocument;
  /** Reads what the records of a paper say besides its citation. */
  factsOf(document: DocumentNumber): PaperFacts;
}
