/** Papers as BibTeX, read again by the program's own reader. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bibtexFormat } from '../../../src/ingest/formats/bibtex.ts';
import type { Paper } from '../../../src/search/papers/paper.ts';
import { papersToBibtex } from '../../../src/search/papers/write-bibtex.ts';
import type { SourceRecord } from '../../../src/types.ts';
import { entriesOf } from '../../ingest/read-format.ts';
import { PREPRINT, TIDES } from './papers.ts';

async function readBack(papers: readonly Paper[]): Promise<SourceRecord[]> {
  const entries = await entriesOf(bibtexFormat, papersToBibtex(papers));
  return entries.map((entry) => {
    if (!('document' in entry)) throw new Error(JSON.stringify(entry));
    return entry.document;
  });
}

describe('papers as BibTeX', () => {
  it('say the same when they are read again', async () => {
    const [tides, moons] = await readBack([TIDES, PREPRINT]);
    const { title, abstract, year, venue, identifiers } = TIDES;
    expect(tides).toMatchObject({ title, abstract, year, venue, identifiers });
    expect(tides?.authors).toEqual([
      ...['Anna Berg', 'Jan van der Dahl', 'Martin King Jr.', 'ATLAS Collaboration', 'E Falk'],
    ]);
    expect(moons).toMatchObject({ title: 'Moons', identifiers: PREPRINT.identifiers });
  });

  it('are entries as people write them', () => {
    expect(papersToBibtex([TIDES]).split('\n').slice(0, 9)).toEqual([
      '@article{berg2020tides,',
      '  title = {Tides \\& currents: 5\\% of {DNA} at the shore},',
      '  author = {Berg, Anna and van der Dahl, Jan and King, Jr., Martin and {ATLAS Collaboration} and Falk, E},',
      '  year = {2020},',
      '  journal = {Journal of Shores \\& Seas},',
      '  doi = {10.5555/tides_1},',
      '  pmid = {7},',
      '  pmcid = {PMC8},',
      '  url = {https://doi.org/10.5555/tides_1},',
    ]);
    expect(papersToBibtex([PREPRINT])).toBe(
      [
        '@misc{moons,',
        '  title = {Moons},',
        '  eprint = {2401.00001},',
        '  archiveprefix = {arXiv},',
        '  url = {https://arxiv.org/abs/2401.00001},',
        '}\n',
      ].join('\n'),
    );
  });

  it('have a DOI as it is, no marks of direction, and a short key', () => {
    const paper: Paper = {
      ...TIDES,
      title: `\u202eTides\u202c ${'a'.repeat(500)}`,
      authors: [`\u2067Berg${'g'.repeat(500)}\u2069`],
      identifiers: { doi: '10.1002/(sici)1%23_a<1::aid-b>3.0.co;2-{' },
    };
    const [start = '', ...lines] = papersToBibtex([paper, paper]).split('\n');
    expect(start).toBe(`@article{berg${'g'.repeat(56)},`);
    expect(lines).toContain('  doi = {10.1002/(sici)1%23_a<1::aid-b>3.0.co;2-%7B},');
    expect(lines).toContain(`@article{berg${'g'.repeat(56)}b,`);
    expect(lines.join('')).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it('have a key of their own each', () => {
    const keys = papersToBibtex([TIDES, TIDES, TIDES, { ...PREPRINT, title: '月' }]).match(/@.*/g);
    expect(keys).toEqual([
      '@article{berg2020tides,',
      '@article{berg2020tidesb,',
      '@article{berg2020tidesc,',
      '@misc{paper,',
    ]);
  });

  it('survive any characters of a title and an abstract', async () => {
    const piece = fc.oneof(
      fc.constantFrom('\\', '{', '}', '{}', '%', '&', '$', '#', '_', '~', '^', '@', '"', "'"),
      fc.constantFrom('DNA', 'tide', 'x^2', '\\alpha', '\\cite{a}', 'é', '月', '😀', '=', ','),
    );
    const text = fc.array(piece, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(' '));
    await fc.assert(
      fc.asyncProperty(text, text, async (title, abstract) => {
        const [read] = await readBack([{ ...TIDES, title, abstract }]);
        expect(read).toMatchObject({ title, abstract });
      }),
      { numRuns: 200 },
    );
  });
});
