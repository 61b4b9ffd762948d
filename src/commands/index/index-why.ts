/** `verbatim index why`: shows the records of a document and the fields that each one gives. */
import { Command } from 'commander';
import { VerbatimError } from '../../errors.ts';
import { documentFields, type KeptRecord } from '../../identity/kept-record.ts';
import { nameKeyOf } from '../../identity/record-keys.ts';
import type { FoundDocument } from '../../index/documents/sources-of-documents.ts';
import { type CommonOptions, settingsOf, withStoreOptions } from '../cli/options.ts';
import { formatTime, print, printable, printJson, printTable } from '../cli/output.ts';
import { withOperatorIndex } from '../cli/with-operator-index.ts';

interface Explained {
  id: string;
  title: string;
  /** Whether `index remove` took the paper out, and keeps it out. */
  removed: boolean;
  withheld: KeptRecord['withheld'] | null;
  identifiers: KeptRecord['identifiers'];
  /** By falling precedence. */
  sources: {
    /** The identifier by which the source names the paper. */
    name: string;
    part: KeptRecord['part'];
    format: string | null;
    file: string | null;
    /** Milliseconds since 1970, or 0 if unknown. */
    updatedAt: number;
    withheld: KeptRecord['withheld'] | null;
    /** The document's fields that come from this record. */
    gives: string[];
  }[];
}

export function indexWhyCommand(): Command {
  return withStoreOptions(new Command('why'))
    .description('show the records of a document and the fields that each one gives')
    .argument('<id>', '`d` of a result, or any DOI, arXiv id, PMID, ... of the paper')
    .addHelpText(
      'after',
      `
A published version takes precedence over its preprint. Each field comes from the first record that
has it. Of a paper that \`index remove\` took out, it shows what keeps it out. The id may be a DOI, arXiv:..., PMID:..., PMC..., ACL:..., W..., CorpusId:..., a document's own
id, or an address that contains one of these.`,
    )
    .action(async (name: string, options: CommonOptions) => {
      const explained = await withOperatorIndex(settingsOf(options), async (index) => {
        const [found = []] = await index.find([name]);
        if (found.length > 0) return found.map(explain);
        return explainRemoved(await index.findRemoved(name));
      });
      if (options.json) printJson(explained);
      else for (const one of explained) printExplained(one);
      if (explained.length === 0) {
        throw new VerbatimError('unknown_document', `no document is known by "${printable(name)}"`);
      }
    });
}

function explain({ merged, records, files }: FoundDocument): Explained {
  const { document, withheld = null, identifiers, winners } = merged;
  return {
    id: document.id,
    title: document.title,
    removed: false,
    withheld,
    identifiers,
    sources: merged.records.map((record) => {
      const file = files[records.findIndex((each) => each.record === record)];
      return {
        name: nameKeyOf(record),
        part: record.part,
        updatedAt: record.updatedAt,
        format: file?.format ?? null,
        file: file?.path ?? null,
        withheld: record.withheld ?? null,
        gives: documentFields.filter((field) => winners[field] === record),
      };
    }),
  };
}

/** As one paper, which it may be several of if it comes back. */
function explainRemoved(records: readonly KeptRecord[]): Explained[] {
  const [first] = records;
  if (first === undefined) return [];
  const { id, title } = first;
  const nothing = { gives: [], updatedAt: 0, format: null, file: null, withheld: null };
  const sources = records.map((record) => {
    return { name: nameKeyOf(record), part: record.part, ...nothing };
  });
  const identifiers = Object.assign({}, ...records.map((record) => record.identifiers));
  return [{ id, title, removed: true, withheld: null, identifiers, sources }];
}

function printExplained(explained: Explained): void {
  const { id, title, removed, withheld, identifiers, sources } = explained;
  print(`${printable(id)}${withheld === null ? '' : ` (${withheld})`}`);
  print(printable(title));
  if (removed)
    print(`removed, and kept out until: verbatim index remove --restore ${printable(id)}`);
  const known = Object.entries(identifiers).map(([scheme, value]) => `${scheme} ${value}`);
  print(`identifiers: ${printable(known.join(', ')) || '(only its id)'}`);
  printTable(
    ['record', 'gives', 'updated', 'format', 'file'],
    sources.map(({ name, part, gives, updatedAt, format, file, withheld: reason }) => [
      printable(name) + (part === 'record' ? '' : ` (${part})`) + (reason ? ` (${reason})` : ''),
      gives.join(' ') || '-',
      formatTime(updatedAt === 0 ? null : updatedAt),
      format ?? '',
      printable(file ?? ''),
    ]),
  );
  print('');
}
