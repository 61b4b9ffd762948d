/** The title index finds documents by similar titles, and follows every change of the documents. */
import { expect, it } from 'vitest';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { createTitleLookup } from '../../../src/index/documents/title-index.ts';
import { rowsOf } from '../../support/accounts.ts';
import { addDocuments, expectSound, memoryIndex, toyIndexed } from '../memory-index.ts';

const TITLES = [
  'Tides of the northern shore: measurements from moored instruments',
  'Tides of the southern shore',
  'A grammar of the northern dialects',
  'Tides of the northern shore',
];

it('lists the same letters first, then titles that share long words', () => {
  const db = memoryIndex();
  addDocuments(
    db,
    TITLES.map((title, at) => ({ id: `d${at}`, title })),
  );
  const find = createTitleLookup(db);
  expect(find('Tides of the Northern Shore', 10)).toEqual([4, 1, 2]);
  expect(find('Tides of the northern shore: measured with moored instruments', 1)).toEqual([1]);
  expect(find('Metamorphosis of beetles', 10)).toEqual([]);
  expect(find('', 10)).toEqual([]);
});

it('follows a document that changes or goes', () => {
  const db = memoryIndex();
  addDocuments(db, [{ id: 'd', title: 'Tides of the northern shore' }]);
  const find = createTitleLookup(db);
  const writer = createIndexWriter(db);
  writer.write([toyIndexed({ id: 'd', title: 'A grammar of the northern dialects' })]);
  expect(find('Tides of the northern shore', 10)).toEqual([]);
  expect(find('A grammar of the northern dialects', 10)).toHaveLength(1);
  expectSound(db);
  writer.remove(['d']);
  expect(rowsOf(db, 'SELECT * FROM title_keys')).toEqual([]);
});

it('reads few of the documents that share a pair of words', () => {
  const db = memoryIndex();
  addDocuments(
    db,
    Array.from({ length: 300 }, (_, at) => ({ id: `d${at}`, title: `Tides of the shore ${at}` })),
  );
  const find = createTitleLookup(db);
  expect(find('Tides of another shore', 1_000)).toHaveLength(250);
  // What has the whole title is found among more.
  expect(find('Tides of the shore 299', 1)).toEqual([300]);
});
