/** Tests of removed papers, which stay out of an index in any database until they are restored. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeptRecord } from '../../../../src/identity/kept-record.ts';
import { anyRecord } from '../../../identity/any-record.ts';
import { recordOf } from '../../../identity/records.ts';
import { createRandom, testSeed } from '../../../support/random.ts';
import { arrive, incomingOf, planToy } from '../builder/index-under-test.ts';
import type { OperatedIndex } from './suite.ts';

const TITLE = 'How the tides of the North Sea rise';
const TIDES = recordOf({
  id: '10.5555/tides',
  title: TITLE,
  abstract: 'It rose.',
  year: 2020,
  authors: ['A. Berg', 'C. Holm'],
  source: 'openalex',
  identifiers: { openalex: 'W1', doi: '10.5555/tides', pmid: '7' },
});
const VERIFY = { problemsMax: 10, onProgress: () => {} };

export function testRemoval(get: () => OperatedIndex): void {
  const arrives = (record: Partial<KeptRecord>, path?: string) =>
    arrive(get().builder, recordOf(record), path);
  const sound = async (documents: number): Promise<void> =>
    expect(await get().index.verify(VERIFY)).toMatchObject({ documents, problems: [] });

  describe('after a paper was removed,', () => {
    it.each<[what: string, record: Partial<KeptRecord>]>([
      ['its record', TIDES],
      ['a newer version of its record', { ...TIDES, updatedAt: 9, abstract: 'It fell.' }],
      ['its record under another id', { ...TIDES, id: 'other', identifiers: { openalex: 'W1' } }],
      [
        'another source with its DOI',
        { id: 'x', source: 'doi', identifiers: { doi: '10.5555/tides' } },
      ],
      [
        'another source with its PMID',
        { id: 'x', source: 's2', identifiers: { s2: '1', pmid: '7' } },
      ],
      [
        'a bibliography with its title, author, and year',
        {
          id: 'a.bib::1',
          source: 'personal a.bib',
          title: TITLE,
          year: 2020,
          authors: ['Berg, A'],
        },
      ],
      ['a record with its id', { id: '10.5555/tides', title: 'T' }],
    ])('keeps away %s', async (_, record) => {
      const { index } = get();
      await arrives(TIDES);
      await index.remove([TIDES.id]);
      for (let time = 0; time < 2; time++) expect(await arrives(record)).toBe('keptAway');
      await sound(0);
      expect((await index.stats()).removed).toBe(record.source === 'openalex' ? 1 : 2);
      // Nothing is written for what is known.
      const { planned } = await planToy(get().builder, incomingOf(recordOf(record)));
      expect(planned).toMatchObject({ outcome: 'keptAway', removedRecords: [], waiting: [] });
    });

    it('keeps no abstract of it, and no separate one that comes later', async () => {
      const { index } = get();
      await arrives(TIDES);
      await index.remove([TIDES.id]);
      const part = { id: '', part: 'abstract', abstract: 'It rained.' } as const;
      const own = {
        ...part,
        source: 's2',
        identifiers: { s2: '1', doi: '10.5555/tides' },
      } as const;
      expect(await arrives(own)).toBe('keptAway');
      expect(
        (await index.findRemoved('PMID:7')).map(({ abstract, authors }) => [abstract, authors]),
      ).toEqual([['', ['A. Berg']]]);
      await index.restore(['10.5555/tides']);
      expect(await arrives({ id: 's', source: 's2', identifiers: { s2: '1' }, title: 'S' })).toBe(
        'added',
      );
      expect((await index.find(['s']))[0]?.[0]?.merged.document.abstract).toBe('');
      await sound(1);
    });

    it('keeps other papers, of the same source and with a similar title', async () => {
      await arrives(TIDES);
      await get().index.remove([TIDES.id]);
      const other = { identifiers: { openalex: 'W2', doi: '10.5555/2' }, id: '10.5555/2' };
      expect(await arrives({ ...TIDES, ...other })).toBe('added');
      await sound(1);
    });

    it('takes a paper out that a record shows to be the removed one', async () => {
      const { index } = get();
      await arrives(TIDES);
      await index.remove([TIDES.id]);
      await arrives({
        id: 'arxiv',
        source: 'arxiv',
        identifiers: { arxiv: '2401.00001' },
        title: 'P',
      });
      await sound(1);
      const both = { arxiv: '2401.00001', doi: '10.5555/tides', s2: '5' };
      expect(await arrives({ id: 's', source: 's2', identifiers: both })).toBe('keptAway');
      await sound(0);
      expect((await index.restore(['arXiv:2401.00001']))[0]).toBe(3);
      expect(await arrives(TIDES)).toBe('added');
      await sound(1);
    });

    it('stays removed when its source deletes it', async () => {
      await arrives(TIDES);
      await get().index.remove([TIDES.id]);
      const deletion = { source: 'openalex', deletion: { openalex: 'W1' } } as const;
      const change = await planToy(get().builder, deletion);
      expect(change.planned.outcome).toBe('unchanged');
      await get().builder.apply([change], () => []);
      expect(await arrives(TIDES)).toBe('keptAway');
    });

    it('keeps away what another build had planned before', async () => {
      const { builder, index } = get();
      await arrives(TIDES);
      const newer = incomingOf({ ...TIDES, abstract: 'It fell.' });
      const planned = await planToy(builder, newer);
      await index.remove([TIDES.id]);
      expect(await builder.apply([planned], () => [])).toEqual([planned]);
      expect((await planToy(builder, newer)).planned.outcome).toBe('keptAway');
    });

    it('takes it back after it was restored, by any form of any identifier', async () => {
      const { index } = get();
      for (const form of ['https://doi.org/10.5555/TIDES', 'PMID:7', 'W1', '10.5555/tides']) {
        await arrives(TIDES);
        await index.remove([TIDES.id]);
        expect(await index.findRemoved(form)).toHaveLength(1);
        expect(await index.restore([form, form, 'no such paper'])).toEqual([1, 0, 0]);
        expect(await index.findRemoved(form)).toEqual([]);
        await sound(0);
        expect(await arrives(TIDES)).toBe('added');
      }
      expect(await index.restore(['10.5555/tides'])).toEqual([0]);
      await sound(1);
    });

    const seed = testSeed();
    it(`never has a document of a removed paper, seed ${seed}`, async () => {
      const { index } = get();
      const random = createRandom(seed);
      const records = fc.sample(anyRecord, { seed, numRuns: 60 });
      for (const record of records) {
        await arrives(record);
        const ids: string[] = [];
        for await (const { id } of index.records()) ids.push(id);
        for (const id of ids) expect([id, await index.findRemoved(id)]).toEqual([id, []]);
        const [some = 'x'] = ids.slice(random.below(Math.max(1, ids.length)));
        if (random.below(4) === 0) await index.remove([some]);
        if (random.below(8) === 0) await index.restore(['10.5555/a', 'PMID:7', 'W1', 'a']);
      }
      expect((await index.verify(VERIFY)).problems).toEqual([]);
    });
  });
}
