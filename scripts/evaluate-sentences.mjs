#!/usr/bin/env node
/**
 * Measures the sentence splitter on annotated abstracts. BENCHMARK has JSON lines with `_id`, `text`
 * and `sentences`, plain or gzipped.
 *
 *   node scripts/evaluate-sentences.mjs BENCHMARK [--half 0|1] [--differences N]
 *
 * `--half` uses every other abstract, so that rules can be tuned on one half and checked on the other.
 * `--differences N` prints the first N boundaries where the splitter and the annotation disagree.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { importSource } from './import-source.mjs';

const CONTEXT_CHARACTERS = 50;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { half: { type: 'string' }, differences: { type: 'string', default: '0' } },
});
if (positionals.length !== 1) {
  console.error(
    'usage: node scripts/evaluate-sentences.mjs BENCHMARK [--half 0|1] [--differences N]',
  );
  process.exit(2);
}

const { splitSentences } = await importSource('src/text/split-sentences.ts');
const { compareBoundaries, measureBoundaries } = await importSource(
  'src/search/eval/sentence-boundaries.ts',
);
const texts = await readBenchmark(positionals[0]);
const startedMs = performance.now();
const spansOfTexts = texts.map(({ text }) => splitSentences(text));
const splitMs = performance.now() - startedMs;
const comparisons = texts.map((text, index) => compareBoundaries(text, spansOfTexts[index]));
printMeasures(measureBoundaries(comparisons));
console.log(`splitting time         ${splitMs.toFixed(0)} ms`);
printDifferences(comparisons, Number(options.differences));

async function readBenchmark(path) {
  const bytes = await readFile(path);
  const lines = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').split('\n');
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))
    .map(({ _id, text, sentences }) => ({ id: String(_id), text, sentences }))
    .filter((_, index) => options.half === undefined || index % 2 === Number(options.half));
}

function printMeasures(measures) {
  const percent = (share) => `${(100 * share).toFixed(2)} %`;
  const rows = [
    ['abstracts', measures.textCount],
    ['exact abstracts', `${measures.exactCount} (${percent(measures.exactShare)})`],
    ['boundaries shared', measures.sharedCount],
    ['boundaries extra', measures.extraCount],
    ['boundaries missed', measures.missedCount],
    ['precision', measures.precision.toFixed(5)],
    ['recall', measures.recall.toFixed(5)],
    ['F1', measures.f1.toFixed(5)],
    ['F1 with final', measures.f1WithFinal.toFixed(5)],
  ];
  for (const [label, value] of rows) console.log(`${label.padEnd(22)} ${value}`);
}

function printDifferences(comparisons, limit) {
  const differences = comparisons.flatMap(({ id, text, extra, missed }) => [
    ...extra.map((end) => ({ kind: 'extra ', id, text, end })),
    ...missed.map((end) => ({ kind: 'missed', id, text, end })),
  ]);
  for (const { kind, id, text, end } of differences.slice(0, limit)) {
    const before = text.slice(Math.max(0, end - CONTEXT_CHARACTERS), end);
    const after = text.slice(end, end + CONTEXT_CHARACTERS);
    console.log(`${kind} ${id}: ${before} || ${after}`);
  }
}
