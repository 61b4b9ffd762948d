/** `verbatim index remove`: removes documents from the index. */
import { Command } from 'commander';
import { VerbatimError } from '../../errors.ts';
import type { Connection } from '../../store/database/connection.ts';
import { createIndexWriter } from '../../store/index/documents/index-writer.ts';
import { findDocuments } from '../../store/index/records/find-documents.ts';
import { createSourcesReader } from '../../store/index/records/sources-of-documents.ts';
import type { DocumentId } from '../../types.ts';
import {
  type CommonOptions,
  settingsOf,
  withExistingStore,
  withStoreOptions,
} from '../cli/options.ts';
import { print, printable, printJson } from '../cli/output.ts';

export function indexRemoveCommand(): Command {
  return withStoreOptions(new Command('remove'))
    .description('remove documents, with all that their sources say about them')
    .argument('<ids...>', 'ids as in `d` of a result, or any DOI, arXiv id, PMID, ... of a paper')
    .addHelpText(
      'after',
      `
Examples:
  verbatim index remove 10.5555/tides
  verbatim index remove https://doi.org/10.5555/TIDES arXiv:2401.00001v2 PMID:123456

Adding a file that contains the document brings it back.`,
    )
    .action((names: string[], options: CommonOptions) => {
      const { removed, missing } = withExistingStore(settingsOf(options), (db) =>
        removeNamed(db, names),
      );
      if (options.json) {
        printJson({ removed: removed.map(({ id }) => id), missing });
        return;
      }
      for (const { name, id } of removed) {
        print(`removed ${printable(id)}${id === name ? '' : ` (${printable(name)})`}`);
      }
      for (const name of missing) print(`not in the index: ${printable(name)}`);
    });
}

interface Removed {
  name: string;
  id: DocumentId;
}

function removeNamed(
  db: Connection,
  names: readonly string[],
): { removed: Removed[]; missing: string[] } {
  const reader = createSourcesReader(db);
  const removed: Removed[] = [];
  const missing: string[] = [];
  for (const name of names) {
    const ids = findDocuments(reader, name).map(({ merged }) => merged.document.id);
    if (ids.length > 1) {
      throw new VerbatimError(
        'usage',
        `"${name}" belongs to several papers; choose one of ${ids.join(', ')}`,
      );
    }
    const [id] = ids;
    if (id === undefined) missing.push(name);
    else if (!removed.some((other) => other.id === id)) removed.push({ name, id });
  }
  createIndexWriter(db).remove(removed.map(({ id }) => id));
  return { removed, missing };
}
