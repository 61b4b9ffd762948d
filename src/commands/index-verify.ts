/** `verbatim index verify`: checks the index against itself; exits 1 where anything is wrong. */
import { Command } from 'commander';
import { VerbatimError } from '../errors.ts';
import { verifyIndex } from '../store/index/verify/verify.ts';
import { type CommonOptions, settingsOf, withExistingStore, withStoreOptions } from './options.ts';
import { formatNumber, print, printJson } from './output.ts';

/** Printed problems; an index with more than that is to be built anew. */
const PROBLEMS_MAX = 100;

export function indexVerifyCommand(): Command {
  return withStoreOptions(new Command('verify'))
    .description('check that text, sentences, vectors and full text agree')
    .action((options: CommonOptions) => {
      const report = withExistingStore(settingsOf(options), (db) =>
        verifyIndex(db, { problemsMax: PROBLEMS_MAX, onProgress: showProgress }),
      );
      if (process.stderr.isTTY) process.stderr.write('\r\u{1b}[K');
      if (options.json) printJson(report);
      else {
        for (const problem of report.problems) print(problem);
        const { documents, sentences } = report;
        print(`${formatNumber(documents)} documents, ${formatNumber(sentences)} sentences checked`);
      }
      if (report.problems.length > 0) {
        throw new VerbatimError('verify_failed', 'the index is damaged; build it anew');
      }
      if (!options.json) print('the index is sound');
    });
}

function showProgress(done: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${formatNumber(done)} documents checked`);
}
