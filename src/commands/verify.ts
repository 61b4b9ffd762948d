/** `verbatim verify`: checks a manuscript or a bibliography against the index. */
import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { messageOf, VerbatimError } from '../errors.ts';
import { indexPlace } from '../index/open/index-place.ts';
import { type CommonOptions, sayOnTerminal, settingsOf, withStoreOptions } from './cli/options.ts';
import { printable, printJson } from './cli/output.ts';

interface VerifyCommandOptions extends CommonOptions {
  html?: string;
}

export function verifyCommand(): Command {
  return withStoreOptions(new Command('verify'))
    .description(
      'check the references and quotes of a manuscript against the index, free of charge',
    )
    .argument(
      '<file>',
      'Markdown, TeX with its .bib files, or plain text with a list of references; or BibTeX, RIS, CSL-JSON, or plain text with one reference in a line; - for standard input',
    )
    .option('--html <file>', 'also write the report as a page for a browser')
    .addHelpText(
      'after',
      `
Each field of a reference is compared with the records of the index: title, authors in order, year,
venue, and identifiers. Abbreviations, initials, accents, and "et al." are no errors. A preprint and
its published version are one work. A reference with errors is printed again, corrected, in its own
format. What is not found may be real: see VERBATIM_INDEX_COMPLETE.

Each quote of four or more words with a citation, and each block quote, is looked up in the paper that
it cites. The index has titles and abstracts, so a quote from elsewhere in a paper is no error.

Exit codes: 0 if nothing is wrong. 1 if a reference is not in the index or differs from it, if a quote
differs from the cited paper or stands in another one, or if the file cannot be read. 2 for wrong usage.

Examples:
  verbatim verify references.bib
  verbatim verify paper.tex --html report.html
  cat paper.txt | verbatim verify - --json`,
    )
    .action(async (file: string, options: VerifyCommandOptions) => {
      const settings = settingsOf(options);
      const { readManuscript } = await import('../verify/manuscript/read-manuscript.ts');
      const { verifyManuscript } = await import('../verify/manuscript/verify-manuscript.ts');
      const { openVerify } = await import('../verify/open-verify.ts');
      const { problemOf } = await import('../verify/manuscript/verdict-words.ts');
      const manuscript = await readManuscript(file, settings);
      for (const reason of manuscript.unread) sayOnTerminal(printable(reason));
      const { parseCompleteSets } = await import('../verify/references/coverage.ts');
      const complete = parseCompleteSets(settings.indexComplete);
      const opened = await openVerify({ store: indexPlace(settings), limits: settings, complete });
      const report = await verifyManuscript(manuscript, opened).finally(opened.close);
      if (options.html !== undefined) {
        const { writeReport } = await import('../dashboard/report/write-report.tsx');
        writeFile(options.html, writeReport(report, file));
      }
      if (options.json) printJson({ n: report.references.length, ...report });
      else {
        const { printManuscriptReport } = await import('./print-manuscript-report.ts');
        printManuscriptReport(report);
      }
      const problem = problemOf(report);
      if (problem !== undefined) throw new VerbatimError('verify_failed', problem);
    });
}

function writeFile(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new VerbatimError('unwritable_output', `cannot write ${path}: ${messageOf(error)}`);
  }
}
