/** Documents of an earlier version get their records, and are found by their keys. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { createIndexWriter } from '../../../src/store/index/documents/index-writer.ts';
import { openStore } from '../../../src/store/open.ts';
import { recordOf } from '../../identity/records.ts';
import { scratchFolder } from '../../ingest/index-files.ts';
import { emptyIndex, expectSound, toyIndexed } from '../index/memory-index.ts';
import { arrive, documentsIn } from '../index/toy-incoming-records.ts';

const TIDES = { title: 'How the tides of the North Sea rise', year: 1998, authors: ['A. Berg'] };

it('an index of the version before gets records for its documents', async () => {
  const path = join(await scratchFolder(), 'old.db');
  const now = emptyIndex(path);
  createIndexWriter(now).write([
    toyIndexed({ ...TIDES, id: '10.5555/tides', abstract: 'It rose.' }),
    toyIndexed({ id: 'moon', title: 'Moon' }),
  ]);
  now.close();
  const old = new Database(path);
  for (const trigger of ['lane_answers_added', 'lane_answers_changed', 'lane_answers_dropped']) {
    old.exec(`DROP TRIGGER ${trigger}`);
  }
  for (const [table, column] of [
    ['customers', 'browser_key'],
    ['customers', 'lanes'],
    ['api_keys', 'lanes'],
  ]) {
    old.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
  for (const table of [
    'lane_answer_totals',
    'lane_pauses',
    'lane_turns',
    'lane_requests',
    'build_checkpoints',
    'postings',
    'record_keys',
    'source_records',
    'source_files',
    'withheld_documents',
    'index_builds',
  ]) {
    old.exec(`DROP TABLE ${table}`);
  }
  old.exec("DELETE FROM index_facts WHERE name = 'listed'");
  old.pragma('user_version = 6');
  old.close();

  const db = openStore({ path, lockWaitMs: 0 });
  onTestFinished(() => {
    db.close();
  });
  expectSound(db);
  expect(documentsIn(db).map(({ id, identifiers }) => [id, identifiers])).toEqual([
    ['10.5555/tides', { doi: '10.5555/tides' }],
    ['moon', {}],
  ]);
  const writer = createIndexWriter(db);
  expect(arrive(writer, recordOf({ id: 'moon', title: 'Moon' }))).toBe('unchanged');
  const preprint = { ...TIDES, id: 'arXiv:9801001', identifiers: { arxiv: 'hep-ex/9801001' } };
  expect(arrive(writer, recordOf({ ...preprint, source: 'arxiv' }))).toBe('merged');
  expect(documentsIn(db)).toMatchObject([
    { id: '10.5555/tides', abstract: 'It rose.' },
    { id: 'moon' },
  ]);
  expectSound(db);
});
