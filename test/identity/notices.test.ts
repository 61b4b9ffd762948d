import { describe, expect, it } from 'vitest';
import { distinctNotices, retractionOf } from '../../src/identity/notices.ts';
import type { Notice } from '../../src/types.ts';

const notice = (kind: Notice['kind'], date: string): Notice => ({ kind, date, id: '' });

describe('the retraction that holds', () => {
  it.each<[expected: Notice['kind'] | undefined, notices: Notice[]]>([
    [undefined, []],
    [undefined, [notice('correction', '2020')]],
    ['retraction', [notice('correction', '2021'), notice('retraction', '2020')]],
    ['retraction', [notice('expression_of_concern', '2019'), notice('retraction', '')]],
    ['withdrawal', [notice('withdrawal', '2020')]],
    [undefined, [notice('reinstatement', '2021'), notice('retraction', '2020')]],
    ['retraction', [notice('retraction', '2022'), notice('reinstatement', '2021')]],
    ['expression_of_concern', [notice('expression_of_concern', '2020')]],
  ])('is a %s', (expected, notices) => {
    expect(retractionOf(notices)?.kind).toBe(expected);
  });
});

describe('notices of several sources', () => {
  const noticeOf = (date: string, id = '', kind: Notice['kind'] = 'retraction'): Notice => ({
    kind,
    date,
    id,
  });

  it.each<[what: string, notices: Notice[], distinct: Notice[]]>([
    [
      'one DOI',
      [noticeOf('2021', '10.5555/n'), noticeOf('2021-03-09', '10.5555/N')],
      [noticeOf('2021-03-09', '10.5555/n')],
    ],
    [
      'one day, and one DOI',
      [noticeOf('2021-03-09'), noticeOf('2021-03', '10.5555/n')],
      [noticeOf('2021-03-09', '10.5555/n')],
    ],
    [
      'two DOIs',
      [noticeOf('2021', '10.5555/n'), noticeOf('2022', '10.5555/m')],
      [noticeOf('2022', '10.5555/m'), noticeOf('2021', '10.5555/n')],
    ],
    [
      'two days',
      [noticeOf('2021-03-09'), noticeOf('2021-04-09')],
      [noticeOf('2021-04-09'), noticeOf('2021-03-09')],
    ],
    [
      'two kinds',
      [noticeOf('2021', 'n'), noticeOf('2021', 'n', 'correction')],
      [noticeOf('2021', 'n', 'correction'), noticeOf('2021', 'n')],
    ],
  ])('are told apart: %s', (_what, notices, distinct) => {
    const before = structuredClone(notices);
    expect(distinctNotices(notices)).toHaveLength(distinct.length);
    expect(distinctNotices(notices)).toEqual(expect.arrayContaining(distinct));
    expect(notices).toEqual(before);
  });
});
