/** The builder of an index in an SQLite file passes the tests of every builder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteBuilder } from '../../src/index-builder/sqlite/sqlite-builder.ts';
import { claimModel } from '../../src/store/index/index-facts.ts';
import { openStore } from '../../src/store/open.ts';
import { toyModel } from '../store/index/memory-index.ts';
import type { IndexUnderTest } from './conformance/index-under-test.ts';
import { readSqliteContent } from './conformance/sqlite-content.ts';
import { testBuilder } from './conformance/suite.ts';

testBuilder('SQLite', makeSqliteIndex);

async function makeSqliteIndex(): Promise<IndexUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-builder-'));
  const open = () => openStore({ path: join(folder, 'verbatim.db'), lockWaitMs: 5000 });
  const db = open();
  claimModel(db, toyModel);
  return {
    open: async () => createSqliteBuilder(open()),
    content: async () => readSqliteContent(db),
    async close() {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
