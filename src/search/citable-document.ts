/** Documents as results cite them, from the index and from lanes. */
import { noticesOf } from '../identity/notices.ts';
import type { StoredDocument } from '../index/documents/stored-document.ts';
import type { IndexView } from '../index/ports/index-source.ts';
import type { DocumentNumber, Identifiers, Notice, PaperDetails, Provenance } from '../types.ts';

/** A document of the index or of a fallback lane. */
export interface CitableDocument extends StoredDocument {
  /** The lane that returned it. Absent for a document of the index. */
  lane?: Provenance;
  /** The abstract, where `abstract` also holds other quotable text. */
  ownAbstract?: string;
}

/** What the records of a paper say besides its citation. */
export interface PaperFacts {
  identifiers: Identifiers;
  details: PaperDetails;
  /** What journals announced, the latest first. */
  notices: Notice[];
}

/** Reads documents in the order of their numbers. */
export interface CitableReader {
  /** Returns undefined for a document that is damaged. */
  read(documents: readonly DocumentNumber[]): Promise<(CitableDocument | undefined)[]>;
  /** Of a paper whose records are damaged, nothing is known besides its citation. */
  factsOf(documents: readonly DocumentNumber[]): Promise<PaperFacts[]>;
}

/** Reads documents of the index. */
export function citableIn(view: IndexView): CitableReader {
  return {
    read: (documents) => view.documents(documents),
    async factsOf(documents) {
      const all = await view.merged(documents);
      return all.map((merged) => {
        if (merged === undefined) return { identifiers: {}, details: {}, notices: [] };
        const { identifiers, details } = merged;
        return { identifiers, details, notices: noticesOf([merged]) };
      });
    },
  };
}
