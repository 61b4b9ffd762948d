/** Spans that were written without a checksum get one, in steps. */
import { expect, it } from 'vitest';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { addChecksums } from '../../../src/index/documents/add-checksums.ts';
import { createSqliteBuilder } from '../../../src/index/sqlite/sqlite-builder.ts';
import { verifyIndex } from '../../../src/index/verify/verify-index.ts';
import { addDocuments, memoryIndex } from '../memory-index.ts';

const DOCUMENTS = 1_500;
const DAMAGED = 7;

/** An index as an earlier version wrote it, with a document that is damaged since. */
function olderIndex(): Connection {
  const db = memoryIndex();
  const abstract = 'It rose. It fell.';
  addDocuments(
    db,
    Array.from({ length: DOCUMENTS }, (_, n) => ({ id: `${n}`, title: 'Tides', abstract })),
  );
  db.exec(`UPDATE documents SET sentence_spans = substr(sentence_spans, 1, 16);
    UPDATE documents SET abstract = 'It fell. It rose.' WHERE number = ${DAMAGED}`);
  return db;
}

function withoutChecksum(db: Connection): unknown {
  return db.prepare('SELECT number FROM documents WHERE length(sentence_spans) = 16').pluck().all();
}

it('a build adds what is missing after a stop, and leaves out what is damaged', async () => {
  const db = olderIndex();
  for (const _ of addChecksums(db)) break;
  expect(withoutChecksum(db)).toHaveLength(DOCUMENTS - 1_000 + 1);
  const written = db.prepare('SELECT total_changes()').pluck();
  const shares: number[] = [];
  const before = Number(written.get());
  for (const share of addChecksums(db)) shares.push(share);
  expect(shares).toEqual([1]);
  expect(Number(written.get()) - before).toBe(500 + 1);
  expect(withoutChecksum(db)).toEqual([DAMAGED]);
  expect([...addChecksums(db)]).toEqual([]);
  const { problems } = verifyIndex(db, { problemsMax: 10 });
  expect(problems).toContain(`${DAMAGED - 1}: its fields do not match its hash`);
  expect(problems.filter((problem) => problem.includes('places'))).toEqual([]);
});

it('is a part of finishing a build', async () => {
  const db = olderIndex();
  for await (const _ of createSqliteBuilder(db).finish());
  expect(withoutChecksum(db)).toEqual([DAMAGED]);
});
