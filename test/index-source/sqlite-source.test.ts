/** The index source on SQLite, with a real file: scanned, and by inverted lists. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../src/config.ts';
import { openSource } from '../../src/index-source/open/open-source.ts';
import { createIndexWriter } from '../../src/store/index/documents/index-writer.ts';
import { claimModel } from '../../src/store/index/index-facts.ts';
import { extendPostings } from '../../src/store/index/lexical/extend-postings.ts';
import { openStore } from '../../src/store/open.ts';
import { toyModel } from '../store/index/memory-index.ts';
import { arrive } from '../store/index/toy-incoming-records.ts';
import type { MakeSource } from './conformance/source-under-test.ts';
import { testSource } from './conformance/suite.ts';

function onSqlite(exactScanMax: number): MakeSource {
  return async ({ records, later }) => {
    const folder = mkdtempSync(join(tmpdir(), 'verbatim-source-'));
    const store = { path: join(folder, 'index.db'), lockWaitMs: 60_000 };
    const db = openStore(store);
    claimModel(db, toyModel);
    const writer = createIndexWriter(db);
    for (const record of records) arrive(writer, record);
    for (const _ of extendPostings(db));
    for (const record of later) arrive(writer, record);
    const limits = readSettings({ exactScanMax, filteredExactMax: exactScanMax }, {});
    const source = await openSource({ store, limits }, toyModel);
    return {
      source,
      async add(record) {
        arrive(writer, record);
      },
      async close() {
        await source.close();
        db.close();
        rmSync(folder, { recursive: true });
      },
    };
  };
}

testSource('SQLite, scanned', onSqlite(1_000));
testSource('SQLite, by inverted lists', onSqlite(0));
