import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifiersOf } from '../../../src/identity/identifiers.ts';
import { verbatimFormat, verbatimLine } from '../../../src/ingest/formats/verbatim.ts';
import { jsonLines } from '../index-files.ts';
import { entriesOf, recognizes, recordOf } from '../read-format.ts';

const whole = {
  id: 'a',
  title: 'Tides',
  abstract: 'The sea rises.',
  year: 1998,
  authors: ['A. Berg'],
  venue: 'Shore',
};

describe('the verbatim format', () => {
  it.each([
    ['all fields', whole, whole],
    ['an id alone', { id: 'a' }, { id: 'a' }],
    ['a number as id', { id: 7, title: 'Tides' }, { id: '7', title: 'Tides' }],
    [
      'a DOI before an id',
      { id: 'a', doi: 'doi:10.5555/A' },
      { id: '10.5555/a', identifiers: { doi: '10.5555/a' } },
    ],
    ['an empty DOI', { id: 'a', doi: ' ' }, { id: 'a' }],
    ['a DOI that is none', { id: 'a', doi: 'n/a' }, { id: 'a' }],
    [
      'null in each field',
      { id: 'a', doi: null, year: null, authors: null, venue: null, identifiers: null },
      { id: 'a' },
    ],
    ['other fields', { ...whole, citations: [[[1]]], deep: { er: {} } }, whole],
    ['no id', { title: 'Tides' }, { title: 'Tides' }],
    [
      'identifiers in any spelling, of which the id is made where there is none',
      { title: 'Tides', identifiers: { pmid: 12, arxiv: 'arXiv:2401.00001v3', doi: 5, x: 'y' } },
      { id: 'arXiv:2401.00001', title: 'Tides', identifiers: { arxiv: '2401.00001', pmid: '12' } },
    ],
    [
      'an id that is not the first of its identifiers',
      { ...whole, identifiers: { doi: '10.5555/a' } },
      { ...whole, identifiers: { doi: '10.5555/a' } },
    ],
    [
      'a DOI as the id, and keeps it as it is',
      { ...whole, id: '10.5555/A' },
      { ...whole, id: '10.5555/A', identifiers: { doi: '10.5555/a' } },
    ],
    [
      'an arXiv id, where the identifiers have another one',
      { ...whole, id: '2510.06265', identifiers: { arxiv: '2510.00001' } },
      { ...whole, id: '2510.06265', identifiers: { arxiv: '2510.00001' } },
    ],
    [
      'why it is withheld and when it changed',
      { ...whole, withheld: 'retracted', updated: '2024-05-01T00:00:00.000Z' },
      { ...whole, withheld: 'retracted' as const, updatedAt: 1714521600000 },
    ],
  ])('reads %s', async (_, record, document) => {
    const entries = await entriesOf(verbatimFormat, jsonLines([record]));
    expect(entries).toEqual([{ line: 1, document: recordOf(document) }]);
  });

  it.each([
    ['2510.06265', '2510.06265'],
    ['math/0309136', 'math/0309136'],
    ['arXiv:2510.06265v2', '2510.06265'],
  ])('recognizes the arXiv id %s and keeps it unchanged', async (id, arxiv) => {
    const [entry] = await entriesOf(verbatimFormat, jsonLines([{ ...whole, id }]));
    expect(entry).toEqual({
      line: 1,
      document: recordOf({ ...whole, id, identifiers: { arxiv } }),
    });
  });

  it.each([
    ['id', [1]],
    ['id', true],
    ['doi', 5],
    ['title', ['Tides']],
    ['abstract', { en: 'The sea rises.' }],
    ['year', 'last year'],
    ['authors', 'A. Berg'],
    ['authors', [7]],
    ['venue', 5],
    ['withheld', 'lost'],
    ['updated', 'yesterday'],
  ])('names the field %s if it is %j', async (field, value) => {
    const content = jsonLines([{ ...whole, [field]: value }, whole]);
    const [first, second] = await entriesOf(verbatimFormat, content);
    const problem = expect.stringContaining(`"${field}" must be `);
    expect(first).toEqual({ line: 1, problem, reason: 'malformed' });
    expect(second).toEqual({ line: 2, document: recordOf(whole) });
  });

  it.each([
    [true, 'our documents', { id: 'a', title: 'Tides' }],
    [true, 'a DOI and an abstract', { doi: '10.5555/a', abstract: 'It rose.' }],
    [true, 'identifiers alone', { identifiers: { pmid: '12' }, title: 'Tides' }],
    [false, 'records without an id', { title: 'Tides' }],
    [false, 'records without a text', { id: 'a', name: 'Tides' }],
  ])('recognizes() returns %s for %s', (expected, _, record) => {
    expect(recognizes(verbatimFormat, jsonLines([record]))).toBe(expected);
  });
});

describe('verbatimLine', () => {
  it('omits unknown fields', () => {
    expect(verbatimLine(recordOf(whole))).toBe(JSON.stringify(whole));
  });

  it('writes any record so that it reads back unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRecord(), { maxLength: 5 }), async (records) => {
        const content = records.map((record) => `${verbatimLine(record)}\n`).join('');
        const entries = await entriesOf(verbatimFormat, content);
        expect(entries).toEqual(records.map((document, index) => ({ line: index + 1, document })));
      }),
    );
  });
});

/** Whatever a format can read: texts that SQLite can store, ids and names trimmed. */
function anyRecord() {
  const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', ''));
  const name = text.map((value) => value.trim()).filter((value) => value !== '');
  const identifiers = fc
    .record(
      {
        doi: fc.nat().map((value) => `10.5555/${value}`),
        arxiv: fc.constant('hep-th/9901001'),
        pmid: fc.nat().map(String),
        pmcid: fc.constant('PMC7'),
        acl: fc.constantFrom('P19-1001', '2024.acl-long.1'),
        openalex: fc.constant('W1'),
        s2: fc.nat().map(String),
      },
      { requiredKeys: [] },
    )
    .map(identifiersOf);
  const withheld = fc.constantFrom({}, { withheld: 'retracted' }, { withheld: 'withdrawn' });
  const record = fc.record({
    id: name,
    title: text,
    abstract: text,
    year: fc.nat({ max: 9999 }),
    authors: fc.array(name),
    venue: text,
    identifiers,
    updatedAt: fc.integer({ min: -8.64e15, max: 8.64e15 }),
  });
  return fc
    .tuple(record, withheld)
    .map(([known, reason]) => recordOf({ ...known, ...(reason as object) }));
}
