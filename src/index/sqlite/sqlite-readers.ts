/** The readers of the main thread on an SQLite file: a few look-ups by an index, which answer at once. */
import { createTitleReader } from '../documents/documents.ts';
import { prepareCountDocuments, prepareReadIndexState, readTotals } from '../index-facts.ts';
import type { IndexReaders } from '../ports/index-readers.ts';
import { createLastBuildReader, readBuilds } from '../records/builds.ts';
import type { OpenIndex } from './open-index.ts';

/** `versionOf` names a state. */
export function createSqliteReaders(
  { db, reading }: Pick<OpenIndex, 'db' | 'reading'>,
  versionOf: (state: string) => string,
): IndexReaders {
  const state = reading(prepareReadIndexState);
  const count = reading(prepareCountDocuments);
  const title = reading(createTitleReader);
  const lastBuild = reading(createLastBuildReader);
  return {
    engine: 'sqlite',
    totals: async () => readTotals(db()),
    countDocuments: async () => count()(),
    indexVersion: async () => versionOf(state()()),
    titleAt: async (share) => title()(share),
    lastBuildAt: async () => lastBuild()(),
    builds: async (most) => readBuilds(db(), most),
  };
}
