import { describe, expect, it } from 'vitest';
import { readCrossrefUpdate } from '../../src/identity/crossref-updates.ts';

describe("an update in Crossref's metadata", () => {
  it('tells the kind, the day, and the DOI of the other side', () => {
    const update = {
      DOI: '10.5555/NOTICE',
      type: 'retraction',
      label: 'Retraction',
      source: 'publisher',
      updated: { 'date-parts': [[2021, 3, 9]], 'date-time': '2021-03-09T00:00:00Z' },
    };
    expect(readCrossrefUpdate(update)).toEqual({
      doi: '10.5555/notice',
      kind: 'retraction',
      date: '2021-03-09',
      withheld: 'retracted',
    });
  });

  it.each([
    ['retraction', 'retraction', 'retracted'],
    ['Retraction', 'retraction', 'retracted'],
    ['withdrawal', 'withdrawal', 'withdrawn'],
    ['removal', 'withdrawal', 'withdrawn'],
    ['expression_of_concern', 'expression_of_concern', undefined],
    ['expression-of-concern', 'expression_of_concern', undefined],
    ['Expression of Concern', 'expression_of_concern', undefined],
    ['correction', 'correction', undefined],
    ['erratum', 'correction', undefined],
    ['corrigendum', 'correction', undefined],
    ['partial_retraction', 'correction', undefined],
  ])('of the type %j is a %s: %s', (type, kind, withheld) => {
    expect(readCrossrefUpdate({ type })).toEqual({ doi: '', kind, date: '', withheld });
  });

  it.each(['new_version', 'addendum', 'clarification', '', 7, undefined, ['retraction']])(
    'of the type %j says nothing against the paper',
    (type) => {
      expect(readCrossrefUpdate({ type, DOI: '10.5555/n' })).toBeUndefined();
    },
  );

  it.each<[updated: unknown, date: string]>([
    [{ 'date-parts': [[2021, 12]] }, '2021-12'],
    [{ 'date-parts': [[2021]] }, '2021'],
    [{ 'date-parts': [[2021, 13, 9]] }, '2021'],
    [{ 'date-parts': [[2021, 3, 32]] }, '2021-03'],
    [{ 'date-parts': [[2021, 3, 1.5]] }, '2021-03'],
    [{ 'date-parts': [[null]] }, ''],
    [{ 'date-parts': [['2021']] }, ''],
    [{ 'date-parts': 2021 }, ''],
    [{}, ''],
    [null, ''],
    ['2021-03-09', ''],
  ])('of the date %j was on %j', (updated, date) => {
    expect(readCrossrefUpdate({ type: 'correction', updated })?.date).toBe(date);
  });
});
