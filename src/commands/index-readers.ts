/** What the main thread of a server itself reads from the index. */
import { createIndexVersion } from '../search/index-version.ts';
import type { SearchLimits } from '../search/search-limits.ts';
import { createTitleReader } from '../store/index/documents/documents.ts';
import {
  type IndexTotals,
  prepareCountDocuments,
  prepareReadIndexState,
  readTotals,
} from '../store/index/index-facts.ts';
import {
  createLastBuildReader,
  readBuilds,
  type StoredBuild,
} from '../store/index/records/builds.ts';
import type { OpenIndex } from '../store/open-index.ts';
import type { ModelIdentity } from '../types.ts';
import type { BuildReport } from './index/build-report.ts';

export interface IndexReaders {
  totals(): IndexTotals;
  indexVersion(): string;
  countDocuments(): number;
  /** Returns a title at a share of the index, from 0 to 1. */
  titleAt(share: number): string | undefined;
  lastBuildAt(): number | undefined;
  /** Returns the last builds, the latest first. */
  builds(limit: number): StoredBuild<Partial<BuildReport>>[];
}

export function openIndexReaders(
  { db, reading }: Pick<OpenIndex, 'db' | 'reading'>,
  queryEncoder: ModelIdentity,
  limits: SearchLimits,
): IndexReaders {
  const versionOf = createIndexVersion(queryEncoder, limits);
  const state = reading(prepareReadIndexState);
  const count = reading(prepareCountDocuments);
  const title = reading(createTitleReader);
  const lastBuild = reading(createLastBuildReader);
  return {
    totals: () => readTotals(db()),
    indexVersion: () => versionOf(state()()),
    countDocuments: () => count()(),
    titleAt: (share) => title()(share),
    lastBuildAt: () => lastBuild()(),
    builds: (limit) => readBuilds(db(), limit),
  };
}
