/** An index in an SQLite file passes the tests of every index that commands look at. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteBuilder } from '../../src/index-builder/sqlite/sqlite-builder.ts';
import { createSqliteOperatorIndex } from '../../src/operator-index/sqlite-operator-index.ts';
import { claimModel } from '../../src/store/index/index-facts.ts';
import { openStore } from '../../src/store/open.ts';
import { toyModel } from '../store/index/memory-index.ts';
import { type OperatedIndex, testOperatorIndex } from './conformance/suite.ts';

testOperatorIndex('SQLite', makeIndex);

async function makeIndex(): Promise<OperatedIndex> {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-operated-'));
  const store = { path: join(folder, 'verbatim.db'), lockWaitMs: 5000 };
  const db = openStore(store);
  claimModel(db, toyModel);
  return {
    index: createSqliteOperatorIndex(store, { walBytesMax: 2 ** 30 }),
    builder: createSqliteBuilder(db),
    async damage(sql) {
      db.pragma('foreign_keys = OFF');
      db.exec(
        sql
          .replace('{forward}', 'signals')
          .replaceAll('{entry}', 'packed')
          .replace('{titleKey}', 'VALUES (7, 1)'),
      );
    },
    async close() {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
