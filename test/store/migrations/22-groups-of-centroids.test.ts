/** An index whose centroids have no groups gets them, and is sound. */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { GROUP_LISTS_MAX } from '../../../src/store/index/dense/centroid-groups.ts';
import { scratchFolder } from '../../ingest/index-files.ts';
import { clusteredVectors } from '../../support/vectors.ts';
import { listPerDocument } from '../index/dense/list-per-document.ts';
import { emptyIndex, expectSound } from '../index/memory-index.ts';
import { openMigrated } from './open-migrated.ts';

const DIMENSIONS = 48;

it.each([0, 1, 2, 500])('an index with %i lists gets groups', async (count) => {
  const path = join(await scratchFolder(), 'index.db');
  const before = emptyIndex(path, DIMENSIONS);
  const vectors = clusteredVectors(count, { seed: 1, dimensions: DIMENSIONS, clusters: 20 });
  listPerDocument(before, vectors);
  // As step 21 left it.
  before.pragma('foreign_keys = OFF');
  before.exec(`
    ALTER TABLE cells DROP COLUMN centroid_group;
    DROP TABLE centroid_groups;
    DROP TABLE server_samples;
    DELETE FROM migrations WHERE number > 21;
    PRAGMA user_version = 21;`);
  before.close();
  const db = await openMigrated(path);
  onTestFinished(() => {
    db.close();
  });
  expectSound(db);
  const groups = db.prepare('SELECT count(*) FROM centroid_groups').pluck().get();
  expect(groups).toBeGreaterThanOrEqual(count / GROUP_LISTS_MAX);
  expect(groups).toBeLessThanOrEqual(count / 10 + 2);
});
