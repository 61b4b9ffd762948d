/** Retracted and withdrawn papers are no candidates, unless the operator includes them. */
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../src/config.ts';
import { gatherCandidates } from '../../src/search/candidates.ts';
import { matchQuery } from '../../src/search/match-query.ts';
import { createSearchDeps } from '../../src/search/search.ts';
import { createIndexWriter } from '../../src/store/index/documents/index-writer.ts';
import { recordOf } from '../identity/records.ts';
import { memoryIndex, toyModel, toyVector } from '../store/index/memory-index.ts';
import { arrive } from '../store/index/toy-incoming-records.ts';

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
    const deps = createSearchDeps(db, toyModel, limits);
    const candidates = (): number[] => {
      const matched = matchQuery('tide', deps);
      const request = { matched, vector: toyVector('Tides'), results: 10 };
      return gatherCandidates(request, deps)
        .all.map(({ document }) => document)
        .sort();
    };
    return { writer, candidates };
  };

  it.each([
    ['is not a candidate, by words or by meaning', false, [2]],
    ['is a candidate if the operator includes such papers', true, [1, 2]],
  ])('%s', (__, withheldShown, expected) => {
    const { writer, candidates } = candidatesOf(withheldShown);
    expect(candidates()).toEqual([1, 2]);
    arrive(writer, { ...TIDES, withheld: 'retracted' });
    expect(candidates()).toEqual(expected);
    arrive(writer, TIDES);
    expect(candidates()).toEqual([1, 2]);
  });
});
