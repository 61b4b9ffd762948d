import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonTextsOf, readJsonTexts } from '../../../src/ingest/json/json-text.ts';
import { headOf } from '../../../src/ingest/read/head.ts';
import { NOT_UTF8 } from '../../../src/ingest/read/utf8.ts';
import { sourceOf } from '../read-format.ts';

const RECORDS = [{ id: 'a' }, { id: 'b', list: [1, { c: '}],"' }] }, { id: '\\"é😀' }];

describe('readJsonTexts', () => {
  it.each([
    ['lines', RECORDS.map((record) => JSON.stringify(record)).join('\n')],
    ['one array', JSON.stringify(RECORDS)],
    ['one array over many lines', JSON.stringify(RECORDS, undefined, 2)],
    ['a byte order mark in front', `\ufeff ${JSON.stringify(RECORDS)}`],
    ['a list in an object', JSON.stringify({ items: RECORDS })],
    ['a list over many lines', JSON.stringify({ total: 3, items: RECORDS, next: 'x' }, null, 2)],
    ['a list further down', JSON.stringify({ a: { b: 'c', items: RECORDS }, rest: [{ x: 1 }] })],
    [
      'two lists',
      `${JSON.stringify({ items: RECORDS.slice(0, 2) })}{"items": [{"id":"\\\\\\"é😀"}]}`,
    ],
    [
      'a list behind the counts of facets',
      JSON.stringify({ facets: { x: Array(4000).fill(1) }, items: RECORDS }),
    ],
    [
      'the pages of a search in an array',
      JSON.stringify([
        { total: 3, page: { next: [1] }, list: { items: RECORDS.slice(0, 2), more: [{ x: 1 }] } },
        { total: 3, list: { items: RECORDS.slice(2) }, next: { x: [2] } },
        { total: 3, list: { items: [] } },
      ]),
    ],
    ['objects over many lines', RECORDS.map((r) => JSON.stringify(r, null, 2)).join('\n')],
  ])('finds the records of %s', async (_, content) => {
    for (const chunkBytes of [1, 3, 7, 1000]) {
      const { texts, problems } = await read(content, { chunkBytes });
      expect(texts.map((text) => JSON.parse(text))).toEqual(RECORDS);
      expect(problems).toEqual([]);
    }
  });

  it.each([
    ['an empty file', ''],
    ['an empty array', '[]'],
    ['an empty list', '{"items": []}'],
    ['nothing but blanks', ' \n\t '],
  ])('finds none in %s', async (_, content) => {
    expect(await read(content)).toEqual({ texts: [], problems: [] });
  });

  it('hands on what is no object too, so that it can be told', async () => {
    const { texts } = await read('[1, "a,]", null, [2, {}], {"id": 1}, rubbish]');
    expect(texts.map((text) => text.trim())).toEqual([
      ...['1', '"a,]"', 'null', '[2, {}]', '{"id": 1}', 'rubbish'],
    ]);
  });

  // Found by `npm run measure -- fuzz --target records --seed 1`.
  it.each([
    ...['{', '{"id": "z",', '{"id": "z", "list": [{"a": 1}],', '{"id": "z", "title": "one, two,'],
    ...['{"id": "z", "list": [', '{"id": "z", "list": [{"a": 1},'],
  ])('reads the lines behind a first one that breaks off: %s', async (first) => {
    const { texts } = await read([first, ...RECORDS.map((r) => JSON.stringify(r))].join('\n'));
    expect(texts.slice(1).map((text) => JSON.parse(text))).toEqual(RECORDS);
    expect(texts[0]).toBe(first);
  });

  it('reads a list whose records stand in lines', async () => {
    const lines = RECORDS.map((record) => JSON.stringify(record)).join(',\n');
    for (const start of ['{"items": [', '{"total": 3, "items": [\n']) {
      expect((await read(`${start}${lines}]}`)).texts).toHaveLength(RECORDS.length);
    }
  });

  it('skips a record that is too long, and goes on', async () => {
    const long = { id: 'x'.repeat(100) };
    for (const chunkBytes of [1, 30, 1000]) {
      const content = JSON.stringify([RECORDS[0], long, RECORDS[0]]);
      const { texts, problems } = await read(content, { chunkBytes, lineBytesMax: 50 });
      expect(texts).toEqual(['{"id":"a"}', '{"id":"a"}']);
      expect(problems).toEqual([
        { number: 2, problem: 'the record has 109 bytes, at most 50 are read', reason: 'too_long' },
      ]);
    }
  });

  it('tells of bytes that are no UTF-8, and goes on', async () => {
    const content = Buffer.from('[{"id": "caf\xe9"}, {"id": "b"}]', 'latin1');
    const { texts, problems } = await read(content);
    expect(texts).toEqual(['{"id": "b"}']);
    expect(problems).toEqual([
      { number: 1, problem: `the record ${NOT_UTF8}`, reason: 'malformed' },
    ]);
  });

  it.each([
    ['{"items": [{"id": "a"}, {"id": "b', 'within record 2'],
    ['[{"id": "a"}, {"id": "b"', 'within record 2'],
    ['[{"id": "a"}, [[[[', 'within record 2'],
    ['[{"id": "a"}, "b', 'within record 2'],
    ['[{"id": "a"},', 'behind record 1, before its end'],
    ['{"items": [{"id": "a"}], "next": "x', 'behind record 1, before its end'],
  ])('reads the whole records of %s, then throws', async (content, where) => {
    const texts: string[] = [];
    const reading = (async () => {
      for await (const line of readJsonTexts(sourceOf(content, 1000), { lineBytesMax: 1000 })) {
        if ('text' in line) texts.push(line.text);
      }
    })();
    await expect(reading).rejects.toMatchObject({
      code: 'unreadable_input',
      message: expect.stringContaining(`breaks off ${where}`),
    });
    expect(texts).toEqual(['{"id": "a"}']);
  });

  it('is not led astray by a first line that breaks off', async () => {
    const { texts } = await read('{"id": "a", "title": "Ti\n{"id": "b"}\n');
    expect(texts).toEqual(['{"id": "a", "title": "Ti', '{"id": "b"}']);
  });

  it('finds any array’s records however its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 3 })),
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(undefined, 1),
        async (values, chunkBytes, indent) => {
          const { texts } = await read(JSON.stringify(values, undefined, indent), { chunkBytes });
          expect(texts.map((text) => JSON.parse(text))).toEqual(
            values.map((value) => JSON.parse(JSON.stringify(value))),
          );
        },
      ),
    );
  });

  it('throws at no input, but for what breaks off', async () => {
    const part = fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '"items"', '\n', 'a');
    await fc.assert(
      fc.asyncProperty(fc.array(part), async (parts) => {
        const { texts, problems } = await read(parts.join('')).catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'unreadable_input' });
          return { texts: [], problems: [] };
        });
        expect(texts.length + problems.length).toBeLessThanOrEqual(parts.length);
      }),
    );
  });
});

describe('jsonTextsOf', () => {
  it.each([
    ['a line', '{"id": 1, "title": "Tides", "te', ['{"id": 1, "title": "Tides"}']],
    ['an array', '[{"id": 1, "list": [{"a": 1}, {"b": 2', ['{"id": 1}']],
    ['a list', '{"items": [{"id": 1}, {"id": 2, "x', ['{"id": 1}', '{"id": 2}']],
    ['the first field', '{"id": "a, b', []],
  ])('closes %s that breaks off behind its last whole field', (_, text, texts) => {
    expect(jsonTextsOf(headOf(Buffer.from(text), false))).toEqual(texts);
  });
});

interface Options {
  chunkBytes?: number;
  lineBytesMax?: number;
}

async function read(content: string | Buffer, options: Options = {}) {
  const { chunkBytes = 1000, lineBytesMax = 100_000 } = options;
  const texts: string[] = [];
  const problems: unknown[] = [];
  for await (const line of readJsonTexts(sourceOf(content, chunkBytes), { lineBytesMax })) {
    if ('text' in line) texts.push(line.text);
    else problems.push(line);
  }
  return { texts, problems };
}
