/** `verbatim calibrate`: finds the confidence below which an index should send a question to the lanes. */
import { Command, Option } from 'commander';
import { VerbatimError } from '../errors.ts';
import { indexPlace } from '../index/open/index-place.ts';
import { readQueries } from '../search/eval/collection-files.ts';
import {
  type DomainSeparation,
  separateDomains,
  type ThresholdErrors,
} from '../search/eval/threshold.ts';
import type { Settings } from '../settings/config.ts';
import { type CommonOptions, settingsOf, withModelOptions } from './cli/options.ts';
import { print, printJson, printTable } from './cli/output.ts';

interface CalibrateOptions extends CommonOptions {
  inDomain?: string;
  outOfDomain?: string;
  /** The names of these options in version 0.1. */
  answered?: string;
  foreign?: string;
}

/** The range of thresholds in the printed table. */
const SHOWN = { from: 0.25, to: 0.75 };

export function calibrateCommand(): Command {
  return withModelOptions(new Command('calibrate'))
    .description('find the confidence that separates in-domain from out-of-domain questions')
    .option('--in-domain <file>', 'questions that the index can answer: queries.jsonl')
    .option('--out-of-domain <file>', 'questions of other fields: queries.jsonl')
    .addOption(new Option('--answered <file>', 'old name of --in-domain').hideHelp())
    .addOption(new Option('--foreign <file>', 'old name of --out-of-domain').hideHelp())
    .addHelpText(
      'after',
      `
Both files are required. Each line is a JSON object with _id and text. The command searches for every
question in the index. It prints the distribution of the confidence c for both kinds of questions, and
the best threshold. That is the one with the lowest mean of two error rates: in-domain questions below
it, and out-of-domain questions at or above it.`,
    )
    .action(async (options: CalibrateOptions, command: Command) => {
      const settings = settingsOf(options);
      const inDomain = await readQuestions(fileOf(options, command, 'inDomain'));
      const outOfDomain = await readQuestions(fileOf(options, command, 'outOfDomain'));
      const confidences = await measure([...inDomain, ...outOfDomain], settings);
      const separation = separateDomains(
        confidences.slice(0, inDomain.length),
        confidences.slice(inDomain.length),
      );
      if (options.json) printJson(jsonOf(separation));
      else printSeparation(separation);
    });
}

/** The file that the option names. Accepts the option's old name for one more version, with a warning. */
function fileOf(
  { inDomain, outOfDomain, answered, foreign }: CalibrateOptions,
  command: Command,
  kind: 'inDomain' | 'outOfDomain',
): string {
  const [name, oldName] =
    kind === 'inDomain' ? ['--in-domain', '--answered'] : ['--out-of-domain', '--foreign'];
  const [path, oldPath] = kind === 'inDomain' ? [inDomain, answered] : [outOfDomain, foreign];
  if (path !== undefined) return path;
  if (oldPath === undefined) {
    return command.error(`error: required option '${name} <file>' not specified`);
  }
  process.stderr.write(
    `warning: ${oldName} is now ${name}; the next version removes the old name\n`,
  );
  return oldPath;
}

async function readQuestions(path: string): Promise<string[]> {
  const questions = (await readQueries(path)).map(({ text }, index) => {
    if (typeof text === 'string') return text.toWellFormed();
    throw new VerbatimError('unreadable_input', `${path}: record ${index + 1} has no text`);
  });
  if (questions.length > 0) return questions;
  throw new VerbatimError('unreadable_input', `${path} has no questions`);
}

/** The confidence of each question, in order. */
async function measure(questions: readonly string[], settings: Settings): Promise<number[]> {
  const { model } = settings;
  const { openSearch } = await import('../search/open-search.ts');
  const opened = await openSearch({ store: indexPlace(settings), model, limits: settings });
  try {
    const confidences: number[] = [];
    for (const query of questions) {
      const { answer } = await opened.search({ query, limit: 1, withAbstract: false });
      confidences.push(answer.c);
    }
    return confidences;
  } finally {
    await opened.close();
  }
}

/** The JSON output. It keeps the field names of version 0.1, so that programs can still read it. */
function jsonOf({ inDomain, outOfDomain, areaUnderCurve, best, others }: DomainSeparation): object {
  const errorsOf = ({ threshold, inDomainBelow, outOfDomainAbove }: ThresholdErrors): object => ({
    threshold,
    answeredAsked: inDomainBelow,
    foreignKept: outOfDomainAbove,
  });
  return {
    answered: inDomain,
    foreign: outOfDomain,
    areaUnderCurve,
    best: errorsOf(best),
    others: others.map(errorsOf),
  };
}

function printSeparation(separation: DomainSeparation): void {
  const { inDomain, outOfDomain, best, others, areaUnderCurve } = separation;
  const percents = Object.keys(inDomain.percentiles);
  printTable(
    ['questions', 'number', 'mean', ...percents.map((percent) => `${percent} %`)],
    Object.entries({ 'in-domain': inDomain, 'out-of-domain': outOfDomain }).map(
      ([name, { questions, mean, percentiles }]) => [
        ...[name, String(questions), mean.toFixed(3)],
        ...Object.values(percentiles).map((value) => value.toFixed(3)),
      ],
    ),
  );
  print('');
  printTable(
    ['threshold', 'in-domain below it', 'out-of-domain at or above it'],
    others
      .filter(({ threshold }) => threshold >= SHOWN.from && threshold <= SHOWN.to)
      .map(formatErrors),
  );
  print('');
  print(`area under the ROC curve ${areaUnderCurve.toFixed(4)}`);
  const [threshold, below, above] = formatErrors(best);
  print(
    `best threshold ${threshold}: sends ${below} of the in-domain questions to the lanes, ` +
      `and keeps ${above} of the out-of-domain questions from them`,
  );
}

function formatErrors({ threshold, inDomainBelow, outOfDomainAbove }: ThresholdErrors): string[] {
  const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
  return [String(threshold), percent(inDomainBelow), percent(outOfDomainAbove)];
}
