import { expect, it } from 'vitest';
import { citationCounts } from '../../../src/database/migrations/47-citation-counts.ts';
import { authorKeys } from '../../../src/database/migrations/48-author-keys.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { recordOf } from '../../identity/records.ts';
import { expectSound, memoryIndex } from '../../index/memory-index.ts';
import { arrive } from '../../index/toy-incoming-records.ts';

it('the step writes the same counts of citations as a build', () => {
  const db = memoryIndex();
  const writer = createIndexWriter(db);
  const counts = [undefined, 0, 1, 255, 256, 70_000, 2 ** 31 - 1, 2 ** 32];
  for (const [at, citationCount] of counts.entries()) {
    const details = citationCount === undefined ? {} : { citationCount };
    const identifiers = { doi: `10.5555/${at}` };
    const record = { id: `10.5555/${at}`, title: `Paper ${at}`, identifiers, details };
    arrive(writer, recordOf({ ...record, source: 'doi' }));
    // The highest count of several records is that of the paper.
    arrive(writer, recordOf({ ...record, source: 'openalex', details: { citationCount: 2 } }));
  }
  // A block without any count.
  db.exec('INSERT INTO document_facets (block, packed) VALUES (7, zeroblob(16384))');
  const read = db.prepare('SELECT block, packed, citations FROM document_facets ORDER BY block');
  const before = read.all();
  db.exec('ALTER TABLE document_facets DROP COLUMN citations');
  db.exec(citationCounts.sql);
  expect(read.all()).toEqual(before);
  expectSound(db);
});

it('the steps pass over what is damaged', () => {
  const db = memoryIndex();
  const writer = createIndexWriter(db);
  for (const at of [1, 2, 3]) {
    const identifiers = { doi: `10.5555/${at}` };
    const details = { citationCount: at };
    const authors = [`Ann Author${at}`];
    arrive(
      writer,
      recordOf({ id: `10.5555/${at}`, title: 'Tides', identifiers, details, authors }),
    );
  }
  const readKeys = db.prepare('SELECT document FROM author_keys ORDER BY document').pluck();
  expect(new Set(readKeys.all())).toEqual(new Set([1, 2, 3]));
  db.exec(`
    UPDATE source_records SET details = '{"citationCount":', fields = '{"authors":' WHERE document = 1;
    UPDATE documents SET authors = '["Ann' WHERE number = 2;
    ALTER TABLE document_facets DROP COLUMN citations;
    DROP TABLE author_keys;
  `);
  db.exec(citationCounts.sql);
  const counts = db.prepare('SELECT hex(citations) FROM document_facets').pluck().get();
  expect(counts).toMatch(/^0{16}0200000003000000/);
  db.function('keys_of_names', authorKeys.functions.keys_of_names);
  db.exec(authorKeys.sql);
  // The names of the first one stand in the document.
  expect(new Set(readKeys.all())).toEqual(new Set([1, 3]));
});
