import { describe, expect, it } from 'vitest';
import { beirFormat } from '../../../src/ingest/formats/beir.ts';
import { recognizeFormat } from '../../../src/ingest/formats.ts';
import { isInLines } from '../../../src/ingest/json/record-lines.ts';
import { jsonLines } from '../index-files.ts';
import { entriesOf, sourceOf } from '../read-format.ts';

const RECORDS = [
  { _id: '1', title: 'Tides', text: 'The sea rises.' },
  { _id: '2', title: 'Sand', text: 'The wind blows.' },
];
const LINES = jsonLines(RECORDS);

describe('a first line with damage that looks like a list or an object over many lines', () => {
  // Found by `npm run measure -- fuzz --target records --seed 4` and `--seed 78`.
  it.each([
    ['one bracket', '['],
    ['many brackets', '['.repeat(200)],
    ['an array in place of the object', '["_id":"0","title":"Dunes","text":"They move."}'],
    ['an array', '["_id", "0"]'],
    ['a name without its quote', '["_id:"0","title":"Dunes","text":"They move."}'],
    ['a line break within a record', '{"_id":"0",\r\n:"Dunes","text":"They move."}'],
    ['a line break within an array', '{"_id":"0","metadata":{"authors":[\n"A. Berg"}'],
    ['the start of a list', '{"data": ['],
    ['a bracket too many', '{"_id":"0",\n{"title":"Dunes","text":[[}'],
  ])('costs only itself: %s', async (_, first) => {
    const content = `${first}\n${LINES}`;
    expect((await recognizeFormat(sourceOf(content))).name).toBe('beir');
    const entries = await entriesOf(beirFormat, content);
    const documents = entries.flatMap((entry) => ('document' in entry ? [entry.document] : []));
    expect(documents.map(({ title }) => title)).toEqual(['Tides', 'Sand']);
    for (const entry of entries.slice(0, -2)) expect(entry).toHaveProperty('problem');
  });

  it('costs only itself if one record is left', () => {
    expect(isInLines(`[[[\n${jsonLines(RECORDS.slice(0, 1))}`)).toBe(true);
  });
});

describe('isInLines', () => {
  const nested = RECORDS.map((record) => ({ ...record, metadata: [{ a: 1 }, {}] }));
  it.each([
    ['an array in lines', `[${LINES.trim().replaceAll('\n', ',\n')}]`],
    ['an array in lines that start with the comma', `[${LINES.trim().replaceAll('\n', '\n,')}\n]`],
    ['an array that breaks off', `[\n${LINES.trim().replaceAll('\n', ',\n')}`],
    ['an object over many lines', JSON.stringify(nested[0], null, 1)],
    ['objects over many lines', nested.map((one) => JSON.stringify(one, null, 1)).join('\n')],
    ['an object whose lists end in objects of one line', '{"a": [\n{"b": 1}\n], "c": [\n{}\n]}'],
    ['a list', JSON.stringify({ items: RECORDS })],
    ['lists in lines', jsonLines([{ items: RECORDS }, { items: [] }, { items: [] }])],
    ['an object over many lines before lines', `${JSON.stringify(nested[0], null, 1)}\n${LINES}`],
  ])('is false for %s', (_, text) => {
    expect(isInLines(text)).toBe(false);
  });

  it.each([
    ['records', LINES],
    ['records behind a byte order mark', `\u{feff}${LINES}`],
    ['damage in the middle', `${jsonLines(RECORDS)}\n[[[\n${LINES}`],
    ['a record that is longer than the start', LINES.slice(0, 40)],
    ['text that is not JSON', 'The sea rises.\n{\n'],
  ])('is true for %s', (_, text) => {
    expect(isInLines(text)).toBe(true);
  });
});
