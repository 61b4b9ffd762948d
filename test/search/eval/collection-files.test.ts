import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  formatRun,
  parseQrels,
  readEvidence,
  readQrels,
  readQueries,
} from '../../../src/search/eval/collection-files.ts';
import { jsonLines, scratchFolder, writeFiles } from '../../ingest/index-files.ts';

describe('parseQrels', () => {
  it.each<[what: string, text: string, qrels: Record<string, Record<string, number>>]>([
    ['nothing', '', {}],
    ['a header alone', 'query-id\tcorpus-id\tscore\n', {}],
    [
      'a header and lines',
      'query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t0\n2\ta\t2\n',
      { 1: { a: 1, b: 0 }, 2: { a: 2 } },
    ],
    ['no header', '1\ta\t1\n', { 1: { a: 1 } }],
    [
      'Windows line ends and blank lines',
      '\r\n1\ta\t1\r\n\r\n2\tb\t1',
      { 1: { a: 1 }, 2: { b: 1 } },
    ],
    ['a negative grade', '1\ta\t-1', { 1: { a: -1 } }],
    ['the last of two judgments', '1\ta\t1\n1\ta\t2', { 1: { a: 2 } }],
    ['ids with spaces', 'query 1\tdoc a\t1', { 'query 1': { 'doc a': 1 } }],
  ])('reads %s', (_, text, qrels) => {
    const read = parseQrels(text, 'qrels.tsv');
    const plain = [...read].map(([query, grades]) => [query, Object.fromEntries(grades)]);
    expect(Object.fromEntries(plain)).toEqual(qrels);
  });

  it.each([
    ['spaces instead of tabs', '1 a 1'],
    ['no grade', '1\ta'],
    ['a grade in words', '1\ta\tgood'],
    ['half a grade', '1\ta\t0.5'],
    ['TREC’s four columns', '1\t0\ta\t1'],
  ])('names the line with %s', (_, line) => {
    expect(() => parseQrels(`1\tb\t1\n${line}\n`, 'qrels.tsv')).toThrow(
      'qrels.tsv:2: expected query-id, corpus-id and score, separated by tabs',
    );
  });
});

describe('readQueries', () => {
  it('reads ids as text', async () => {
    const queries = [
      { _id: 1, text: 'moon' },
      { _id: 'b', text: 'sea', metadata: {} },
    ];
    const [path] = await filesOf({ queries: `${jsonLines(queries)}\n` });
    expect(await readQueries(path)).toEqual([
      { id: '1', text: 'moon' },
      { id: 'b', text: 'sea' },
    ]);
  });

  it('names the line that is not JSON', async () => {
    const [path] = await filesOf({ queries: '{"_id": 1, "text": "moon"}\n\n{"_id": 2,\n' });
    await expect(readQueries(path)).rejects.toThrow(`${path}:3: not JSON`);
  });
});

describe('readEvidence', () => {
  it('reads ids as text, and the sentences', async () => {
    const lines = jsonLines([{ query_id: 1, doc_id: 7, sentences: ['It rose.'] }]);
    const [path] = await filesOf({ evidence: lines });
    expect(await readEvidence(path)).toEqual([
      { query: '1', document: '7', sentences: ['It rose.'] },
    ]);
  });
});

describe('a missing file', () => {
  it.each([
    ['judgments', readQrels],
    ['queries', readQueries],
    ['evidence', readEvidence],
  ])('is named in the error: %s', async (_, read) => {
    const path = join(await scratchFolder(), 'missing');
    await expect(read(path)).rejects.toMatchObject({
      code: 'unreadable_input',
      message: expect.stringContaining(`cannot read ${path}: ENOENT`),
    });
  });
});

describe('formatRun', () => {
  it('writes the six columns of a TREC run', () => {
    const run = new Map([
      [
        'q1',
        [
          { id: 'a', score: 0.5 },
          { id: 'b', score: 1 / 3 },
        ],
      ],
      ['q2', []],
      ['q3', [{ id: 'c', score: 1e-12 }]],
    ]);
    expect(formatRun(run)).toBe(
      'q1 Q0 a 1 0.500000000 verbatim\nq1 Q0 b 2 0.333333333 verbatim\n' +
        'q3 Q0 c 1 0.000000000 verbatim\n',
    );
  });

  it('writes nothing for an empty run', () => {
    expect(formatRun(new Map())).toBe('');
  });
});

async function filesOf(files: Record<string, string>): Promise<[string]> {
  return (await writeFiles(await scratchFolder(), files)) as [string];
}
