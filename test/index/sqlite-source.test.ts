/** The index source on SQLite, with a real file: scanned, and by inverted lists. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/database/open.ts';
import { createIndexWriter } from '../../src/index/documents/index-writer.ts';
import { claimModel } from '../../src/index/index-facts.ts';
import { extendPostings } from '../../src/index/lexical/extend-postings.ts';
import { openIndex } from '../../src/index/open/open-index.ts';
import { readSettings } from '../../src/settings/config.ts';
import type { MakeSource } from './conformance/source/source-under-test.ts';
import { testSource } from './conformance/source/suite.ts';
import { toyModel } from './memory-index.ts';
import { arrive } from './toy-incoming-records.ts';

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
    const index = await openIndex(store);
    const source = await index.source({ limits, model: toyModel });
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
