/** Retracted and withdrawn papers are no candidates, unless the operator includes them. */
import { describe, expect, it } from 'vitest';
import { createIndexWriter } from '../../src/index/documents/index-writer.ts';
import { gatherCandidates } from '../../src/search/candidates.ts';
import { matchQuery } from '../../src/search/match-query.ts';
import { exclude } from '../../src/search/search.ts';
import { readSettings } from '../../src/settings/config.ts';
import { recordOf } from '../identity/records.ts';
import { memoryIndex, toyVector } from '../index/memory-index.ts';
import { arrive } from '../index/toy-incoming-records.ts';
import { sourceOf } from '../support/source-of.ts';

const TIDES = recordOf({ id: 'tides', title: 'Tides', abstract: 'The tide rose.' });
const ALSO = recordOf({ id: 'also', title: 'Tides too', abstract: 'The tide fell.' });

describe.each([
  ['scanned', 1000],
  ['in cells', 1],
])('a withheld document of an index that is %s', (_, exactScanMax) => {
  const candidatesOf = (withheldShown: boolean) => {
    const db = memoryIndex();
    const writer = createIndexWriter(db);
    for (const record of [TIDES, ALSO]) arrive(writer, record);
    const limits = { ...readSettings({}, {}), exactScanMax, withheldShown };
    const source = sourceOf(db, limits);
    const candidates = (): Promise<number[]> =>
      source.view(async (view) => {
        const matched = await matchQuery('tide', view, limits);
        const { withheld } = await exclude(new Set(), view, limits);
        const request = { matched, vector: toyVector('Tides'), results: 10, withheld };
        const { all } = await gatherCandidates(request, view, limits);
        return all.map(({ document }) => document).sort();
      });
    return { writer, candidates };
  };

  it.each([
    ['is not a candidate, by words or by meaning', false, [2]],
    ['is a candidate if the operator includes such papers', true, [1, 2]],
  ])('%s', async (__, withheldShown, expected) => {
    const { writer, candidates } = candidatesOf(withheldShown);
    expect(await candidates()).toEqual([1, 2]);
    arrive(writer, { ...TIDES, withheld: 'retracted' });
    expect(await candidates()).toEqual(expected);
    arrive(writer, TIDES);
    expect(await candidates()).toEqual([1, 2]);
  });
});
