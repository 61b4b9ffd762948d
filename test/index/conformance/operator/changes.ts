/** Tests of the changes of papers that readers follow, of an index in any database. */
import { describe, expect, it } from 'vitest';
import type { KeptRecord } from '../../../../src/identity/kept-record.ts';
import { type ChangesCursor, parseCursor } from '../../../../src/search/papers/changes-cursor.ts';
import { listChanges } from '../../../../src/search/papers/list-changes.ts';
import { recordOf } from '../../../identity/records.ts';
import { createRandom, testSeed } from '../../../support/random.ts';
import { arrive, planToy } from '../builder/index-under-test.ts';
import type { OperatedIndex } from './suite.ts';

const TIDES = recordOf({
  id: 'tides',
  title: 'Tides',
  abstract: 'It rose.',
  source: 's2',
  identifiers: { s2: '1' },
  details: { citationCount: 1 },
});
const WAVES = recordOf({ id: 'waves', title: 'Waves', source: 's2', identifiers: { s2: '2' } });

export function testChanges(get: () => OperatedIndex): void {
  /** Kinds by ids, and the cursor to go on with. */
  const list = (changesSince: number | ChangesCursor, limit = 100) =>
    get().source.view(async (view) => {
      const { changes, cursor, more } = await listChanges({ changesSince, limit }, view);
      const kinds = changes.map(({ d, kind, reason }) => [d, ...(reason ? [reason] : [kind])]);
      return { changes, kinds, more, next: parseCursor(cursor) as ChangesCursor };
    });
  const arrives = (record: KeptRecord) => arrive(get().builder, record);

  describe('for readers who follow it,', () => {
    it('lists papers that came, with their titles, and nothing twice', async () => {
      const before = Date.now();
      expect(await list(0)).toMatchObject({ changes: [], more: false });
      await arrives({ ...TIDES, year: 2001 });
      await arrives(WAVES);
      const { changes, next, more } = await list(before);
      expect(changes).toMatchObject([
        { d: 'tides', kind: 'added', t: 'Tides', y: 2001 },
        { d: 'waves', kind: 'added', t: 'Waves', y: 0 },
      ]);
      for (const { at } of changes) {
        expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
        expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
      }
      expect(more).toBe(false);
      expect(await list(next)).toEqual({ changes: [], kinds: [], more: false, next });
      expect((await list(Date.now() + 86_400_000)).next).toEqual(next);
    });

    it('lists what is cited, retracted, and removed, and nothing else', async () => {
      await arrives(TIDES);
      await arrives(WAVES);
      let { next } = await list(0);
      const expectNext = async (...expected: string[][]): Promise<void> => {
        const listed = await list(next);
        expect(listed.kinds).toEqual(expected);
        next = listed.next;
      };
      await arrives(TIDES);
      await arrives({ ...TIDES, details: { citationCount: 2 } });
      await expectNext();
      await arrives({ ...TIDES, year: 2002 });
      await arrives({ ...WAVES, title: 'High waves' });
      await expectNext(['tides', 'changed'], ['waves', 'changed']);
      await arrives({ ...TIDES, withheld: 'retracted' });
      await expectNext(['tides', 'retracted']);
      await arrives({ ...TIDES, withheld: 'retracted', year: 2003 });
      await expectNext();
      await arrives(TIDES);
      await expectNext(['tides', 'added']);
      await arrives({ ...TIDES, id: '10.5555/tides' });
      await expectNext(['10.5555/tides', 'added'], ['tides', 'removed']);
      const { builder, index } = get();
      const deletion = await planToy(builder, { source: 's2', deletion: { s2: '2' } });
      await builder.apply([deletion], () => []);
      await index.remove(['10.5555/tides', 'unknown']);
      await expectNext(['waves', 'removed'], ['10.5555/tides', 'removed']);
      expect((await list(0)).changes.every(({ t }) => t === undefined)).toBe(true);
      await arrives({ ...WAVES, withheld: 'withdrawn' });
      await expectNext(['waves', 'withdrawn']);
    });

    it('calls a paper added that came after the first of several lists', async () => {
      await arrives(TIDES);
      const { next: known } = await list(0);
      for (const id of ['a', 'b', 'c']) await arrives(recordOf({ id, title: id }));
      const first = await list(known, 1);
      expect(first).toMatchObject({ kinds: [['a', 'added']], more: true });
      await arrives({ ...TIDES, year: 2002 });
      await arrives(recordOf({ id: 'b', title: 'b', year: 2002 }));
      const rest = await list(first.next, 3);
      expect(rest).toMatchObject({ more: false });
      expect(rest.kinds).toEqual([
        ['c', 'added'],
        ['tides', 'changed'],
        ['b', 'added'],
      ]);
      await arrives(recordOf({ id: 'b', title: 'b', year: 2003 }));
      expect((await list(rest.next)).kinds).toEqual([['b', 'changed']]);
    });

    it('refuses a cursor of another index, and of a state that is gone', async () => {
      await arrives(TIDES);
      const { next } = await list(0);
      const others = [
        { ...next, index: next.index.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) },
        { ...next, after: next.after + 1 },
      ];
      for (const other of others) {
        await expect(list(other)).rejects.toMatchObject({ code: 'cursor_over' });
      }
    });

    const seed = testSeed();
    it(`lists all that a copy needs, seed ${seed}`, async () => {
      const random = createRandom(seed);
      const copy = new Map<string, string | undefined>();
      let start: number | ChangesCursor = 0;
      const follow = async (): Promise<void> => {
        for (let more = true; more; ) {
          const listed = await list(start, 1 + random.below(3));
          for (const { d, kind, t } of listed.changes) {
            if (kind === 'withdrawn') copy.delete(d);
            else copy.set(d, t);
          }
          start = listed.next;
          more = listed.more;
        }
      };
      for (let step = 0; step < 60; step++) {
        const number = String(random.below(6));
        const act = random.below(8);
        if (act === 0) {
          await get().index.remove([`p${number}`]);
          if (random.below(2) === 0) await get().index.restore([`p${number}`]);
        }
        if (act > 0) {
          await arrives(
            recordOf({
              source: act > 4 ? 's2' : 'openalex',
              identifiers: { doi: `10.5555/${number}` },
              id: act > 6 ? `p${random.below(6)}` : `p${number}`,
              title: `Paper ${random.below(3)}`,
              ...(act === 1 ? { withheld: 'retracted' as const } : {}),
            }),
          );
        }
        if (random.below(4) === 0) await follow();
      }
      await follow();
      const present = new Map<string, string>();
      for await (const { id, title, withheld } of get().index.records()) {
        if (withheld === undefined) present.set(id, title);
      }
      expect(copy).toEqual(present);
    });
  });
}
