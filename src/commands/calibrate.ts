/** `verbatim calibrate`: below which confidence an index should leave a question to the lanes. */
import { Command } from 'commander';
import type { Settings } from '../config.ts';
import { VerbatimError } from '../errors.ts';
import { type Separation, separate, type ThresholdErrors } from '../eval/confidence.ts';
import { readQueries } from '../eval/queries.ts';
import { type CommonOptions, settingsOf, storeOptions, withModelOptions } from './options.ts';
import { print, printJson, printTable } from './output.ts';

interface CalibrateOptions extends CommonOptions {
  answered: string;
  foreign: string;
}

/** The thresholds of the table; further out nothing is left to decide. */
const SHOWN = { from: 0.25, to: 0.75 };

export function calibrateCommand(): Command {
  return withModelOptions(new Command('calibrate'))
    .description('find the confidence that tells answered questions from foreign ones')
    .requiredOption('--answered <file>', 'questions that the index answers: queries.jsonl')
    .requiredOption('--foreign <file>', 'questions of other fields: queries.jsonl')
    .addHelpText(
      'after',
      `
Each line of a file is a JSON object with _id and text. Every question is searched in the index;
printed are how the confidences c of both kinds lie, and the threshold with the fewest errors: the
mean of the share of answered questions below it and of foreign ones at or above it.`,
    )
    .action(async (options: CalibrateOptions) => {
      const settings = settingsOf(options);
      const answered = await readQuestions(options.answered);
      const foreign = await readQuestions(options.foreign);
      const confidences = await measure([...answered, ...foreign], settings);
      const separation = separate(
        confidences.slice(0, answered.length),
        confidences.slice(answered.length),
      );
      if (options.json) printJson(separation);
      else printSeparation(separation);
    });
}

async function readQuestions(path: string): Promise<string[]> {
  const questions = (await readQueries(path)).map(({ text }, index) => {
    if (typeof text === 'string') return text.toWellFormed();
    throw new VerbatimError('unreadable_input', `${path}: record ${index + 1} has no text`);
  });
  if (questions.length > 0) return questions;
  throw new VerbatimError('unreadable_input', `${path}: there is no question`);
}

/** The confidence of each question, in their order. */
async function measure(questions: readonly string[], settings: Settings): Promise<number[]> {
  const { model } = settings;
  const { openSearch } = await import('../search/open-search.ts');
  const opened = await openSearch({ store: storeOptions(settings), model, limits: settings });
  try {
    const confidences: number[] = [];
    for (const query of questions) {
      const { answer } = await opened.search({ query, limit: 1, withAbstract: false });
      confidences.push(answer.c);
    }
    return confidences;
  } finally {
    opened.close();
  }
}

function printSeparation({ answered, foreign, best, others, areaUnderCurve }: Separation): void {
  const percents = Object.keys(answered.percentiles);
  printTable(
    ['questions', 'number', 'mean', ...percents.map((percent) => `${percent} %`)],
    Object.entries({ answered, foreign }).map(([name, { questions, mean, percentiles }]) => [
      ...[name, String(questions), mean.toFixed(3)],
      ...Object.values(percentiles).map((value) => value.toFixed(3)),
    ]),
  );
  print('');
  printTable(
    ['threshold', 'answered, lanes asked', 'foreign, lanes not asked'],
    others
      .filter(({ threshold }) => threshold >= SHOWN.from && threshold <= SHOWN.to)
      .map(formatErrors),
  );
  print('');
  print(`area under the curve ${areaUnderCurve.toFixed(4)}`);
  const [threshold, answeredAsked, foreignKept] = formatErrors(best);
  print(
    `best threshold ${threshold}: lanes are asked for ${answeredAsked} of the answered questions, ` +
      `and not for ${foreignKept} of the foreign ones`,
  );
}

function formatErrors({ threshold, answeredAsked, foreignKept }: ThresholdErrors): string[] {
  const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
  return [String(threshold), percent(answeredAsked), percent(foreignKept)];
}
