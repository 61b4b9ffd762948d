import { describe, expect, it } from 'vitest';
import { printReference, referencesOf } from '../../../src/ingest/values/cited-works.ts';

describe('referencesOf', () => {
  it('normalizes identifiers, and takes the arXiv id in place of the DOI that contains it', () => {
    const written = [
      { identifiers: { doi: 'https://doi.org/10.5555/Tides' } },
      { identifiers: { doi: '10.48550/arXiv.2401.00001v2' } },
      { identifiers: { doi: '10.5555/mud', arxiv: 'math.GT/0309136', pmid: 12 } },
    ];
    expect(referencesOf(written)).toEqual({
      references: [
        { identifiers: { doi: '10.5555/tides' } },
        { identifiers: { arxiv: '2401.00001' } },
        { identifiers: { doi: '10.5555/mud', arxiv: 'math/0309136', pmid: '12' } },
      ],
    });
  });

  it('keeps a text only where there is no valid identifier', () => {
    const print = (): string => ' Berg A.\n\tTides. ';
    const unread = (): string => expect.fail('The text is not needed.');
    const written = [
      { identifiers: { doi: 'n/a' }, print },
      { identifiers: { doi: '10.5555/a' }, print: unread },
    ];
    expect(referencesOf(written)).toEqual({
      references: [
        { identifiers: {}, text: 'Berg A. Tides.' },
        { identifiers: { doi: '10.5555/a' } },
      ],
    });
  });

  it('leaves out empty and repeated references', () => {
    const texts = ['', ' 12. ', 'Tides', ' Tides ', 'Mud'];
    const written = [
      {},
      { identifiers: { doi: '', s2: {} } },
      ...texts.map((text) => ({ print: () => text })),
      { identifiers: { doi: '10.5555/a', pmid: '7' } },
      { identifiers: { pmid: 'PMID: 7' } },
    ];
    expect(referencesOf(written)).toEqual({
      references: [
        { identifiers: {}, text: 'Tides' },
        { identifiers: {}, text: 'Mud' },
        { identifiers: { doi: '10.5555/a', pmid: '7' } },
      ],
    });
    expect(referencesOf([{}])).toEqual({});
  });

  it('shortens a long text without cutting a character', () => {
    const texts = [`${'a'.repeat(299)}𝛼b`, `${'b'.repeat(298)} c d`, `d${' '.repeat(400)}e`];
    const { references } = referencesOf(texts.map((text) => ({ print: () => text })));
    expect(references?.map(({ text }) => text)).toEqual([
      'a'.repeat(299),
      `${'b'.repeat(298)} c`,
      'd e',
    ]);
  });

  it('keeps the first 5,000', () => {
    const written = Array.from({ length: 6_000 }, (_, at) => ({ identifiers: { pmid: at + 1 } }));
    const { references } = referencesOf(written);
    expect(references).toHaveLength(5_000);
    expect(references?.at(-1)).toEqual({ identifiers: { pmid: '5000' } });
  });
});

describe('printReference', () => {
  it.each([
    [
      ['A. Berg', 'B. Dahl'],
      { year: '1998', title: 'Tides.', venue: 'Shore', volume: '12', firstPage: '3' },
      'A. Berg et al. (1998). Tides. Shore, 12, 3',
    ],
    [['Ek C.'], { year: '', title: 'Mud', venue: '' }, 'Ek C. Mud'],
    [[], { year: '1998', title: '', venue: 'Shore' }, '(1998). Shore'],
    [[], { year: '', title: '', venue: '' }, ''],
  ])('prints the known parts of a reference by %j', (authors, parts, printed) => {
    expect(printReference({ authors, ...parts })).toBe(printed);
  });
});
