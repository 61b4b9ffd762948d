/** Whether a record is an earlier one of its source whose title was edited. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEdited, workKeyOf } from '../../src/identity/edited-title.ts';
import type { KeptRecord } from '../../src/identity/kept-record.ts';
import { recordOf } from './records.ts';

const ABSTRACT =
  'Eelgrass grows faster in sheltered bays than on open shores, as 12 plots in 3 bays show. ' +
  'Storms tear it out, and light decides how deep it grows in clear and in turbid water.';
const TIDES = recordOf({
  source: 'personal refs.csv',
  title: 'Tides and eelgrass',
  abstract: ABSTRACT,
  year: 2020,
  authors: ['Anna Berg', 'Carl Holm'],
});

function isOne(changes: Partial<KeptRecord>, before: Partial<KeptRecord> = {}): boolean {
  const [own, other] = [recordOf({ ...TIDES, ...before }), recordOf({ ...TIDES, ...changes })];
  const key = workKeyOf(own);
  return key !== undefined && key === workKeyOf(other) && isEdited(own, other);
}

describe('a record with another title', () => {
  it.each<[what: string, changes: Partial<KeptRecord>]>([
    ['another title', { title: 'Tides, eelgrass, and storms' }],
    ['names in other letters', { title: 'T', authors: ['Anna BERG', 'Carl  Holm'] }],
    ['a word more in the abstract', { title: 'T', abstract: `${ABSTRACT} Always.` }],
    ['other punctuation', { title: 'T', abstract: ABSTRACT.replaceAll(',', ';') }],
  ])('is the earlier one: %s', (_, changes) => {
    expect(isOne(changes)).toBe(true);
  });

  it.each<[what: string, changes: Partial<KeptRecord>, before?: Partial<KeptRecord>]>([
    ['another year', { year: 2021 }],
    ['no year', { year: 0 }, { year: 0 }],
    ['another author', { authors: ['Anna Berg', 'Dora Holm'] }],
    ['one author less', { authors: ['Anna Berg'] }],
    ['no author', { authors: [] }, { authors: [] }],
    ['a DOI', { identifiers: { doi: '10.5555/1' } }],
    ['an erratum', { title: 'Erratum: Tides and eelgrass' }],
    ['a reply', { title: 'Reply to: Tides and eelgrass' }],
    ['part II', { title: 'Tides and eelgrass II' }, { title: 'Tides and eelgrass I' }],
    ['part 2', { title: 'Tides and eelgrass. Part 2' }, { title: 'Tides and eelgrass. Part 1' }],
    ['a number in the title', { title: 'Tides of 2019' }, { title: 'Tides of 2018' }],
    ['another number in the abstract', { title: 'T', abstract: ABSTRACT.replace('12', '14') }],
    ['half of the abstract', { title: 'T', abstract: ABSTRACT.slice(0, 90) }],
    ['a short abstract', { title: 'T', abstract: 'It rose.' }, { abstract: 'It rose.' }],
    ['no abstract', { title: 'T', abstract: '' }, { abstract: '' }],
  ])('is another paper: %s', (_, changes, before) => {
    expect(isOne(changes, before)).toBe(false);
  });

  it('needs most words, whatever their order and whichever came first', () => {
    const words = fc.array(fc.constantFrom(...'abcdefghijkl'), { minLength: 20, maxLength: 40 });
    fc.assert(
      fc.property(words, words, (own, other) => {
        const [before, after] = [own, other].map((list) =>
          recordOf({ ...TIDES, abstract: list.join(' ') }),
        ) as [KeptRecord, KeptRecord];
        const count = (list: string[], word: string) => list.filter((one) => one === word).length;
        const shared = [...new Set(own)].reduce(
          (sum, word) => sum + Math.min(count(own, word), count(other, word)),
          0,
        );
        expect(isEdited(before, after)).toBe(shared >= 0.8 * Math.max(own.length, other.length));
        expect(isEdited(after, before)).toBe(isEdited(before, after));
      }),
    );
  });
});
