/** Documents that quotes are compared with. */
import type { StoredDocument } from '../../index/documents/stored-document.ts';
import { prepareSource, type Source } from './match-quote.ts';

/** A document with its texts prepared, each when it is first asked for. */
export interface QuotedDocument {
  document: StoredDocument;
  readonly abstract: Source;
  readonly title: Source;
}

export function prepareQuoted(document: StoredDocument): QuotedDocument {
  let abstract: Source | undefined;
  let title: Source | undefined;
  return {
    document,
    get abstract() {
      abstract ??= prepareSource(document.abstract, document.spans);
      return abstract;
    },
    get title() {
      title ??= prepareSource(document.title);
      return title;
    },
  };
}
