/** The readers of the main thread on an SQLite file: a few look-ups by an index, which answer at once. */
import { createTitleReader } from '../../store/index/documents/documents.ts';
import {
  prepareCountDocuments,
  prepareReadIndexState,
  readTotals,
} from '../../store/index/index-facts.ts';
import { createLastBuildReader, readBuilds } from '../../store/index/records/builds.ts';
import type { OpenIndex } from '../../store/open-index.ts';
import type { IndexReaders } from '../index-readers.ts';

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
