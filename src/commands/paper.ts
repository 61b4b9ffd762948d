/** `verbatim paper`: papers of the index by their identifiers, for people and for bibliographies. */
import { Command, Option } from 'commander';
import { VerbatimError } from '../errors.ts';
import { indexPlace } from '../index/open/index-place.ts';
import type { IndexView } from '../index/ports/index-source.ts';
import {
  type CitationList,
  type CitationListName,
  citationListNames,
} from '../search/papers/citation-lists.ts';
import { type FoundPaper, type FoundPapers, findPapers } from '../search/papers/find-papers.ts';
import { type PaperFormat, paperFormats, writePapers } from '../search/papers/write-papers.ts';
import type { Settings } from '../settings/config.ts';
import { matchPrinted } from '../verify/match-printed.ts';
import { openVerify } from '../verify/open-verify.ts';
import { type CommonOptions, settingsOf, withSource, withStoreOptions } from './cli/options.ts';
import { print, printable } from './cli/output.ts';

interface PaperOptions extends CommonOptions {
  format?: PaperFormat;
  references?: boolean;
  citedBy?: boolean;
}

/** Each page goes through the whole list, so a long one is read in few. */
const ENTRIES_PER_PAGE = 1_000;

const titles: Readonly<Record<CitationListName, string>> = {
  references: 'cites',
  cited_by: 'cited by',
};

export function paperCommand(): Command {
  return withStoreOptions(new Command('paper'))
    .description('show papers of the index, or write them for a bibliography, free of charge')
    .argument('<id...>', 'any DOI, arXiv id, PMID, ... of a paper, or `d` of a result')
    .addOption(
      new Option('--format <format>', 'write the papers in this format').choices(paperFormats),
    )
    .option('--references', 'also what the papers cite')
    .option('--cited-by', 'also the papers of the index that cite them')
    .addHelpText(
      'after',
      `
An ID may be a DOI, arXiv:..., PMID:..., PMC..., ACL:..., W..., CorpusId:..., a document's own id, or an
address that contains one of these. The command returns 1 if the index does not have one of them; the
others are printed all the same.

Examples:
  verbatim paper 10.5555/tides
  verbatim paper 10.5555/tides --cited-by
  verbatim paper 10.5555/tides arXiv:2401.00001 --format bibtex >> references.bib`,
    )
    .action(async (ids: string[], { format, references, citedBy, ...options }: PaperOptions) => {
      const names = citationListNames.filter((name) =>
        name === 'references' ? references : citedBy,
      );
      const settings = settingsOf(options);
      const found = await withSource(settings, (source) =>
        source.view(async (view) => {
          const papers = await findPapers(ids, view, { idsMax: Number.POSITIVE_INFINITY });
          for (const paper of papers.found) {
            for (const name of names) await addList(paper, name, view);
          }
          return papers;
        }),
      );
      if (references) await findPrinted(found, settings);
      printFound(found, options.json ? 'json' : format);
      const [unknown] = found.unknown;
      if (unknown === undefined) return;
      const all = found.unknown.map(printable).join(', ');
      throw new VerbatimError('unknown_document', `the index does not have ${all}`);
    });
}

/** Adds the papers that printed references mean. Opens the index again only if there are any. */
async function findPrinted({ found }: FoundPapers, settings: Settings): Promise<void> {
  const lists = found.flatMap((one) => one.lists ?? []);
  await matchPrinted(lists, async (items) => {
    const opened = await openVerify({ store: indexPlace(settings), limits: settings });
    return opened.verify(items).finally(opened.close);
  });
}

/** Adds all pages of a list. */
async function addList(paper: FoundPaper, name: CitationListName, view: IndexView): Promise<void> {
  const { id } = paper.paper;
  const papers: NonNullable<CitationList['papers']> = [];
  let after: number | undefined;
  do {
    const lists = { names: [name], after, most: ENTRIES_PER_PAGE };
    const { found } = await findPapers([id], view, { lists });
    const { cursor, ...page } = found[0]?.lists?.[name] ?? { count: 0, indexed: 0 };
    papers.push(...(page.papers ?? []));
    paper.lists = { ...paper.lists, [name]: { ...page, papers } };
    after = cursor === undefined ? undefined : Number(cursor);
  } while (after !== undefined);
}

function printFound(found: FoundPapers, format: PaperFormat | undefined): void {
  if (format !== undefined) print(writePapers(found, format).trimEnd());
  else for (const paper of found.found) printPaper(paper);
}

function printPaper({
  paper: { title, year, authors, venue, abstract, ...paper },
  lists,
}: FoundPaper): void {
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
  for (const name of citationListNames)
    if (lists?.[name] !== undefined) printList(name, lists[name]);
  print('');
}

function printList(name: CitationListName, { count, papers = [] }: CitationList): void {
  print(`\n   ${titles[name]} ${count}`);
  for (const paper of papers) print(`   - ${printable(lineOf(paper))}`);
}

function lineOf(paper: NonNullable<CitationList['papers']>[number]): string {
  if ('text' in paper) {
    const { text, d, verdict = '' } = paper;
    return d === undefined ? text : `${text} · ${d} (${verdict.replaceAll('_', ' ')})`;
  }
  if (!('t' in paper)) return paper.d;
  const { d, t, y, a, retraction } = paper;
  const mark = retraction === undefined ? '' : ` (${retraction.kind})`;
  return [`${t}${y === 0 ? '' : ` (${y})`}${mark}`, a.join(', '), d]
    .filter((part) => part !== '')
    .join(' · ');
}
