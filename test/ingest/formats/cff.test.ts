import { expect, it } from 'vitest';
import { cffFormat } from '../../../src/ingest/formats/cff.ts';
import { NOT_UTF8 } from '../../../src/ingest/read/utf8.ts';
import { aboutIn, entriesOf, fixture, recognizes, recordOf } from '../read-format.ts';

it('reads the paper to cite instead of the software', async () => {
  const text = fixture('citation.cff');
  expect(recognizes(cffFormat, text)).toBe(true);
  expect(await entriesOf(cffFormat, text)).toEqual([
    {
      line: 2,
      document: recordOf({
        id: '10.5555/grass.81',
        title: 'Counting eelgrass: H2O & mud',
        abstract: 'Eelgrass was counted. It was warm.',
        year: 2019,
        authors: ['Anna M. van Berg Jr.', 'Shore Group'],
        venue: 'Shore Journal',
        identifiers: { doi: '10.5555/grass.81' },
      }),
    },
  ]);
  expect(await aboutIn(cffFormat, text)).toEqual([
    { languages: ['en'], types: ['article'], fields: [] },
  ]);
});

it('reads the software if there is nothing else to cite, and several documents', async () => {
  const text =
    '\ufeffcff-version: 1.2.0\r\ntitle: 2048\r\nauthors:\r\n  - alias: ek\r\n' +
    'date-released: 2021-02-03\r\n---\r\ncff-version: 1.2.0\r\ntype: dataset\r\ntitle: Tides\r\n';
  expect(await entriesOf(cffFormat, text)).toEqual([
    { line: 1, document: recordOf({ title: '2048', year: 2021, authors: ['ek'] }) },
    { line: 7, document: recordOf({ title: 'Tides' }) },
  ]);
  expect(await aboutIn(cffFormat, text)).toMatchObject([
    { types: ['software'] },
    { types: ['dataset'] },
  ]);
});

const BOMB = ['a0: &a0 [x, x]']
  .concat(Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n}, `.repeat(9)}x]`))
  .join('\n');

it.each([
  ['aliases that would grow without bound', BOMB, 'not valid YAML: Excessive alias count'],
  ['deep nesting', `title: ${'['.repeat(50_000)}`, 'not valid YAML: '],
  ['two files with nothing between them', 'title: a\ncff-version: 1.2.0\ntitle: b', 'twice'],
  ['a file that breaks off', 'title: "Tides', 'not valid YAML: Missing closing "quote'],
  ['an anchor that is missing', 'title: *tides', 'not valid YAML: '],
  ['Latin-1', Buffer.from('title: caf\xe9', 'latin1'), `the file ${NOT_UTF8}`],
])('reports %s', async (_, content, problem) => {
  const text = Buffer.concat([Buffer.from('cff-version: 1.2.0\n'), Buffer.from(content)]);
  const entries = await entriesOf(cffFormat, text);
  expect(entries).toMatchObject([{ problem: expect.stringContaining(problem) }]);
});

it('reports a file that is too long, and one without fields', async () => {
  const text = `cff-version: 1.2.0\ntitle: ${'a'.repeat(100_000)}\n`;
  expect(await entriesOf(cffFormat, text)).toMatchObject([{ line: 1, reason: 'too_long' }]);
  expect(await entriesOf(cffFormat, '- cff-version:\n')).toMatchObject([
    { line: 1, problem: 'it has no fields' },
  ]);
});

it('reads a file of many fields, and none that is longer than people write', async () => {
  const fields = Array.from({ length: 20_000 }, (_, n) => `field${n}: x\n`).join('');
  const text = `cff-version: 1.2.0\ntitle: Tides\n${fields}`;
  const limits = { lineBytesMax: 2 ** 23 };
  expect(await entriesOf(cffFormat, text, limits)).toMatchObject([
    { document: { title: 'Tides' } },
  ]);
  const long = await entriesOf(cffFormat, `${text}# ${'a'.repeat(2 ** 20)}`, limits);
  expect(long).toMatchObject([{ problem: 'the file has more than 1048576 bytes' }]);
});
