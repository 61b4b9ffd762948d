/** How many texts are compared with a quote. */
import { expect, it } from 'vitest';
import type { StoredDocument } from '../../../src/index/documents/stored-document.ts';
import { prepareQuoted } from '../../../src/verify/quotes/quoted-documents.ts';
import { verifyQuote } from '../../../src/verify/quotes/verify-quote.ts';

const DOCUMENTS = Array.from({ length: 20 }, (_, number) => number);

/** Verifies a quote that is only in the last of 20 documents. */
async function verdictAmong(abstractCharacters: number): Promise<[verdict: string, read: number]> {
  const read = new Set<number>();
  const { verdict } = await verifyQuote(
    { quote: 'the last of them has it' },
    {
      read: async (documents) => {
        for (const number of documents) read.add(number);
        return documents.map((number) => {
          const last = number === DOCUMENTS.length - 1 ? 'The last of them has it.' : '';
          const abstract = `${'no it has not. '.repeat(abstractCharacters / 15)}${last}`;
          const document = { id: `d${number}`, title: 'A title', abstract, spans: [] as object };
          return prepareQuoted(document as StoredDocument);
        });
      },
      find: async () => [],
      search: async () => DOCUMENTS,
      isEmpty: async () => false,
    },
  );
  return [verdict, read.size];
}

it('all of usual size are compared', async () => {
  expect(await verdictAmong(6000)).toEqual(['near', 20]);
});

it('of long ones, only the first are compared', async () => {
  expect(await verdictAmong(45_000)).toEqual(['not_found', 7]);
});
