/** Verdicts about references, with an index in memory and records of several sources. */
import { describe, expect, it } from 'vitest';
import type { KeptRecord } from '../../../src/identity/kept-record.ts';
import type {
  ReferenceResult,
  ReferenceValue,
} from '../../../src/verify/references/verify-reference.ts';
import { TIDES, verifyReferences } from './verify-in-memory.ts';

const PREPRINT: Partial<KeptRecord> = {
  ...TIDES,
  id: 'arXiv:1801.00001',
  source: 'arxiv',
  year: 2018,
  authors: ['Anna Berg', 'Bo Dahl', 'Eva Falk'],
  venue: '',
  identifiers: { arxiv: '1801.00001' },
};
const MOONS: Partial<KeptRecord> = {
  id: '10.5555/moons',
  source: 'doi',
  title: 'Moons of the outer shore',
  year: 2019,
  authors: ['Carl Ek'],
  identifiers: { doi: '10.5555/moons' },
};

async function verify(
  reference: ReferenceValue,
  records: readonly Partial<KeptRecord>[] = [TIDES, MOONS],
): Promise<ReferenceResult> {
  const [result] = await verifyReferences([reference], { records });
  return result as ReferenceResult;
}

const CITED = {
  title: 'Tides of the Northern Shore: Measurements from moored instruments',
  authors: ['A. Berg', 'Dahl, Bo', 'Eva Falk'],
  year: 2020,
  venue: 'J. Shores',
  doi: '10.5555/TIDES',
};

describe('a reference is a match', () => {
  it.each<[string, ReferenceValue]>([
    ['with initials and an abbreviated venue', CITED],
    ['without its subtitle', { ...CITED, title: 'Tides of the northern shore' }],
    ['with "et al."', { ...CITED, authors: ['Anna Berg', 'et al.'] }],
    ['of its identifier alone', { doi: '10.5555/tides' }],
    ['of its identifier alone in BibTeX', '@misc{b, doi={10.5555/tides}}'],
    [
      'in BibTeX',
      '@article{b, title={{Tides} of the northern shore: measurements from moored instruments}, author={Berg, Anna and others}, year=2020}',
    ],
    [
      'in CSL-JSON',
      {
        type: 'article-journal',
        title: CITED.title,
        author: [{ family: 'Berg', given: 'A.' }, { family: 'Dahl' }, { family: 'Falk' }],
        issued: { 'date-parts': [['2020']] },
      },
    ],
    [
      'in RIS',
      `TY  - JOUR\nTI  - ${CITED.title}\nAU  - Berg, A.\nAU  - et al.\nPY  - 2020\nER  - `,
    ],
    [
      'printed in APA style',
      'Berg, A., Dahl, B., & Falk, E. (2020). Tides of the northern shore: Measurements from moored instruments. Journal of Shores, 12(3), 4–5. https://doi.org/10.5555/tides',
    ],
    [
      'printed in IEEE style',
      '[7] A. Berg, B. Dahl, and E. Falk, “Tides of the northern shore: Measurements from moored instruments,” J. Shores, vol. 12, no. 3, pp. 4–5, 2020.',
    ],
    [
      'printed in Vancouver style',
      '3. Berg A, Dahl B, Falk E. Tides of the northern shore: measurements from moored instruments. Journal of Shores. 2020;12(3):4-5.',
    ],
  ])('%s', async (_, reference) => {
    const result = await verify(reference);
    expect(result.fields?.filter(({ verdict }) => verdict === 'different')).toEqual([]);
    expect(result).toMatchObject({ verdict: 'match', d: '10.5555/tides' });
  });

  it('of the preprint, if the index has both versions', async () => {
    const result = await verify(
      { ...CITED, year: 2018, venue: 'arXiv', doi: undefined, arxiv: '1801.00001v2' },
      [TIDES, PREPRINT],
    );
    expect(result).toMatchObject({ verdict: 'match', d: '10.5555/tides' });
  });

  it.each<[string, Record<string, unknown>, Partial<KeptRecord>]>([
    ['with a venue that no record speaks of', {}, { venue: '' }],
    ['with a preprint server as venue', { venue: 'bioRxiv' }, {}],
  ])('%s', async (_, change, record) => {
    const result = await verify({ ...CITED, ...change }, [{ ...TIDES, ...record }]);
    expect(result.fields?.map(({ verdict }) => verdict)).toContain('unverified');
    expect(result.verdict).toBe('match');
  });
});

describe('a reference cannot be verified whole', () => {
  it('with an identifier that no record has', async () => {
    const result = await verify({ ...CITED, doi: '10.5555/other' });
    expect(result).toMatchObject({
      verdict: 'match_unverified',
      d: '10.5555/tides',
      reason: 'no record speaks of its doi',
    });
    expect(result.fields).toContainEqual({
      field: 'doi',
      verdict: 'unverified',
      cited: '10.5555/other',
      recorded: '10.5555/tides',
    });
  });

  it('with authors, if the records name none', async () => {
    const result = await verify({ ...CITED, pmid: 5 }, [{ ...TIDES, authors: [] }]);
    expect(result).toMatchObject({
      verdict: 'match_unverified',
      reason: 'no record speaks of its authors and pmid',
    });
  });

  it('but has errors if it has both', async () => {
    const result = await verify({ ...CITED, doi: '10.5555/other', year: 2021 });
    expect(result.verdict).toBe('match_with_errors');
    expect(result.reason).toBeUndefined();
  });
});

describe('a reference has errors', () => {
  it.each<[string, Record<string, unknown>, string, unknown]>([
    ['another year', { year: 2021 }, 'year', 2020],
    ['another venue', { venue: 'Nature' }, 'venue', 'Journal of Shores'],
    [
      'a missing author',
      { authors: ['Anna Berg', 'Eva Falk'] },
      'authors',
      ['Anna Berg', 'Bo Dahl', 'Eva Falk'],
    ],
    [
      'another order',
      { authors: ['Bo Dahl', 'Anna Berg', 'Eva Falk'] },
      'authors',
      ['Anna Berg', 'Bo Dahl', 'Eva Falk'],
    ],
    [
      'invented authors',
      { authors: ['John Doe'] },
      'authors',
      ['Anna Berg', 'Bo Dahl', 'Eva Falk'],
    ],
    [
      'another word in the title',
      { title: 'Tides of the northern shore: observations from moored instruments' },
      'title',
      TIDES.title,
    ],
  ])('with %s, and comes back corrected', async (_, change, field, right) => {
    const result = await verify({ ...CITED, ...change });
    expect(result.verdict).toBe('match_with_errors');
    const wrong = result.fields?.filter(({ verdict }) => verdict === 'different');
    expect(wrong?.map((one) => one.field)).toEqual([field]);
    expect(result.corrected).toEqual({ ...CITED, ...change, doi: '10.5555/tides', [field]: right });
  });

  it('in the year of a printed one without names, which is no venue', async () => {
    const { fields, corrected } = await verify(`${CITED.title}. 2021.`);
    expect(fields?.map(({ field }) => field)).toEqual(['title', 'year']);
    expect(corrected).toBe(`${CITED.title} (2020). https://doi.org/10.5555/tides`);
  });

  it('in BibTeX, which keeps its other fields', async () => {
    const entry = `@article{b,\n  title = {{Moons} of the outer shore},\n  author = {Carl Ek},\n  year = {1999},\n  pages = {1--2},\n}`;
    const { corrected } = await verify(entry);
    expect(corrected).toBe(
      entry
        .replace('1999', '2019')
        .replace('pages = {1--2},\n', 'pages = {1--2},\n  doi = {10.5555/moons},\n'),
    );
  });
});

describe('a reference is not one of the index', () => {
  it('with the identifier of one work and the title of another', async () => {
    const result = await verify({ ...CITED, doi: '10.5555/moons' });
    expect(result).toMatchObject({
      verdict: 'conflict',
      d: '10.5555/moons',
      other: { d: '10.5555/tides', t: TIDES.title },
    });
  });

  it('with an identifier of the index and an invented title', async () => {
    const result = await verify({ title: 'Glaciers that nobody measured', doi: '10.5555/moons' });
    expect(result).toMatchObject({ verdict: 'conflict', d: '10.5555/moons' });
    expect(result.other).toBeUndefined();
  });

  it('with a short title that another author has too', async () => {
    const result = await verify({ title: 'Moons of the outer shore', authors: ['X. Y. Zed'] }, [
      { ...MOONS, title: 'Moons' },
    ]);
    expect(result.verdict).toBe('not_found');
    const short = await verify({ title: 'Moons', authors: ['X. Y. Zed'] }, [
      { ...MOONS, title: 'Moons' },
    ]);
    expect(short.verdict).toBe('possible_match');
  });

  it.each([
    ['an invented title', { title: 'Glaciers that nobody measured', year: 2020 }],
    ['an empty index', CITED],
  ])('with %s', async (what, reference) => {
    const result = await verify(reference, what === 'an empty index' ? [] : [TIDES]);
    expect(result.verdict).toBe('not_found');
    expect(result.reason).toContain('the index may lack it');
  });
});

it.each([
  ['two entries', '@article{a, title={Tides}}\n@article{b, title={Moons}}', /2 entries/],
  ['an open entry', '@article{a, title={Tides', /breaks off/],
  ['a volume', '@proceedings{a, title={Tides}}', /not a paper/],
  ['no words', '12 34', /no words and no identifier/],
  ['no fields', {}, /neither a title nor an identifier/],
])('%s cannot be read, and says why', async (_, reference, reason) => {
  const result = await verify(reference);
  expect(result.verdict).toBe('unreadable');
  expect(result.reason).toMatch(reason);
});

it('tells what journals announced, the latest first', async () => {
  const announced = {
    part: 'notice',
    source: 'retraction-watch',
    identifiers: { doi: '10.5555/tides' },
  } as const;
  const concern = { kind: 'expression_of_concern', date: '2021-01-01', id: '' } as const;
  const retraction = { kind: 'retraction', date: '2022-02-02', id: '10.5555/notice' } as const;
  const { verdict, notices } = await verify(CITED, [
    TIDES,
    { ...announced, id: 'retraction-watch:1', notice: concern },
    { ...announced, id: 'retraction-watch:2', notice: retraction, withheld: 'retracted' },
  ]);
  expect(verdict).toBe('match');
  expect(notices).toEqual([retraction, concern]);
  const bare = await verify(CITED, [{ ...TIDES, withheld: 'retracted' }]);
  expect(bare.notices).toEqual([{ kind: 'retraction', date: '', id: '' }]);
});
