/** The tests that the sources of every index pass. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IndexBuilder } from '../../../../src/index/ports/index-builder.ts';
import type { SourceStore } from '../../../../src/index/sources/source-stores.ts';
import { recordOf } from '../../../identity/records.ts';
import { arrive } from '../builder/index-under-test.ts';

export interface SourcesUnderTest {
  store: SourceStore;
  builder: IndexBuilder;
  close(): Promise<void>;
}

export function testSourceStore(engine: string, make: () => Promise<SourcesUnderTest>): void {
  describe(`the sources of an index on ${engine}`, () => {
    let tested: SourcesUnderTest;
    let store: SourceStore;
    beforeEach(async () => {
      tested = await make();
      store = tested.store;
    });
    afterEach(() => tested.close());
    const source = { name: 'ours', settings: { provider: 'files' }, state: { papers: 0 } };

    it('are stored once, and removed', async () => {
      expect(await store.add(source, 1_000)).toBe(true);
      expect(await store.add({ ...source, state: { papers: 9 } })).toBe(false);
      const { name, settings, state } = source;
      const stored = { name, ...settings, state, addedAt: 1_000, position: null, isRunning: false };
      expect(await store.list()).toEqual([stored]);
      await store.addSeen('ours', [1]);
      expect(await store.remove('ours')).toBe(true);
      expect(await store.remove('ours')).toBe(false);
      expect(await store.list()).toEqual([]);
    });

    it('have one owner at a time, until it is late', async () => {
      await store.add(source);
      expect(await store.own('ours', 'one', 2_000, 1_000)).toBe(true);
      expect(await store.list(1_000)).toMatchObject([{ isRunning: true }]);
      expect(await store.own('ours', 'two', 3_000, 1_000)).toBe(false);
      expect(await store.own('ours', 'one', 2_500, 1_000)).toBe(true);
      expect(await store.list(2_500)).toMatchObject([{ isRunning: false }]);
      expect(await store.own('ours', 'two', 3_000, 2_500)).toBe(true);
      expect(await store.save('ours', 'one', { state: { papers: 1 } })).toBe(false);
      await store.disown('ours', 'one');
      expect(await store.list(2_500)).toMatchObject([{ isRunning: true, state: { papers: 0 } }]);
      await store.disown('ours', 'two');
      expect(await store.own('ours', 'one', 4_000, 2_500)).toBe(true);
      expect(await store.own('theirs', 'one', 4_000, 2_500)).toBe(false);
    });

    it('keep what is not saved', async () => {
      await store.add(source);
      await store.own('ours', 'one', 2_000);
      expect(await store.save('ours', 'one', { position: { page: 7 } })).toBe(true);
      expect(await store.save('ours', 'one', { state: { papers: 3 } })).toBe(true);
      const saved = { position: { page: 7 }, state: { papers: 3 } };
      expect(await store.list()).toMatchObject([saved]);
      await store.save('ours', 'one', { position: null });
      expect(await store.list()).toMatchObject([{ ...saved, position: null }]);
    });

    it('note the names of a list, however many', async () => {
      await store.add(source);
      await store.add({ ...source, name: 'theirs' });
      const keys = Array.from({ length: 450 }, (_, number) => number * 2 - 2 ** 47);
      await store.addSeen('ours', keys);
      await store.addSeen('ours', keys.slice(0, 3));
      await store.addSeen('theirs', [1]);
      const asked = [...keys, 1, 3];
      expect(await store.seenAmong('ours', asked)).toEqual(new Set(keys));
      await store.clearSeen('ours');
      expect(await store.seenAmong('ours', asked)).toEqual(new Set());
      expect(await store.seenAmong('theirs', asked)).toEqual(new Set([1]));
    });

    it('know the records of their files', async () => {
      const doi = (id: string) => ({ id, identifiers: { doi: id } });
      const tides = recordOf({ ...doi('10.5555/tides'), title: 'Tides', abstract: 'It rose.' });
      const waves = recordOf({ ...doi('10.5555/waves'), title: 'Waves', abstract: '' });
      const winds = recordOf({ ...doi('10.5555/winds'), title: 'Winds', abstract: 'It blew.' });
      await arrive(tested.builder, tides, 'ours:a.jsonl');
      await arrive(tested.builder, waves, 'ours:b.tar!c.jsonl');
      await arrive(tested.builder, winds, 'oursandtheirs:a.jsonl');
      const records = await store.recordsOf('ours', 0);
      expect(records).toMatchObject([
        { id: '10.5555/tides', title: 'Tides', identifiers: { doi: '10.5555/tides' } },
        { id: '10.5555/waves' },
      ]);
      expect(await store.recordsOf('ours', records[0]?.number ?? 0)).toEqual(records.slice(1));
      expect(await store.countPapers('ours')).toEqual({ papers: 2, abstracts: 1 });
      expect(await store.countPapers('nobody')).toEqual({ papers: 0, abstracts: 0 });
    });
  });
}
