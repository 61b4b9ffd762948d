/** `verbatim index verify`: checks that the index is consistent. Exits 1 if it is not. */
import { Command } from 'commander';
import { VerbatimError } from '../../errors.ts';
import { verifyCopy } from '../../index/copies/verify-copy.ts';
import { assertIndexSettings } from '../../index/open/index-place.ts';
import type { VerifyReport } from '../../index/verify/create-index-check.ts';
import type { Settings } from '../../settings/config.ts';
import { formatNumber } from '../../text/format-number.ts';
import { type CommonOptions, settingsOf, withStoreOptions } from '../cli/options.ts';
import { print, printable, printJson } from '../cli/output.ts';
import { withOperatorIndex } from '../cli/with-operator-index.ts';

/** The most problems to print. An index with more must be rebuilt anyway. */
export const PROBLEMS_MAX = 100;

interface VerifyCommandOptions extends CommonOptions {
  readOnlyIndex?: string;
}

export function indexVerifyCommand(): Command {
  return withStoreOptions(new Command('verify'))
    .description('check that text, sentences, vectors and full text match')
    .option(
      '--read-only-index <folder>',
      "check the newest copy in this folder; '': the database (default: VERBATIM_READ_ONLY_INDEX)",
    )
    .action(async ({ readOnlyIndex, ...options }: VerifyCommandOptions) => {
      const overrides = readOnlyIndex === undefined ? {} : { readOnlyIndex };
      const { advice, ...report } = await verify(settingsOf(options, overrides));
      if (process.stderr.isTTY) process.stderr.write('\r\u{1b}[K');
      if (options.json) printJson(report);
      else {
        for (const problem of report.problems) print(printable(problem));
        const { documents, sentences, copy } = report;
        const where = copy === undefined ? '' : ` in the copy ${copy}`;
        const counted = `${formatNumber(documents)} documents, ${formatNumber(sentences)} sentences`;
        print(`${counted} checked${where}`);
      }
      if (report.problems.length > 0) throw new VerbatimError('verify_failed', advice);
      if (!options.json) print('the index is sound');
    });
}

interface Verified extends VerifyReport {
  /** The copy that was checked; absent for an index that can be written. */
  copy?: string;
  /** What to do about the problems. */
  advice: string;
}

async function verify(settings: Settings): Promise<Verified> {
  const options = { problemsMax: PROBLEMS_MAX, onProgress: showProgress };
  assertIndexSettings(settings);
  if (settings.readOnlyIndex !== '') {
    const { advice, ...report } = await verifyCopy(settings.readOnlyIndex, options);
    return { ...report, advice: `the copy is damaged; ${advice}` };
  }
  const report = await withOperatorIndex(settings, (index) => index.verify(options));
  return { ...report, advice: 'the index is damaged; rebuild it' };
}

function showProgress(done: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${formatNumber(done)} documents checked`);
}
