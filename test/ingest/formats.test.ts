import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/ingest/format.ts';
import { formatNamed, formats, recogniseFormat } from '../../src/ingest/formats.ts';
import type { ByteSource } from '../../src/ingest/source.ts';
import { jsonLines } from './index-files.ts';

const LIMITS = { lineBytesMax: 1000 };

const OURS = { id: 'a', title: 'Tides' };
const BEIR = { _id: '1', title: 'Tides', text: 'The sea rises.' };

describe('recogniseFormat', () => {
  it.each([
    ['our documents', jsonLines([OURS]), 'verbatim'],
    ['a DOI and an abstract', jsonLines([{ doi: '10.5555/a', abstract: 'It rose.' }]), 'verbatim'],
    ['a BEIR corpus', jsonLines([BEIR]), 'beir'],
    ['a BEIR corpus with other fields', jsonLines([{ ...BEIR, id: 'a', abstract: '' }]), 'beir'],
    ['bad lines in front', `rubbish\n[]\n\n${jsonLines([OURS])}`, 'verbatim'],
    ['a line too long in front', `${'a'.repeat(2000)}\n${jsonLines([BEIR])}`, 'beir'],
    ['no line end', JSON.stringify(OURS), 'verbatim'],
  ])('knows %s', async (_, content, name) => {
    expect((await recogniseFormat(sourceOf(content), LIMITS)).name).toBe(name);
  });

  it.each([
    ['an empty file', '', 'it is empty'],
    ['only blank lines', '\n \n\r\n', 'it is empty'],
    ['prose', 'The sea rises.\nAnd falls.\n', 'no format recognises its first lines'],
    ['one JSON array', '[{"id": "a", "title": "Tides"}]', 'no format recognises'],
    ['records without an id', jsonLines([{ title: 'Tides' }]), 'no format recognises'],
    ['records without a text', jsonLines([{ id: 'a', name: 'Tides' }]), 'no format recognises'],
    ['a comma-separated table', 'id,title\na,Tides\n', 'no format recognises'],
  ])('refuses %s', async (_, content, reason) => {
    await expect(recogniseFormat(sourceOf(content), LIMITS)).rejects.toMatchObject({
      code: 'unreadable_input',
      message: expect.stringContaining(`cannot index file: ${reason}`),
    });
  });

  it('reads no more than the head of a file', async () => {
    let lines = 0;
    async function* chunks(): AsyncGenerator<Buffer> {
      for (;;) {
        lines++;
        yield Buffer.from('rubbish\n');
      }
    }
    const endless = { ...sourceOf(''), chunks };
    await expect(recogniseFormat(endless, LIMITS)).rejects.toThrow('no format recognises');
    expect(lines).toBeLessThan(100);
  });

  it('knows a file that breaks off within its head', async () => {
    async function* chunks(): AsyncGenerator<Buffer> {
      yield Buffer.from(jsonLines([BEIR]));
      throw new Error('it broke');
    }
    const broken = { ...sourceOf(''), chunks };
    expect((await recogniseFormat(broken, LIMITS)).name).toBe('beir');
  });
});

describe('formatNamed', () => {
  it('finds each format by its name', () => {
    for (const format of formats) expect(formatNamed(format.name)).toBe(format);
  });

  it('names the formats that there are where there is none', () => {
    expect(() => formatNamed('csv')).toThrow('there is no format "csv"; known are beir, verbatim');
  });
});

describe('the verbatim format', () => {
  const whole = {
    ...{ id: 'a', title: 'Tides', abstract: 'The sea rises.', year: 1998 },
    ...{ authors: ['A. Berg'], venue: 'Shore' },
  };
  const empty = { id: '', title: '', abstract: '', year: 0, authors: [], venue: '' };

  it.each([
    ['all fields', whole, whole],
    ['an id alone', { id: 'a' }, { ...empty, id: 'a' }],
    ['a number as id', { id: 7, title: 'Tides' }, { ...empty, id: '7', title: 'Tides' }],
    ['a DOI before an id', { id: 'a', doi: 'doi:10.5555/A' }, { ...empty, id: '10.5555/a' }],
    ['an empty DOI', { id: 'a', doi: ' ' }, { ...empty, id: 'a' }],
    [
      'null in each field',
      { id: 'a', doi: null, year: null, authors: null, venue: null },
      { id: 'a' },
    ],
    ['other fields', { ...whole, citations: [[[1]]], deep: { er: {} } }, whole],
    ['no id', { title: 'Tides' }, { ...empty, title: 'Tides' }],
  ])('reads %s', async (_, record, document) => {
    const [entry] = await entriesOf('verbatim', jsonLines([record]));
    expect(entry).toMatchObject({ line: 1, document });
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
  ])('names the field %s where it is %j', async (field, value) => {
    const content = jsonLines([{ ...whole, [field]: value }, whole]);
    const [first, second] = await entriesOf('verbatim', content);
    expect(first).toEqual({ line: 1, problem: expect.stringContaining(`"${field}" must be `) });
    expect(second).toEqual({ line: 2, document: whole });
  });
});

describe('the beir format', () => {
  const document = {
    ...{ id: '1', title: 'Tides', abstract: 'The sea rises.', year: 0, authors: [], venue: '' },
  };

  it.each([
    ['no metadata', BEIR, document],
    ['empty metadata', { ...BEIR, metadata: {} }, document],
    ['metadata of another kind', { ...BEIR, metadata: [] }, document],
    ['a number as id', { ...BEIR, _id: 1 }, document],
    ['no title', { _id: '1', text: 'The sea rises.' }, { ...document, title: '' }],
    [
      'year and authors in the metadata',
      { ...BEIR, metadata: { year: '1998', authors: ['A. Berg'] } },
      { ...document, year: 1998, authors: ['A. Berg'] },
    ],
    ['authors as one text', { ...BEIR, metadata: { authors: 'A. Berg' } }, document],
  ])('reads %s', async (_, record, expected) => {
    expect(await entriesOf('beir', jsonLines([record]))).toEqual([{ line: 1, document: expected }]);
  });

  it.each([
    ['_id', { ...BEIR, _id: {} }],
    ['title', { ...BEIR, title: 5 }],
    ['text', { ...BEIR, text: ['It rose.'] }],
    ['year', { ...BEIR, metadata: { year: 'MCM' } }],
    ['authors', { ...BEIR, metadata: { authors: [5] } }],
  ])('names the field %s where it is of the wrong type', async (field, record) => {
    const [entry] = await entriesOf('beir', jsonLines([record]));
    expect(entry).toEqual({ line: 1, problem: expect.stringContaining(`"${field}" must be `) });
  });
});

describe('JSON Lines', () => {
  it.each([
    ['prose', 'The sea rises.', 'not JSON: '],
    ['half an object', '{"id": "a", "title": "Ti', 'not JSON: '],
    ['two objects', '{"id": "a"}{"id": "b"}', 'not JSON: '],
    ['NaN', '{"id": "a", "year": NaN}', 'not JSON: '],
    ['a tab in a string', '{"id": "a\tb"}', 'not JSON: '],
    ['an array', '[{"id": "a"}]', 'not a JSON object'],
    ['a string', '"a"', 'not a JSON object'],
    ['null', 'null', 'not a JSON object'],
    ['a huge number', '1e400', 'not a JSON object'],
    ['deep arrays', `${'['.repeat(400)}${']'.repeat(400)}`, 'not a JSON object'],
    ['a long line of rubbish', 'rubbish '.repeat(100), 'not JSON: '],
    ['a line too long', 'a'.repeat(1001), 'the line has 1001 bytes, at most 1000 are read'],
  ])('tells of %s with its line and goes on', async (_, line, problem) => {
    const content = `${jsonLines([BEIR])}\n${line}\n${jsonLines([BEIR])}`;
    const [first, second, third] = await entriesOf('beir', content);
    expect([first?.line, third?.line]).toEqual([1, 4]);
    expect(second).toEqual({ line: 3, problem: expect.stringContaining(problem) });
    expect(JSON.stringify(second).length).toBeLessThan(300);
  });

  it('is not fooled by fields with the names of object properties', async () => {
    const line = '{"id": "a", "title": "Tides", "__proto__": {"abstract": "It rose."}}';
    const [entry] = await entriesOf('verbatim', line);
    expect(entry).toMatchObject({ document: { abstract: '' } });
  });
});

function sourceOf(content: string): ByteSource {
  return {
    ...{ path: 'file', bytes: content.length, bytesRead: () => 0 },
    async *chunks() {
      yield Buffer.from(content);
    },
  };
}

async function entriesOf(name: string, content: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of formatNamed(name).entries(sourceOf(content), LIMITS)) {
    entries.push(entry);
  }
  return entries;
}
