/** Measures the sentence splitter on annotated abstracts: JSON lines with `_id`, `text` and `sentences`. */
import { VerbatimError } from '../src/errors.ts';
import {
  type AnnotatedText,
  compareBoundaries,
  measureBoundaries,
} from '../src/search/eval/sentence-boundaries.ts';
import { splitSentences } from '../src/text/split-sentences.ts';
import { count, positionals } from './measure/options.ts';
import { tableOf } from './measure/report.ts';
import { defineMeasurement } from './measure/run.ts';
import { linesOf } from './measure/sample.ts';

const CONTEXT_CHARACTERS = 50;

export const measurement = defineMeasurement({
  options: {
    file: positionals('the abstracts, plain or gzipped', 'FILE'),
    differences: count(0, 'print so many boundaries where splitter and annotation disagree'),
  },
  async run({ file: [path], differences }) {
    if (path === undefined) throw new VerbatimError('usage', 'name a file of abstracts');
    const texts = readTexts(path);
    const startedMs = performance.now();
    const spans = texts.map((one) => splitSentences(one.text));
    const splitMs = performance.now() - startedMs;
    const comparisons = texts.map((one, at) => compareBoundaries(one, spans[at] ?? []));
    const measures = measureBoundaries(comparisons);
    const rows = Object.entries(measures).map(([name, value]) => ({
      measure: name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
      value: Number.isInteger(value) ? String(value) : value.toFixed(5),
    }));
    const disagreements = comparisons.flatMap((one) => [
      ...one.extra.map((end) => `extra  ${one.id}: ${around(one.text, end)}`),
      ...one.missed.map((end) => `missed ${one.id}: ${around(one.text, end)}`),
    ]);
    return {
      report: { ...measures, splitMs },
      shown: [
        tableOf('splitter', [...rows, { measure: 'time', value: `${splitMs.toFixed(0)} ms` }]),
        ...disagreements.slice(0, differences),
      ],
    };
  },
});

function readTexts(path: string): AnnotatedText[] {
  return linesOf(path).map((line) => {
    const { _id, text, sentences } = JSON.parse(line);
    return { id: String(_id), text, sentences };
  });
}

function around(text: string, end: number): string {
  const before = text.slice(Math.max(0, end - CONTEXT_CHARACTERS), end);
  return `${before} || ${text.slice(end, end + CONTEXT_CHARACTERS)}`;
}
