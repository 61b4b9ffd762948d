import { describe, expect, it, vi } from 'vitest';
import { beirFormat } from '../../../src/ingest/formats/beir.ts';
import { verbatimFormat } from '../../../src/ingest/formats/verbatim.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { jsonLines } from '../index-files.ts';
import { entriesOf, sourceOf } from '../read-format.ts';

const BEIR = { _id: '1', title: 'Tides', text: 'The sea rises.' };
const LIMITS = { lineBytesMax: 1000 };

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
    ['deep arrays', `${'['.repeat(400)}${']'.repeat(400)}`, 'nested deeper than 100 levels'],
    ['deep objects', `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`, 'nested deeper than 100 levels'],
    ['a long line of rubbish', 'rubbish '.repeat(100), 'not JSON: '],
    ['a line too long', 'a'.repeat(1001), 'the line has 1001 bytes, at most 1000 are read'],
  ])('tells of %s with its line and goes on', async (_, line, problem) => {
    const content = `${jsonLines([BEIR])}\n${line}\n${jsonLines([BEIR])}`;
    const [first, second, third] = await entriesOf(beirFormat, content, LIMITS);
    expect([first?.line, third?.line]).toEqual([1, 4]);
    const reason = problem.startsWith('the line has') ? 'too_long' : 'malformed';
    expect(second).toEqual({ line: 3, problem: expect.stringContaining(problem), reason });
    expect(JSON.stringify(second).length).toBeLessThan(300);
  });

  it('is not fooled by fields with the names of object properties', async () => {
    const line = '{"id": "a", "title": "Tides", "__proto__": {"abstract": "It rose."}}';
    const [entry] = await entriesOf(verbatimFormat, line);
    expect(entry).toMatchObject({ document: { abstract: '' } });
  });

  it('does not count brackets in strings as nesting', async () => {
    const line = `{"id": "a", "title": "${'\\"[{'.repeat(200)}"}`;
    const [entry] = await entriesOf(verbatimFormat, line);
    expect(entry).toMatchObject({ document: { id: 'a' } });
  });
});

it('parses each record in the head of a file once, however many formats look at it', async () => {
  const source = sourceOf('{"id": 1}\nsome words\n{"id": \n');
  const parse = vi.spyOn(JSON, 'parse');
  await expect(recognizeFormat(source)).rejects.toThrow('no format recognizes it');
  const texts = parse.mock.calls.map(([text]) => text);
  expect(texts.filter((text) => /id|words/.test(text))).toEqual(['{"id": 1}', '{"id": ']);
  parse.mockRestore();
});

describe('records of several formats', () => {
  // Both are of the same source, and a lost or renamed field makes one look like the other.
  const abstract = { corpusid: 11, openaccessinfo: null, abstract: 'The sea rises.' };
  const fullText = { corpusid: 12, openaccessinfo: null, externalids: null };

  // Found by `npm run measure -- fuzz --target records --seed 285530409`.
  it.each([
    ['one damaged record first', [fullText, abstract, abstract, abstract]],
    ['one damaged record last', [abstract, abstract, abstract, fullText]],
  ])('make a file of the format of most: %s', async (_, records) => {
    expect((await recognizeFormat(sourceOf(jsonLines(records)))).name).toBe('s2-abstracts');
  });

  it('make a file of the more specific format if both have many', async () => {
    const records = [abstract, fullText, abstract, abstract, fullText];
    expect((await recognizeFormat(sourceOf(jsonLines(records)))).name).toBe('s2orc');
  });
});
