/** `verbatim paper`: papers of the index by their identifiers, for people and for bibliographies. */
import { Command, Option } from 'commander';
import { VerbatimError } from '../errors.ts';
import { type FoundPapers, findPapers } from '../search/papers/find-papers.ts';
import type { Paper } from '../search/papers/paper.ts';
import { type PaperFormat, paperFormats, writePapers } from '../search/papers/write-papers.ts';
import { type CommonOptions, settingsOf, withSource, withStoreOptions } from './cli/options.ts';
import { print, printable } from './cli/output.ts';

interface PaperOptions extends CommonOptions {
  format?: PaperFormat;
}

export function paperCommand(): Command {
  return withStoreOptions(new Command('paper'))
    .description('show papers of the index, or write them for a bibliography, free of charge')
    .argument('<id...>', 'any DOI, arXiv id, PMID, ... of a paper, or `d` of a result')
    .addOption(
      new Option('--format <format>', 'write the papers in this format').choices(paperFormats),
    )
    .addHelpText(
      'after',
      `
An ID may be a DOI, arXiv:..., PMID:..., PMC..., ACL:..., W..., CorpusId:..., a document's own id, or an
address that contains one of these. The command returns 1 if the index does not have one of them; the
others are printed all the same.

Examples:
  verbatim paper 10.5555/tides
  verbatim paper 10.5555/tides arXiv:2401.00001 --format bibtex >> references.bib`,
    )
    .action(async (ids: string[], { format, ...options }: PaperOptions) => {
      const found = await withSource(settingsOf(options), (source) =>
        source.view((view) => findPapers(ids, view, Number.POSITIVE_INFINITY)),
      );
      printFound(found, options.json ? 'json' : format);
      const [unknown] = found.unknown;
      if (unknown === undefined) return;
      const all = found.unknown.map(printable).join(', ');
      throw new VerbatimError('unknown_document', `the index does not have ${all}`);
    });
}

function printFound(found: FoundPapers, format: PaperFormat | undefined): void {
  if (format !== undefined) print(writePapers(found, format).trimEnd());
  else for (const { paper } of found.found) printPaper(paper);
}

function printPaper({ title, year, authors, venue, abstract, ...paper }: Paper): void {
  print(printable(`${title}${year === 0 ? '' : ` (${year})`}`));
  const identifiers = Object.entries(paper.identifiers).map(([scheme, id]) => `${scheme} ${id}`);
  for (const line of [authors.join(', '), venue, identifiers.join(', ') || paper.id]) {
    if (line !== '') print(`   ${printable(line)}`);
  }
  for (const { kind, date, id } of paper.notices) {
    const details = [date, id].filter((part) => part !== '').join(', ');
    const name = kind.replaceAll('_', ' ');
    print(`   ${printable(details === '' ? name : `${name}: ${details}`)}`);
  }
  if (abstract !== '') print(`\n   ${printable(abstract)}`);
  print('');
}
