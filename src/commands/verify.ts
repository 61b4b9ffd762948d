/** `verbatim verify`: checks a manuscript or a bibliography against the index. */
import { Command } from 'commander';
import { type CommonOptions, settingsOf, withStoreOptions } from './cli/options.ts';
import { LANES_ARGUMENT, parseLanesOption } from './parse-lanes.ts';
import type { VerifyFileOptions } from './verify-file.ts';

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
    .option(
      '--lanes <lanes>',
      `also ask lanes about references that the index does not have; ${LANES_ARGUMENT}`,
      parseLanesOption,
    )
    .addHelpText(
      'after',
      `
Each field of a reference is compared with the records of the index: title, authors in order, year,
venue, and identifiers. Abbreviations, initials, accents, and "et al." are no errors. A preprint and
its published version are one work. A reference with errors is printed again, corrected, in its own
format. What is not found may be real: see --lanes and VERBATIM_INDEX_COMPLETE.

Each quote of four or more words with a citation, and each block quote, is looked up in the paper that
it cites. The index has titles and abstracts, so a quote from elsewhere in a paper is no error.

Exit codes: 0 if nothing is wrong. 1 if a reference is not in the index or differs from it, if a quote
differs from the cited paper or stands in another one, or if the file cannot be read. 2 for wrong usage.

Examples:
  verbatim verify references.bib
  verbatim verify paper.tex --html report.html
  verbatim verify paper.md --lanes all
  cat paper.txt | verbatim verify - --json`,
    )
    .action(async (file: string, options: CommonOptions & VerifyFileOptions) => {
      const { verifyFile } = await import('./verify-file.ts');
      await verifyFile(file, options, settingsOf(options));
    });
}
