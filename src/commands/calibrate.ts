/** `verbatim calibrate`: finds the confidence below which an index should send a question to the lanes. */
import { Command, Option } from 'commander';
import { VerbatimError } from '../errors.ts';
import { indexPlace } from '../index/open/index-place.ts';
import type { Calibration } from '../search/eval/calibration.ts';
import { readQueries } from '../search/eval/collection-files.ts';
import type { ThresholdErrors } from '../search/eval/threshold.ts';
import { describeCertainty } from './cli/describe-certainty.ts';
import { type CommonOptions, settingsOf, withModelOptions } from './cli/options.ts';
import { print, printJson, printTable } from './cli/output.ts';

interface CalibrateOptions extends CommonOptions {
  inDomain?: string;
  outOfDomain?: string;
  /** The names of these options in version 0.1. */
  answered?: string;
  foreign?: string;
}

export function calibrateCommand(): Command {
  return withModelOptions(new Command('calibrate'))
    .description('find the confidence that separates in-domain from out-of-domain questions')
    .option(
      '--in-domain <file>',
      'questions that the index can answer: queries.jsonl (default: titles of the index)',
    )
    .option(
      '--out-of-domain <file>',
      'questions of other fields: queries.jsonl (default: 50 questions of everyday life)',
    )
    .addOption(new Option('--answered <file>', 'old name of --in-domain').hideHelp())
    .addOption(new Option('--foreign <file>', 'old name of --out-of-domain').hideHelp())
    .addHelpText(
      'after',
      `
Each line of a file is a JSON object with _id and text. The command searches for every question in the
index. It prints the distribution of the confidence c for both kinds of questions, and the best
threshold with its interval of 95 %. The best threshold is the one with the lowest mean of two error
rates: in-domain questions below it, and out-of-domain questions at or above it.

Without --in-domain, 200 titles of the index ask, each without its own paper. That is a first guess:
questions of your customers are better.`,
    )
    .action(async (options: CalibrateOptions) => {
      const settings = settingsOf(options);
      const inDomain = await readQuestions(fileOf(options, 'inDomain'));
      const outOfDomain = await readQuestions(fileOf(options, 'outOfDomain'));
      const { model } = settings;
      const { calibrateIndex } = await import('../search/eval/calibration.ts');
      const place = { store: indexPlace(settings), model, limits: settings };
      const calibration = await calibrateIndex(place, { inDomain, outOfDomain });
      if (options.json) printJson(jsonOf(calibration));
      else printCalibration(calibration);
    });
}

/** The file that the option names, if any. Accepts its old name for one more version, with a warning. */
function fileOf(
  { inDomain, outOfDomain, answered, foreign }: CalibrateOptions,
  kind: 'inDomain' | 'outOfDomain',
): string | undefined {
  const [name, oldName] =
    kind === 'inDomain' ? ['--in-domain', '--answered'] : ['--out-of-domain', '--foreign'];
  const [path, oldPath] = kind === 'inDomain' ? [inDomain, answered] : [outOfDomain, foreign];
  if (path !== undefined || oldPath === undefined) return path;
  process.stderr.write(
    `warning: ${oldName} is now ${name}; the next version removes the old name\n`,
  );
  return oldPath;
}

async function readQuestions(path: string | undefined): Promise<string[] | undefined> {
  if (path === undefined) return undefined;
  const questions = (await readQueries(path)).map(({ text }, index) => {
    if (typeof text === 'string') return text.toWellFormed();
    throw new VerbatimError('unreadable_input', `${path}: record ${index + 1} has no text`);
  });
  if (questions.length > 0) return questions;
  throw new VerbatimError('unreadable_input', `${path} has no questions`);
}

/** The JSON output. It keeps the field names of version 0.1, so that programs can still read it. */
function jsonOf(calibration: Calibration): object {
  const { inDomain, outOfDomain, areaUnderCurve, best, others } = calibration;
  const { interval, isFromTitles, isReliable } = calibration;
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
    interval,
    fromTitles: isFromTitles,
    reliable: isReliable,
    others: others.map(errorsOf),
  };
}

function printCalibration(calibration: Calibration): void {
  const { inDomain, outOfDomain, best, others, areaUnderCurve } = calibration;
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
    // Those that part any questions: confidences of another model may lie in another range.
    others
      .filter(({ inDomainBelow, outOfDomainAbove }) => inDomainBelow < 1 && outOfDomainAbove < 1)
      .map(formatErrors),
  );
  print('');
  print(`area under the ROC curve ${areaUnderCurve.toFixed(4)}`);
  const [threshold, below, above] = formatErrors(best);
  print(
    `best threshold ${threshold}: sends ${below} of the in-domain questions to the lanes, ` +
      `and keeps ${above} of the out-of-domain questions from them`,
  );
  for (const line of describeCertainty(calibration)) print(line);
}

function formatErrors({ threshold, inDomainBelow, outOfDomainAbove }: ThresholdErrors): string[] {
  const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
  return [String(threshold), percent(inDomainBelow), percent(outOfDomainAbove)];
}
