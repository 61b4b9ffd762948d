/** What is read of printed references, without an index and with works that they may mean. */
import { describe, expect, it } from 'vitest';
import type { Identifiers } from '../../../src/types.ts';
import { readPrintedReference } from '../../../src/verify/references/read-printed.ts';
import { type Reference, UnreadableReference } from '../../../src/verify/references/reference.ts';
import { groupVersions, type Work } from '../../../src/verify/references/work.ts';
import { recordOf } from '../../identity/records.ts';

const TITLE = 'Tides of the northern shore: a survey of the 2010s';
const AUTHORS = ['A. Berg', 'B. C. van den Dahl', 'E. Falk-Ek'];

function workOf(
  title: string,
  fields: { authors?: string[]; venue?: string; identifiers?: Identifiers } = {},
): Work {
  const record = recordOf({
    title,
    authors: ['Anna Berg', 'Bo Carl van den Dahl', 'Eva Falk-Ek'],
    venue: 'Journal of Shores',
    year: 2020,
    ...fields,
  });
  const document = { ...record, url: '' };
  const [work] = groupVersions([{ document, records: [record], identifiers: {} } as never]);
  return work as Work;
}

function firstReading(text: string): Reference {
  return readPrintedReference(text).readings[0] as Reference;
}

const FULL = { title: TITLE, authors: AUTHORS, year: 2020, venue: 'Journal of Shores' };

describe('a reference without a work is read by the rules of its style', () => {
  it.each<[style: string, text: string, expected: Partial<Reference>]>([
    [
      'APA',
      `Berg, A., van den Dahl, B. C., & Falk-Ek, E. (2020a). ${TITLE}. *Journal of Shores*, *12*(3), 2011–2019. https://doi.org/10.5555/tides`,
      { ...FULL, identifiers: { doi: '10.5555/tides' } },
    ],
    [
      'MLA',
      `Berg, Anna, et al. “${TITLE}.” Journal of Shores, vol. 12, no. 3, 2020, pp. 4–5.`,
      { ...FULL, authors: ['Anna Berg'], hasMoreAuthors: true },
    ],
    [
      'Chicago',
      `Berg, Anna, Bo van den Dahl, and Eva Falk-Ek. "${TITLE}." Journal of Shores 12, no. 3 (2020): 4–5.`,
      { ...FULL, authors: ['Anna Berg', 'Bo van den Dahl', 'Eva Falk-Ek'] },
    ],
    [
      'Vancouver',
      `3. Berg A, van den Dahl BC, Falk-Ek E. ${TITLE}. Journal of Shores. 2020;12(3):4-5.`,
      FULL,
    ],
    [
      'IEEE',
      `[7] A. Berg, B. C. van den Dahl, and E. Falk-Ek, "${TITLE}," Journal of Shores, vol. 12, no. 3, pp. 4–5, 2020.`,
      FULL,
    ],
    [
      'ACM',
      `Anna Berg and Bo Dahl. 2020. ${TITLE}. Journal of Shores 12, 3 (2020), 4–5. https://doi.org/10.5555/tides`,
      { ...FULL, authors: ['Anna Berg', 'Bo Dahl'] },
    ],
    [
      'ACL',
      `Anna Berg, Bo Dahl, and Eva Falk. 2020. ${TITLE}. In Proceedings of the Shore Conference, pages 4–5, Oslo.`,
      {
        ...FULL,
        authors: ['Anna Berg', 'Bo Dahl', 'Eva Falk'],
        venue: 'Proceedings of the Shore Conference',
      },
    ],
    [
      'Nature',
      `9. Berg, A., van den Dahl, B. C. & Falk-Ek, E. ${TITLE}. Journal of Shores 12, 4–5 (2020).`,
      FULL,
    ],
    [
      'Harvard',
      `Berg, A., van den Dahl, B. C. and Falk-Ek, E. (2020) ‘${TITLE}’, Journal of Shores, 12(3), pp. 4–5. Available at: https://example.org (Accessed: 3 May 2024).`,
      FULL,
    ],
    [
      'AAAI',
      `Berg, A.; van den Dahl, B. C.; and Falk-Ek, E. 2020. ${TITLE}. Journal of Shores, 12: 4–5.`,
      FULL,
    ],
    [
      'Springer',
      `Berg, A., van den Dahl, B. C., Falk-Ek, E.: Tides of the northern shore. In: Journal of Shores, pp. 4–5 (2020)`,
      { ...FULL, title: 'Tides of the northern shore' },
    ],
    [
      'an arXiv paper',
      `Berg, A. et al. ${TITLE}. arXiv preprint arXiv:2003.00001v2 (2020).`,
      { title: TITLE, year: 2020, venue: 'arXiv preprint', identifiers: { arxiv: '2003.00001' } },
    ],
    [
      'with editors',
      `Berg, A. (2020). ${TITLE}. In Dahl, B. and Falk, E., editors, Handbook of Shores, pages 4–5. Harbor Press.`,
      { ...FULL, authors: ['A. Berg'], venue: 'Handbook of Shores' },
    ],
    [
      'with names left out',
      `Berg, A., Dahl, B., . . . Zed, Z. (2020). ${TITLE}. Journal of Shores.`,
      { ...FULL, authors: ['A. Berg', 'B. Dahl'], hasMoreAuthors: true },
    ],
    [
      'of two words',
      'Berg, A. (2020). Slack Tides. Journal of Shores, 12, 4–5.',
      { ...FULL, title: 'Slack Tides', authors: ['A. Berg'] },
    ],
    [
      'in Markdown',
      `[^4]: **Berg, A.** & Dahl, B. (2020). [${TITLE}](https://doi.org/10.5555/tides). _Journal of Shores_.`,
      { ...FULL, authors: ['A. Berg', 'B. Dahl'], identifiers: { doi: '10.5555/tides' } },
    ],
  ])('%s', (_, text, expected) => {
    expect(firstReading(text)).toMatchObject(expected);
  });
});

it('no reading of a reference has the year before its title in the title', () => {
  const { readings } = readPrintedReference(`Dahl, B. (2020). ${TITLE}. Journal of Shores.`);
  expect(readings.length).toBeGreaterThan(1);
  expect(readings.filter(({ title }) => /^\W?2020/.test(title))).toEqual([]);
});

describe('a reference beside a work whose title it has', () => {
  const [work, slack] = [workOf(TITLE), workOf('Slack Tides')];
  const beside = (text: string, works = [work, slack]): Reference[] =>
    readPrintedReference(text).readBeside?.(works) ?? [];

  it.each([
    ['in commas only', `A. Berg, B. C. van den Dahl, E. Falk-Ek, ${TITLE}, J. Shores, 2020`],
    ['with full names', `Berg, Anna, van den Dahl, Bo, Falk-Ek, Eva. ${TITLE}. J. Shores, 2020`],
    [
      'broken at the end of a line',
      `A. Berg et al. Tides of the north-\nern shore: a survey of the\n2010s. J. Shores, 2020`,
    ],
    ['with the venue later', `Berg A, et al. ${TITLE}. Oslo: Journal of Shores, Harbor; 2020.`],
    ['without its subtitle', 'Berg A, et al. Tides of the northern shore. J. Shores; 2020.'],
  ])('agrees with it %s', (_, text) => {
    const [reading, ...others] = beside(text);
    expect(others).toEqual([]);
    expect(reading).toMatchObject({ year: 2020, venue: expect.stringMatching(/^J.* Shores$/) });
    expect(reading?.title.replace('-', '')).toMatch(/^Tides of the northern shore/);
  });

  it('says what it says where it differs', () => {
    const [reading] = beside(`X. Zed. ${TITLE}. Nature, 1999.`);
    expect(reading).toMatchObject({ authors: ['X. Zed'], year: 1999, venue: 'Nature' });
  });

  it.each([
    ['is a word of a longer one', `Berg, A. (2020). More ${TITLE}. J. Shores.`],
    ['has another subtitle', 'Berg, A. Tides of the northern shore: a review of the 2010s. 2020.'],
    ['is short, without its authors', 'Zed, X. On moons. Slack Tides, 12, 2020.'],
  ])('is not read if the title %s', (_, text) => {
    expect(beside(text)).toEqual([]);
  });

  it('is read with a short title and its authors', () => {
    expect(beside('Berg et al., Slack Tides, 2020')).toMatchObject([{ title: 'Slack Tides' }]);
  });
});

describe('a reference without a title, beside the work of its identifier', () => {
  const work = workOf(TITLE, { identifiers: { doi: '10.5555/tides' } });
  const read = (text: string): Reference[] =>
    readPrintedReference(`${text} doi:10.5555/tides`).readBeside?.([work]) ?? [];

  it.each([
    'Berg, A., van den Dahl, B. C., & Falk-Ek, E. 2020, J. Shores, 812, 5,',
    'A. Berg, B. C. van den Dahl, and E. Falk-Ek, J. Shores 812, 5 (2020),',
    'Berg, A., van den Dahl, B. C., & Falk-Ek, E. 2020, Journal of Shores, 812, 5,',
  ])('is read without one: %s', (text) => {
    expect(read(text)).toEqual([
      {
        title: '',
        authors: AUTHORS,
        hasMoreAuthors: false,
        year: 2020,
        venue: expect.stringMatching(/^J(?:\.|ournal of) Shores/),
        identifiers: { doi: '10.5555/tides' },
      },
    ]);
  });

  it('is read without one if accents of the journal are missing', () => {
    const [one] =
      readPrintedReference(
        'Berg, A. 2020, Zeitschrift fur Physik, 812, 5. doi:10.5555/tides',
      ).readBeside?.([
        workOf(TITLE, { venue: 'Zeitschrift für Physik', identifiers: { doi: '10.5555/tides' } }),
      ]) ?? [];
    expect(one?.title).toBe('');
  });

  it.each([
    'Berg, A., & Falk-Ek, E. 2020, Moons and the weather of the inner desert, J. Shores, 812, 5,',
    'Ek, C., & Elm, D. 2020, J. Shores, 812, 5,',
    'Berg, A. (2020). Moons of deserts.',
    'Berg, A., & Falk-Ek, E. Deserts and moons. In: Shores; 2020. p. 4-15.',
    'Berg, Anna. “Deserts.” 2020, pp. 4-15.',
    'Berg A, van den Dahl BC, Falk-Ek E. Deserts and moons. In: Journal of Shores; 2020. p. 4-15.',
  ])('but not if it has one, or other authors: %s', (text) => {
    expect(read(text)).toEqual([]);
  });
});

describe('an identifier alone is looked up', () => {
  it.each<[text: string, ...identifiers: object[]]>([
    ['10.5555/tides', { doi: '10.5555/tides' }],
    ['doi:10.5555/tides.', { doi: '10.5555/tides' }],
    ['DOI: 10.5555/tides', { doi: '10.5555/tides' }],
    ['<https://doi.org/10.5555/(tides)>', { doi: '10.5555/(tides)' }],
    [
      'https://doi.org/10.48550/arXiv.2603.23971',
      { doi: '10.48550/arxiv.2603.23971', arxiv: '2603.23971' },
    ],
    ['arXiv:2603.23971', { arxiv: '2603.23971' }],
    ['arXiv:2603.23971v2 [cs.CL]', { arxiv: '2603.23971' }],
    ['https://arxiv.org/pdf/2603.23971v1.pdf', { arxiv: '2603.23971' }],
    ['http://arxiv.org/abs/math/0309136', { arxiv: 'math/0309136' }],
    ['PMID: 31234567', { pmid: '31234567' }],
    ['https://pubmed.ncbi.nlm.nih.gov/31234567/', { pmid: '31234567' }],
    ['PMC1234567', { pmcid: 'PMC1234567' }],
    ['https://www.ncbi.nlm.nih.gov/pmc/articles/PMC1234567/', { pmcid: 'PMC1234567' }],
    ['https://aclanthology.org/2020.acl-main.1/', { acl: '2020.acl-main.1' }],
    ['https://openalex.org/W2741809807', { openalex: 'W2741809807' }],
    ['CorpusID:13756489', { s2: '13756489' }],
    ['https://api.semanticscholar.org/CorpusID:13756489', { s2: '13756489' }],
    ['31234567', { pmid: '31234567' }, { s2: '31234567' }],
  ])('%s', (text, ...identifiers) => {
    const { readings } = readPrintedReference(text);
    expect(readings.map((reading) => reading.identifiers)).toEqual(identifiers);
    expect(readings.map(({ title }) => title)).toEqual(identifiers.map(() => ''));
  });

  it.each(['12 34', '…', 'https://example.org/tides'])('%s has none', (text) => {
    expect(() => readPrintedReference(text)).toThrow(UnreadableReference);
  });
});
