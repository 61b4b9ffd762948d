/** Documents that quotes are compared with. */
import type { StoredDocument } from '../../index/documents/stored-document.ts';
import { prepareSource, type Source } from './match-quote.ts';

export interface QuotedDocument {
  document: StoredDocument;
  abstract: Source;
  title: Source;
}

export function prepareQuoted(document: StoredDocument): QuotedDocument {
  return {
    document,
    abstract: prepareSource(document.abstract, document.spans),
    title: prepareSource(document.title),
  };
}
