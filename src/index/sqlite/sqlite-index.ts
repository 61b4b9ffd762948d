/** An index in an SQLite file. Searches may read the newest of its copies instead. */
import { openStore } from '../../database/open.ts';
import { assertModel, claimModel } from '../index-facts.ts';
import type { Index } from '../ports/index.ts';
import { openIndexFile, type SqlitePlace } from './index-file.ts';
import { createSqliteSource } from './sqlite-source.ts';

/** What builds and commands need is loaded by them only. */
export function createSqliteIndex(place: SqlitePlace): Index {
  return {
    engine: 'sqlite',
    async prepare() {},
    async source({ limits, model, staysWithModel, onDamage }) {
      const file = openIndexFile(place, (db) => model && assertModel(db, model));
      const fixed = staysWithModel === true ? model : undefined;
      return createSqliteSource(file, limits, onDamage, fixed);
    },
    async builder(model) {
      const { createSqliteBuilder } = await import('./sqlite-builder.ts');
      const db = openStore(place);
      try {
        claimModel(db, model);
        return createSqliteBuilder(db);
      } catch (error) {
        db.close();
        throw error;
      }
    },
    async operator() {
      const { createSqliteOperatorIndex } = await import('./sqlite-operator-index.ts');
      return createSqliteOperatorIndex(place);
    },
    async sources() {
      const { createSqliteSourceStore } = await import('../sources/source-stores.ts');
      return createSqliteSourceStore(openStore(place));
    },
  };
}
