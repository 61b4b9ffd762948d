/** `verbatim index verify`: checks that the index is consistent. Exits 1 if it is not. */
import { Command } from 'commander';
import { VerbatimError } from '../../errors.ts';
import { type CommonOptions, settingsOf, withStoreOptions } from '../cli/options.ts';
import { formatNumber, print, printJson } from '../cli/output.ts';
import { withOperatorIndex } from '../cli/with-operator-index.ts';

/** The most problems to print. An index with more must be rebuilt anyway. */
export const PROBLEMS_MAX = 100;

export function indexVerifyCommand(): Command {
  return withStoreOptions(new Command('verify'))
    .description('check that text, sentences, vectors and full text match')
    .action(async (options: CommonOptions) => {
      const report = await withOperatorIndex(settingsOf(options), (index) =>
        index.verify({ problemsMax: PROBLEMS_MAX, onProgress: showProgress }),
      );
      if (process.stderr.isTTY) process.stderr.write('\r\u{1b}[K');
      if (options.json) printJson(report);
      else {
        for (const problem of report.problems) print(problem);
        const { documents, sentences } = report;
        print(`${formatNumber(documents)} documents, ${formatNumber(sentences)} sentences checked`);
      }
      if (report.problems.length > 0) {
        throw new VerbatimError('verify_failed', 'the index is damaged; rebuild it');
      }
      if (!options.json) print('the index is sound');
    });
}

function showProgress(done: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${formatNumber(done)} documents checked`);
}
