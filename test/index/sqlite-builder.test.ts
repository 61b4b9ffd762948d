/** The builder of an index in an SQLite file passes the tests of every builder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/database/open.ts';
import { claimModel } from '../../src/index/index-facts.ts';
import { createSqliteBuilder } from '../../src/index/sqlite/sqlite-builder.ts';
import type { IndexUnderTest } from './conformance/builder/index-under-test.ts';
import { readSqliteContent } from './conformance/builder/sqlite-content.ts';
import { testBuilder } from './conformance/builder/suite.ts';
import { toyModel } from './memory-index.ts';

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
