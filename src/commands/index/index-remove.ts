/** `verbatim index remove`: removes documents from the index. */
import { Command } from 'commander';
import { VerbatimError } from '../../errors.ts';
import type { OperatorIndex } from '../../index/ports/operator-index.ts';
import type { DocumentId } from '../../types.ts';
import { type CommonOptions, settingsOf, withStoreOptions } from '../cli/options.ts';
import { print, printable, printJson } from '../cli/output.ts';
import { withOperatorIndex } from '../cli/with-operator-index.ts';

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
    .action(async (names: string[], options: CommonOptions) => {
      const { removed, missing } = await withOperatorIndex(settingsOf(options), (index) =>
        removeNamed(index, names),
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

async function removeNamed(
  index: OperatorIndex,
  names: readonly string[],
): Promise<{ removed: Removed[]; missing: string[] }> {
  const removed: Removed[] = [];
  const missing: string[] = [];
  for (const name of names) {
    const ids = (await index.find(name)).map(({ merged }) => merged.document.id);
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
  await index.remove(removed.map(({ id }) => id));
  return { removed, missing };
}
