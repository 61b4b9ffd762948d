/** An index whose centroids have no groups gets them, and is sound. */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runSteps, steps } from '../../../src/database/migrations/migrate-file.ts';
import { GROUP_LISTS_MAX } from '../../../src/index/dense/centroid-groups.ts';
import { listPerDocument } from '../../index/dense/list-per-document.ts';
import { emptyIndex, expectSound } from '../../index/memory-index.ts';
import { scratchFolder } from '../../ingest/index-files.ts';
import { clusteredVectors } from '../../support/vectors.ts';

const DIMENSIONS = 48;

it.each([0, 1, 2, 500])('an index with %i lists gets groups', async (count) => {
  const path = join(await scratchFolder(), 'index.db');
  const db = emptyIndex(path, DIMENSIONS);
  onTestFinished(() => {
    db.close();
  });
  const vectors = clusteredVectors(count, { seed: 1, dimensions: DIMENSIONS, clusters: 20 });
  listPerDocument(db, vectors);
  // As step 21 left it.
  db.pragma('foreign_keys = OFF');
  db.exec(`
    ALTER TABLE cells DROP COLUMN centroid_group;
    DROP TABLE centroid_groups;
    DELETE FROM migrations WHERE number > 21;
    PRAGMA user_version = 21;`);
  db.pragma('foreign_keys = ON');
  // Later steps have been taken, and change other tables.
  runSteps(db, steps.slice(0, 22));
  expectSound(db);
  const groups = db.prepare('SELECT count(*) FROM centroid_groups').pluck().get();
  expect(groups).toBeGreaterThanOrEqual(count / GROUP_LISTS_MAX);
  expect(groups).toBeLessThanOrEqual(count / 10 + 2);
});
