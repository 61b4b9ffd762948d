import { describe, expect, it } from 'vitest';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { createIndexWriter } from '../../src/index/documents/index-writer.ts';
import { prepareReadIndexState } from '../../src/index/index-facts.ts';
import { startBuild } from '../../src/index/records/builds.ts';
import { createIndexVersion } from '../../src/search/index-version.ts';
import type { SearchLimits } from '../../src/search/search-limits.ts';
import { readSettings } from '../../src/settings/config.ts';
import { recordOf } from '../identity/records.ts';
import { memoryIndex, toyModel } from '../index/memory-index.ts';
import { arrive } from '../index/toy-incoming-records.ts';

const settings: SearchLimits = readSettings({}, {});

function versionReader(
  db: Connection,
  ...options: Parameters<typeof createIndexVersion>
): () => string {
  const versionOf = createIndexVersion(...options);
  const readState = prepareReadIndexState(db);
  return () => versionOf(readState());
}

describe('the version of an index', () => {
  it('changes with a record, and not without', () => {
    const db = memoryIndex();
    const versionNow = versionReader(db, toyModel, settings);
    const before = versionNow();
    expect(versionNow()).toBe(before);
    arrive(createIndexWriter(db), recordOf({ id: 'a', title: 'Tides' }));
    const after = versionNow();
    expect(after).not.toBe(before);
    expect(versionReader(db, toyModel, settings)()).toBe(after);
  });

  it('is another one in an index that was started at another time', () => {
    const [one, other] = [memoryIndex(), memoryIndex()];
    startBuild(other, {});
    const versions = [one, other].map((db) => versionReader(db, toyModel, settings)());
    expect(versions[0]).not.toBe(versions[1]);
  });

  it('changes with the encoder of queries', () => {
    const db = memoryIndex();
    const versionWith = (sha256: string): string =>
      versionReader(db, { ...toyModel, sha256 }, settings)();
    expect(versionWith('0'.repeat(64))).not.toBe(versionWith(toyModel.sha256));
  });

  it('changes with the term embeddings', () => {
    const db = memoryIndex();
    const versions = [{}, { termEmbeddings: 'one' }, { termEmbeddings: 'another' }].map((table) =>
      versionReader(db, { ...toyModel, ...table }, settings)(),
    );
    expect(new Set(versions).size).toBe(3);
  });

  it('changes with the settings of the ranking, and not with the others', () => {
    const db = memoryIndex();
    const versionWith = (changed: Partial<SearchLimits>): string =>
      versionReader(db, toyModel, { ...settings, ...changed })();
    expect(versionWith({ withheldShown: true })).not.toBe(versionWith({}));
    expect(versionWith({ candidatesMax: 65 })).not.toBe(versionWith({}));
    expect(versionWith({ listBytesCachedMax: 1 })).toBe(versionWith({}));
  });
});
