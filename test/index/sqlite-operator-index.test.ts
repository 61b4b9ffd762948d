/** An index in an SQLite file passes the tests of every index that commands look at. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/database/open.ts';
import { claimModel } from '../../src/index/index-facts.ts';
import { createSqliteSourceStore } from '../../src/index/sources/source-stores.ts';
import { createSqliteBuilder } from '../../src/index/sqlite/sqlite-builder.ts';
import { createSqliteIndex } from '../../src/index/sqlite/sqlite-index.ts';
import { createSqliteOperatorIndex } from '../../src/index/sqlite/sqlite-operator-index.ts';
import { readSettings } from '../../src/settings/config.ts';
import { type OperatedIndex, testOperatorIndex } from './conformance/operator/suite.ts';
import { testSourceStore } from './conformance/sources/suite.ts';
import { toyModel } from './memory-index.ts';

testOperatorIndex('SQLite', makeIndex);
testSourceStore('SQLite', async () => {
  const db = openStore({ path: ':memory:', lockWaitMs: 5000 });
  claimModel(db, toyModel);
  const store = createSqliteSourceStore(db);
  return { store, builder: createSqliteBuilder(db), close: store.close };
});

async function makeIndex(): Promise<OperatedIndex> {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-operated-'));
  const store = { path: join(folder, 'verbatim.db'), lockWaitMs: 5000 };
  const db = openStore(store);
  const source = await createSqliteIndex(store).source({ limits: readSettings({}, {}) });
  claimModel(db, toyModel);
  return {
    index: createSqliteOperatorIndex(store),
    builder: createSqliteBuilder(db),
    source,
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
      await source.close();
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
