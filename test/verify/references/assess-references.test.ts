/** Assessments, with an index in memory; and the rule about references that are not found. */
import { describe, expect, it } from 'vitest';
import type { KeptRecord } from '../../../src/identity/kept-record.ts';
import { REFERENCES_MIN } from '../../../src/verify/references/assess-references.ts';
import { parseCompleteSets } from '../../../src/verify/references/coverage.ts';
import type { ReferenceResult } from '../../../src/verify/references/verify-reference.ts';
import { TIDES, verifyReferences } from './verify-in-memory.ts';

type Fields = Record<string, unknown>;

const MOONS: Partial<KeptRecord> = {
  ...TIDES,
  id: '10.5555/moons',
  title: 'Moons of the outer shore and their influence on sediment',
  authors: ['Carl Ek', 'Dina Gran'],
  identifiers: { doi: '10.5555/moons' },
};
const CITED = {
  title: TIDES.title,
  authors: ['Anna Berg', 'Bo Dahl', 'Eva Falk'],
  year: 2020,
  venue: 'Journal of Shores',
};
const INVENTED = {
  title: 'Glaciers that nobody has ever measured',
  authors: ['Hugo Iversen', 'Johan Kvist'],
  year: 2020,
  venue: 'Journal of Shores',
};
const NOT_FOUND: [string, Fields] = ['an invented work', INVENTED];

function verify(
  references: readonly Fields[],
  { records = [TIDES, MOONS], complete = '' } = {},
): Promise<ReferenceResult[]> {
  return verifyReferences(references, { records, complete, include: ['assessment'] });
}

async function assess(reference: Fields, complete = ''): Promise<string | undefined> {
  const [result] = await verify([reference], { complete });
  return result?.assessment;
}

describe('a reference to a work of the index is likely real', () => {
  it.each<[string, Fields]>([
    ['as it is', {}],
    ['with another venue', { venue: 'Nature' }],
    ['with another year', { year: 2050 }],
    ['with both', { venue: 'Nature', year: 1950 }],
    ['without a co-author', { authors: ['Anna Berg', 'Eva Falk'] }],
    ['with an invented identifier', { doi: '10.5555/nothing' }],
    ['with a misspelled title', { title: TIDES.title?.replace('moored', 'mored') }],
    ['with another preposition', { title: TIDES.title?.replace('from', 'with') }],
    [
      'with another title and year',
      { title: TIDES.title?.replace('measure', 'state'), year: 2021 },
    ],
    ['with authors of families alone', { authors: ['Berg', 'Dahl', 'Falk'] }],
  ])('%s', async (_, change) => {
    expect(await assess({ ...CITED, ...change })).toBe('likely_real');
  });
});

describe('a reference that contradicts itself is likely fabricated', () => {
  it.each<[string, Fields]>([
    ['by the identifier of another work', { ...INVENTED, doi: '10.5555/tides' }],
    ['by other people', { ...CITED, authors: ['Hugo Iversen', 'Johan Kvist'] }],
    ['by one word of the title', { ...CITED, title: TIDES.title?.replace('moored', 'floating') }],
  ])('%s', async (_, reference) => {
    expect(await assess(reference)).toBe('likely_fabricated');
  });

  it.each<[string, Fields]>([
    [
      'another title has the same year only',
      { ...CITED, authors: ['A. Xu', 'B. Yu'], venue: 'Nature' },
    ],
    ['one name may be misspelled', { ...CITED, authors: ['Anna Bergh'] }],
    ['another script spells names otherwise', { ...CITED, authors: ['Анна Берг', 'Бо Даль'] }],
    ['the identifier is the wrong one of two', { ...CITED, doi: '10.5555/moons' }],
    [
      'a chapter has the identifier of its book',
      { ...INVENTED, venue: MOONS.title, doi: '10.5555/moons' },
    ],
    NOT_FOUND,
    [
      'a similar title is by others',
      { ...INVENTED, title: 'Tides of the southern shore: measurements from moored instruments' },
    ],
    ['there is nothing to look up', { year: 2020 }],
  ])('but not if %s', async (_, reference) => {
    expect(await assess(reference)).not.toBe('likely_fabricated');
  });
});

describe('what is not found is likely fabricated if the index is declared complete', () => {
  it.each<[string, string, Fields]>([
    ['for everything', '*', {}],
    ['for its venue', 'Nature; J. Shores', {}],
    ['for its venue and year', 'Journal of Shores 2000-2022', {}],
    ['for its scheme', 'arxiv:*', { arxiv: '2001.00001' }],
  ])('%s', async (_, complete, change) => {
    const [result] = await verify([{ ...INVENTED, ...change }], { complete });
    expect(result).toMatchObject({ verdict: 'not_found', assessment: 'likely_fabricated' });
    expect(result?.reason).toContain('the index is said to have all of');
  });

  it.each<[string, string, Fields]>([
    ['for another venue', 'Nature', {}],
    ['for other years', 'Journal of Shores 2000-2021', {}],
    ['for a venue that it does not name', 'Journal of Shores', { venue: undefined }],
    ['for years, without a year', '* 2000-2030', { year: undefined }],
    ['for another scheme', 'arxiv:*', { doi: '10.5555/nothing' }],
    ['for years before its identifier', 'arxiv:* 1991-2024', { arxiv: '2602.00001' }],
    ['for nothing', '', {}],
  ])('but not %s', async (_, complete, change) => {
    const [result] = await verify([{ ...INVENTED, ...change }], { complete });
    expect(result).toMatchObject({ verdict: 'not_found', assessment: 'cannot_tell' });
    expect(result?.reason).toContain('the index may lack it');
  });

  it.each([
    ['NeurIPS 2020-2010', 'ends before it begins'],
    ['crossref:*', '"crossref:*" is no set of papers'],
    ['a;'.repeat(201), 'at most 200 sets'],
  ])('%s is refused', (setting, message) => {
    expect(() => parseCompleteSets(setting)).toThrow(message);
  });
});

describe('what is not found among many that are found', () => {
  const records = Array.from({ length: 84 }, (_, at) => ({
    ...TIDES,
    id: `10.5555/tides-${at}`,
    title: `Tides of the northern shore, part ${at} of the measurements`,
    identifiers: { doi: `10.5555/tides-${at}` },
  }));
  const found = records.map(({ title }) => ({ ...CITED, title }));
  const least = REFERENCES_MIN[0] as number;
  const assessInvented = async (...references: Fields[]): Promise<unknown[]> => {
    const results = await verify(references, { records });
    return results.filter(({ verdict }) => verdict === 'not_found').map((one) => one.assessment);
  };

  it('is likely fabricated if it is the only one', async () => {
    const few = found.slice(0, least - 2);
    expect(await assessInvented(INVENTED, ...few)).toEqual(['cannot_tell']);
    const enough = found.slice(0, least - 1);
    expect(await assessInvented(...enough, INVENTED)).toEqual(['likely_fabricated']);
  });

  it('is likely fabricated if it is one of two, of twice as many', async () => {
    const other = { ...INVENTED, title: 'Deserts that nobody has ever crossed' };
    const all = await assessInvented(INVENTED, ...found, other);
    expect(all).toEqual(['likely_fabricated', 'likely_fabricated']);
    const fewer = await assessInvented(INVENTED, ...found.slice(0, 60), other);
    expect(fewer).toEqual(['cannot_tell', 'cannot_tell']);
  });

  it('may be real if it is older than all others', async () => {
    const old = { ...INVENTED, year: 1950 };
    expect(await assessInvented(old, ...found)).toEqual(['cannot_tell']);
  });

  it('is no evidence if one work is cited again and again', async () => {
    const again = Array<Fields>(least).fill({ ...CITED, title: records[0]?.title });
    expect(await assessInvented(INVENTED, ...again)).toEqual(['cannot_tell']);
  });
});

it('at most 0.01 of true references are called fabricated, whatever share the index lacks', () => {
  for (let references = 1; references <= 1_000; references++) {
    const tolerated = REFERENCES_MIN.filter((least) => references >= least).length;
    for (let missing = 0; missing <= 1; missing += 0.0005) {
      // The chance of 0 misses, and from it that of each further number.
      let chance = (1 - missing) ** references;
      let called = 0;
      for (let misses = 1; misses <= tolerated; misses++) {
        chance *= ((references - misses + 1) / misses) * (missing / (1 - missing));
        called += misses * chance;
      }
      if (called / references > 0.01) expect([references, missing, called]).toEqual([]);
    }
  }
});

it('adds no assessment unless it is asked for', async () => {
  const [result] = await verifyReferences([CITED], { records: [TIDES] });
  expect(result).not.toHaveProperty('assessment');
});
