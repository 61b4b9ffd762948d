/** `verbatim eval` on a collection so small that its measures can be worked out by hand. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EvidenceMeasure } from '../../src/search/eval/evidence.ts';
import { jsonLines, readIndex, scratchFolder, writeFiles } from '../ingest/index-files.ts';
import { plain } from '../support/command-line.ts';
import { runCommand, runCommandJson } from '../support/verbatim.ts';

const CORPUS = jsonLines([
  {
    _id: 'tides',
    title: 'Why the sea rises twice a day',
    text: 'Fishermen keep tables of the water. The pull of the moon raises the ocean on both sides of the Earth. Harbours plan by it.',
  },
  {
    _id: 'yeast',
    title: 'Yeast without nitrogen',
    text: 'Cultures were grown in flasks. Cells starved of nitrogen stopped dividing within two hours. They survived for weeks.',
  },
  {
    _id: 'trees',
    title: 'Sorted pages on disk',
    text: 'A b-tree keeps keys in order. A range of keys is therefore read from neighbouring pages. Updates split a full page in two.',
  },
  {
    _id: 'bees',
    title: 'How bees tell where flowers are',
    text: 'A forager returns to the hive. The angle of her dance shows the direction of the food against the sun. Others follow.',
  },
  { _id: 'glass', title: 'Why old window panes are thick at the bottom', text: '' },
]);

/** Questions whose best document is plain, and one (q4) that is judged against all sense. */
const QUERIES = jsonLines([
  { _id: 'q1', text: 'what makes ocean tides' },
  { _id: 'q2', text: 'does nitrogen starvation stop cell division' },
  { _id: 'q3', text: 'how do honeybees communicate the direction of food' },
  { _id: 'q4', text: 'range queries in databases read neighbouring pages in order' },
  { _id: 'unjudged', text: 'what is time' },
]);

const QRELS = [
  ...['query-id\tcorpus-id\tscore', 'q1\ttides\t1', 'q2\tyeast\t2', 'q3\tbees\t1'],
  ...['q4\tnot-in-the-corpus\t1', ''],
].join('\n');

const EVIDENCE = jsonLines([
  {
    query_id: 'q1',
    doc_id: 'tides',
    sentences: ['The pull of the moon raises the ocean on both sides of the Earth.'],
  },
  { query_id: 'q2', doc_id: 'yeast', sentences: ['Cultures were grown in flasks.'] },
]);

const MEASURES = { 'nDCG@10': 0.75, 'R@100': 0.75, 'MRR@10': 0.75 };

interface Files {
  folder: string;
  collection: string[];
  evidence: string;
}

describe('verbatim eval', () => {
  it.each([
    ['numbers', { sentences: [1, 2] }],
    ['one text', { sentences: 'a' }],
    ['nothing', {}],
  ])('rejects evidence with %s for sentences, before it builds', async (_what, fields) => {
    const { folder, collection } = await writeCollection();
    const path = join(folder, 'wrong.jsonl');
    await writeFile(path, jsonLines([{ query_id: 'q1', doc_id: 'tides', ...fields }]));
    const { stderr } = await runCommand(['eval', ...collection, '--evidence', path], { code: 1 });
    expect(stderr).toContain(`${path}: query_id q1, doc_id tides: expected sentences`);
  });

  it('prints the measures, and on request writes a run and the share of quoted evidence', async () => {
    const { folder, collection, evidence } = await writeCollection();
    const run = join(folder, 'run.trec');
    const args = ['eval', ...collection, '--evidence', evidence, '--run', run];
    expect(await runCommandJson(args, { env: { TMPDIR: folder } })).toEqual({
      queries: 4,
      ...MEASURES,
      evidence: { pairs: 2, share: 0.5, precision: 0.5, recall: 0.5, f1: 0.5 },
    });
    expect(await readdir(folder)).not.toContainEqual(expect.stringContaining('verbatim-eval'));
    checkRun(await readFile(run, 'utf8'));
  });

  it('measures a reranker, however long it takes', async () => {
    const { folder, collection } = await writeCollection();
    const reranker = resolve(import.meta.dirname, '../fixtures/models/bert-reranker');
    const rankedWith = async (options: string[], env = {}): Promise<string[][]> => {
      const run = join(folder, 'run.trec');
      const args = [...collection, '--db', join(folder, 'kept.db'), '--run', run];
      await runCommandJson(['eval', ...args, ...options], { env });
      const lines = (await readFile(run, 'utf8')).trim().split('\n');
      return lines.map((line) => line.split(' ').slice(0, 3));
    };
    const plainly = await rankedWith([]);
    const reranked = await rankedWith(['--reranker', reranker]);
    expect(reranked).not.toEqual(plainly);
    expect([...reranked].sort()).toEqual([...plainly].sort());
    const set = { VERBATIM_RERANKER: reranker, VERBATIM_RERANK_MS: '1' };
    expect(await rankedWith([], set)).toEqual(reranked);
  });

  it('prints a table, keeps an index given with --db, and measures several sentences', async () => {
    const { folder, collection, evidence } = await writeCollection();
    const database = join(folder, 'kept.db');
    const args = ['eval', ...collection, '--evidence', evidence, '--db', database, '--depth', '3'];
    const first = plain((await runCommand(args)).stdout);
    expect(first).toMatch(/^5 added, 0 updated, 0 unchanged, 0 skipped; 12 sentences in /);
    for (const fact of [
      '\n2 annotated pairs among the results\n4 queries\n',
      '\nnDCG@10 0.7500\nR@100 0.7500\nMRR@10 0.7500\nevidence sentence quoted 0.5000\n',
      '\nevidence precision 0.5000\nevidence recall 0.5000\nevidence F1 0.5000\n',
    ]) {
      expect(first).toContain(fact);
    }
    expect(readIndex(database).size).toBe(5);
    const second = await runCommandJson<{ evidence: EvidenceMeasure }>([
      ...args,
      '--sentences',
      '3',
    ]);
    expect(second.evidence).toMatchObject({ pairs: 2, share: 0.5, precision: 1 / 3, recall: 1 });
  });

  it.each([
    ['--corpus', 'missing', 1, /^verbatim: cannot read \/.*missing: ENOENT/],
    ['--queries', 'missing', 1, /^verbatim: cannot read \/.*missing: ENOENT/],
    ['--qrels', 'missing', 1, /^verbatim: cannot read \/.*missing: ENOENT/],
    ['--evidence', 'missing', 1, /^verbatim: cannot read \/.*missing: ENOENT/],
    ['--queries', 'bad', 1, /^verbatim: \/.*bad:1: not JSON/],
    ['--qrels', 'bad', 1, /^verbatim: \/.*bad:1: expected query-id, corpus-id and score/],
    ['--sentences', '0', 2, /must be a whole number of at least 1/],
    ['--depth', '0', 2, /must be a whole number of at least 1/],
  ])('rejects %s %s before it builds', async (option, value, code, message) => {
    const { folder, collection } = await writeCollection();
    await writeFiles(folder, { bad: 'no JSON\tat all\n' });
    const named = value === '0' ? value : join(folder, value);
    const { stderr } = await runCommand(['eval', ...collection, option, named], { code });
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

/** Six columns a line, ranks from 1, scores that do not rise, all documents for each query. */
function checkRun(text: string): void {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '));
  expect(lines).toHaveLength(4 * 5);
  const best: Record<string, string> = {};
  for (const [i, [query = '', q0, id = '', rank, score, name]] of lines.entries()) {
    expect([q0, rank, name]).toEqual(['Q0', String((i % 5) + 1), 'verbatim']);
    expect(score).toMatch(/^[01]\.\d{9}$/);
    if (rank === '1') best[query] = id;
    else expect(Number(score)).toBeLessThanOrEqual(Number(lines[i - 1]?.[4]));
  }
  expect(best).toEqual({ q1: 'tides', q2: 'yeast', q3: 'bees', q4: 'trees' });
}

async function writeCollection(): Promise<Files> {
  const folder = await scratchFolder();
  const contents = { corpus: CORPUS, queries: QUERIES, qrels: QRELS, evidence: EVIDENCE };
  const paths = await writeFiles(folder, contents);
  const [corpus, queries, qrels, evidence] = paths as [string, string, string, string];
  const collection = ['--corpus', corpus, '--queries', queries, '--qrels', qrels];
  return { folder, collection, evidence };
}
