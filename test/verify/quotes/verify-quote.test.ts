/** How many texts are compared with a quote. */
import { expect, it } from 'vitest';
import type { StoredDocument } from '../../../src/index/documents/stored-document.ts';
import type { Source } from '../../../src/verify/quotes/match-quote.ts';
import { prepareQuoted, type QuotedDocument } from '../../../src/verify/quotes/quoted-documents.ts';
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

it('only texts that may have a quote are divided into tokens', async () => {
  const divided: string[] = [];
  const noting = (source: Source): Source =>
    new Proxy(source, {
      get(target, name) {
        if (name === 'tokens') divided.push(target.text);
        return Reflect.get(target, name);
      },
    });
  const abstracts = [
    'Boats wait in the harbor, and the moon pulls.',
    'Here, the moon pulls the sea towards the shore.',
    'The sea pulls boats.',
  ];
  const documents = abstracts.map((abstract, at) => {
    const document = { id: `d${at}`, title: 'Boats', abstract, spans: [] as object };
    const quoted = prepareQuoted(document as StoredDocument);
    return {
      document: quoted.document,
      title: noting(quoted.title),
      abstract: noting(quoted.abstract),
    };
  });
  const { verdict } = await verifyQuote(
    { quote: 'the moon pulls the sea towards a shore' },
    {
      read: async (numbers) => numbers.map((number) => documents[number] as QuotedDocument),
      find: async () => [],
      search: async () => [0, 1, 2],
      isEmpty: async () => false,
    },
  );
  expect(verdict).toBe('near');
  expect(new Set(divided)).toEqual(new Set(abstracts.slice(1, 2)));
});
