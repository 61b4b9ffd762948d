/** The tests that every implementation of the index source passes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IndexView } from '../../../../src/index/ports/index-source.ts';
import { toyModel } from '../../memory-index.ts';
import { testDocuments } from './documents.ts';
import { testRetrieval } from './retrieval.ts';
import { corpus, ids, type MakeSource, paper, type SourceUnderTest } from './source-under-test.ts';

/** Gets the source, and reads in a view of its own, after it was made. */
export interface Reading {
  get(): SourceUnderTest;
  read<Result>(work: (view: IndexView) => Promise<Result>): Promise<Result>;
}

/** Tests an implementation. The tests run in their order and share an index. */
export function testSource(name: string, makeSource: MakeSource): void {
  describe(`an index on ${name}`, () => {
    let made: SourceUnderTest;
    const reading: Reading = { get: () => made, read: (work) => made.source.view(work) };

    beforeAll(async () => {
      made = await makeSource(corpus);
    });

    afterAll(async () => {
      await made.close();
    });

    testDocuments(reading);
    testRetrieval(reading);
    testViews(reading);
  });
}

function testViews({ get, read }: Reading): void {
  describe('a view', () => {
    it('tells the model', async () => {
      expect(await get().source.model()).toMatchObject({ dimensions: toyModel.dimensions });
    });

    it('gives its result, or its error, and spoils no other view', async () => {
      const all = Array.from({ length: 20 }, (_, at) =>
        read(async (view) => {
          const [number] = await view.withIds([`paper-${at}`]);
          if (at % 5 === 4) throw new Error(`view ${at}`);
          const [document] = await view.documents([number as number]);
          return document?.id;
        }),
      );
      for (const [at, outcome] of (await Promise.allSettled(all)).entries()) {
        if (at % 5 === 4) expect(outcome).toMatchObject({ reason: new Error(`view ${at}`) });
        else expect(outcome).toMatchObject({ value: `paper-${at}` });
      }
    });

    it('shows one state while others write, and the next view a later one', async () => {
      const { add } = get();
      const late = { ...paper(98), title: 'Walruses at sea' };
      const stateOf = async (view: IndexView) => ({
        revision: await view.revision(),
        state: await view.state(),
        totals: await view.totals(),
        found: await view.withIds([late.id]),
      });
      const [before, meanwhile] = await read(async (view) => {
        const first = await stateOf(view);
        await add(late);
        return [first, await stateOf(view)];
      });
      expect(meanwhile).toEqual(before);
      expect(before.totals.documents).toBe(ids.length);
      expect(before.found).toEqual([undefined]);
      const after = await read(stateOf);
      expect(after.revision).not.toBe(before.revision);
      expect(after.state).not.toBe(before.state);
      expect(after.totals.documents).toBe(ids.length + 1);
      expect(after.found).toEqual([expect.any(Number)]);
    });

    it('keeps its revision as long as nobody writes', async () => {
      const revisionOf = (view: IndexView) => view.revision();
      expect(await read(revisionOf)).toBe(await read(revisionOf));
      const stateOf = (view: IndexView) => view.state();
      expect(await read(stateOf)).toBe(await read(stateOf));
    });

    it('finds what was added, by words and by its vector', async () => {
      await get().add({ ...paper(99), title: 'A zeppelin over land' });
      await read(async (view) => {
        const [number] = await view.withIds(['paper-99']);
        expect(await view.documents([number as number])).toMatchObject([{ id: 'paper-99' }]);
        const statistics = await view.statistics([]);
        expect(statistics.documents).toBe(ids.length + 2);
        expect(await view.withTitle('A zeppelin over land', 3)).toContain(number);
      });
    });

    it('is closed last, after those that were opened before', async () => {
      expect(await get().source.refresh()).toBeUndefined();
      const totals = read((view) => view.totals());
      expect(await totals).toMatchObject({ documents: ids.length + 2 });
    });
  });
}
