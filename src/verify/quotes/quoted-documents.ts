/** Documents that quotes are compared with. What was prepared for one quote of a call serves the others. */
import type { StoredDocument } from '../../index/documents/stored-document.ts';
import type { DocumentNumber } from '../../types.ts';
import { prepareSource, type Source } from './match-quote.ts';

/** A document with its texts prepared, each when it is first asked for. */
export interface QuotedDocument {
  document: StoredDocument;
  readonly abstract: Source;
  readonly title: Source;
}

/** Texts that are kept. Prepared, they take some 30 MB. */
const KEPT_CHARACTERS_MAX = 500_000;

/** Returns a reader that reads each document once, but starts anew when it has kept too much. */
export function createQuotedDocuments(
  readStored: (
    numbers: readonly DocumentNumber[],
  ) => Promise<readonly (StoredDocument | undefined)[]>,
): (numbers: readonly DocumentNumber[]) => Promise<QuotedDocument[]> {
  const kept = new Map<DocumentNumber, QuotedDocument | undefined>();
  let characters = 0;
  return async (numbers) => {
    const missing = numbers.filter((number) => !kept.has(number));
    const read = missing.length === 0 ? [] : await readStored(missing);
    for (const [at, number] of missing.entries()) {
      const document = read[at];
      kept.set(number, document && prepare(document));
      characters += document === undefined ? 0 : document.abstract.length + document.title.length;
    }
    // Damaged documents are no evidence.
    const documents = numbers.flatMap((number) => kept.get(number) ?? []);
    if (characters > KEPT_CHARACTERS_MAX) {
      kept.clear();
      characters = 0;
    }
    return documents;
  };
}

function prepare(document: StoredDocument): QuotedDocument {
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
