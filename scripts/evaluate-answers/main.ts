/**
 * Measures how often the right paper is found and its quote answers, on the development questions, in an
 * index of the corpus.jsonl that models/questions/assemble.mjs writes.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSearch } from '../../src/search/open-search.ts';
import { readSettings } from '../../src/settings/config.ts';
import { sentencesOf } from '../../src/text/quotable.ts';
import type { Citation } from '../../src/types.ts';
import { existing, openOptions } from '../measure/databases.ts';
import { count, required, text } from '../measure/options.ts';
import type { Table } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { linesOf } from '../measure/sample.ts';
import { groupBy } from '../measure/statistics.ts';

const RESULTS = 10;
/** The quantile of the normal distribution for an interval of 95 %. */
const Z = 1.96;
const DEVELOPMENT = join(import.meta.dirname, '../models/questions/development.jsonl');

interface Question {
  question: string;
  /** The judged questions have none. */
  form?: string;
  corpus: string;
  id: string;
  /** The numbers of all sentences that answer. Empty if the paper does not answer. */
  sentences: number[];
}

type Outcome = ReturnType<typeof outcomeOf>;

/** What a row of the table counts, and among which questions. */
const measures: [name: string, of: (outcome: Outcome) => boolean, among?: typeof isFound][] = [
  ['right paper first', ({ rank }) => rank === 1],
  ['right paper among ten', ({ rank }) => rank > 0],
  ['its quote answers, where found', ({ answers }) => answers, isFound],
  ['first result is the paper and answers', ({ rank, answers }) => rank === 1 && answers],
];

function isFound({ rank }: Outcome): boolean {
  return rank > 0;
}

export const measurement = defineMeasurement({
  options: {
    db: required('the index'),
    questions: text('other questions in the same form'),
    misses: count(0, 'print so many questions whose first result does not answer, evenly spread'),
    results: text('write what models/training/fit_probability.py learns from'),
  },
  async run(values) {
    const asked = await ask(readQuestions(values.questions ?? DEVELOPMENT), values.db);
    const outcomes = asked.map(({ outcome }) => outcome).filter(({ marked }) => marked.length > 0);
    if (values.results !== undefined) {
      const rows = asked.flatMap(({ results }) => results);
      writeFileSync(values.results, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    }
    const misses = outcomes.filter(({ rank, answers }) => rank !== 1 || !answers);
    const tables = tablesOf(outcomes);
    const shown = drawn(misses, values.misses).map((miss) => JSON.stringify(miss));
    return { report: { tables }, shown: [...tables, ...shown] };
  },
});

function readQuestions(path: string): Question[] {
  return linesOf(path).map((line) => JSON.parse(line) as Question);
}

/** Returns outcomes, with what the probability of each result depends on, and whether it answers. */
async function ask(questions: readonly Question[], path: string) {
  const settings = readSettings();
  const store = openOptions(existing(path));
  const opened = await openSearch({ store, model: settings.model, limits: settings });
  try {
    const asked: { outcome: Outcome; results: object[] }[] = [];
    for (const [number, question] of questions.entries()) {
      const { answer, explanation } = await opened.search({
        query: question.question,
        limit: RESULTS,
        withAbstract: true,
      });
      const outcome = outcomeOf(question, answer.results);
      const results = explanation.results.flatMap(({ quote }, at) => {
        const answers = outcome.answers && outcome.rank === at + 1;
        return quote === undefined ? [] : [{ question: number, ...quote.probability, answers }];
      });
      asked.push({ outcome, results });
    }
    return asked;
  } finally {
    await opened.close();
  }
}

function outcomeOf(question: Question, results: readonly Citation[]) {
  const at = results.findIndex(({ d }) => d === `${question.corpus}:${question.id}`);
  const { ab = '', q = '' } = results[at] ?? {};
  const sentences = sentencesOf(ab).map(({ start, end }) => ab.slice(start, end));
  /** The sentences that answer. */
  const marked = question.sentences.map((number) => sentences[number] ?? '');
  return {
    question: question.question,
    corpus: question.corpus,
    form: question.form ?? 'any',
    /** The place of the right paper among the results, from 1, or 0 if it is not there. */
    rank: at + 1,
    /** Its quote. Empty if it is not there. */
    quote: q,
    marked,
    /** The first result, whatever its paper. */
    first: results[0] && { title: results[0].t, quote: results[0].q },
    answers: at >= 0 && marked.includes(q),
  };
}

function tablesOf(outcomes: readonly Outcome[]): Table[] {
  const row = (name: string, of: (outcome: Outcome) => boolean, all: readonly Outcome[]) => [
    name,
    ...shareWithInterval(all.filter(of).length, all.length),
  ];
  const head = ['share', '95 % interval', 'questions'];
  const rows = measures.map(([name, of, among = () => true]) =>
    row(name, of, outcomes.filter(among)),
  );
  const forms = [...groupBy(outcomes.filter(isFound), ({ form }) => form)].sort();
  const byForm = forms.map(([form, some]) => row(form, ({ answers }) => answers, some));
  const titled = ['quote answers, by form', ...head];
  return [
    { head: ['', ...head], rows },
    { head: titled, rows: byForm },
  ];
}

/** `count` of the misses, the same ones every time. */
function drawn(misses: readonly Outcome[], count: number): Outcome[] {
  const step = Math.max(1, misses.length / Math.max(1, count));
  return misses.filter((_, at) => at % step < 1).slice(0, count);
}

/** Returns the share of `hits`, its Wilson score interval (Wilson 1927), and the count, as text. */
function shareWithInterval(hits: number, count: number): string[] {
  const share = hits / count;
  const scale = 1 + Z ** 2 / count;
  const middle = (share + Z ** 2 / (2 * count)) / scale;
  const spread = (Z / scale) * Math.sqrt((share * (1 - share)) / count + (Z / (2 * count)) ** 2);
  const shown = (value: number): string => value.toFixed(2);
  return [shown(share), `${shown(middle - spread)} to ${shown(middle + spread)}`, String(count)];
}
