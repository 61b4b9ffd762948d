/** `verbatim index remove`: removes documents from the index, and keeps them out. */
import { Command } from 'commander';
import { VerbatimError } from '../../errors.ts';
import type { OperatorIndex } from '../../index/ports/operator-index.ts';
import type { DocumentId } from '../../types.ts';
import { type CommonOptions, settingsOf, withStoreOptions } from '../cli/options.ts';
import { print, printable, printJson } from '../cli/output.ts';
import { withOperatorIndex } from '../cli/with-operator-index.ts';

export function indexRemoveCommand(): Command {
  return withStoreOptions(new Command('remove'))
    .description('remove documents, with all that their sources say about them, and keep them out')
    .argument('<ids...>', 'ids as in `d` of a result, or any DOI, arXiv id, PMID, ... of a paper')
    .option('--restore', 'let removed documents come back with the next file that has them')
    .addHelpText(
      'after',
      `
Examples:
  verbatim index remove 10.5555/tides
  verbatim index remove https://doi.org/10.5555/TIDES arXiv:2401.00001v2 PMID:123456
  verbatim index remove --restore 10.5555/tides

A removed document stays out: when a file or a source has it again, also by another identifier, its
records are kept away and counted. The index keeps its identifiers, title, first author, year, and
venue to recognize it, and no abstract. After --restore, \`index add\` of a file that has the
document brings it back.`,
    )
    .action(async (names: string[], options: CommonOptions & { restore?: boolean }) => {
      const isRestoring = options.restore ?? false;
      const work = isRestoring ? restoreNamed : removeNamed;
      const { done, missing } = await withOperatorIndex(settingsOf(options), (index) =>
        work(index, names),
      );
      const verb = isRestoring ? 'restored' : 'removed';
      if (options.json) {
        printJson({ [verb]: done.map(({ id }) => id), missing });
        return;
      }
      for (const { name, id } of done) {
        print(`${verb} ${printable(id)}${id === name ? '' : ` (${printable(name)})`}`);
      }
      if (isRestoring && done.length > 0) print('add a file that has them to bring them back');
      for (const name of missing) {
        print(`${isRestoring ? 'was not removed' : 'not in the index'}: ${printable(name)}`);
      }
    });
}

/** Papers that are read, and removed or restored in one transaction, at a time. */
const PAPERS_PER_BATCH = 500;

interface Named {
  name: string;
  id: DocumentId;
}

interface Outcome {
  done: Named[];
  missing: string[];
}

/** Nothing is removed if a name belongs to several papers. */
async function removeNamed(index: OperatorIndex, names: readonly string[]): Promise<Outcome> {
  const done = new Map<DocumentId, Named>();
  const missing: string[] = [];
  for (const batch of batchesOf(names)) {
    for (const [at, found] of (await index.find(batch)).entries()) {
      const name = batch[at] as string;
      const ids = found.map(({ merged }) => merged.document.id);
      if (ids.length > 1) {
        throw new VerbatimError(
          'usage',
          `"${name}" belongs to several papers; choose one of ${ids.join(', ')}`,
        );
      }
      const [id] = ids;
      if (id === undefined) missing.push(name);
      else if (!done.has(id)) done.set(id, { name, id });
    }
  }
  for (const batch of batchesOf([...done.keys()])) await index.remove(batch);
  return { done: [...done.values()], missing };
}

async function restoreNamed(index: OperatorIndex, names: readonly string[]): Promise<Outcome> {
  const left: number[] = [];
  for (const batch of batchesOf(names)) left.push(...(await index.restore(batch)));
  const isLeft = (at: number): boolean => (left[at] ?? 0) > 0;
  return {
    done: names.filter((_, at) => isLeft(at)).map((name) => ({ name, id: name })),
    missing: names.filter((_, at) => !isLeft(at)),
  };
}

function batchesOf(names: readonly string[]): string[][] {
  const count = Math.ceil(names.length / PAPERS_PER_BATCH);
  return Array.from({ length: count }, (_, at) => {
    return names.slice(at * PAPERS_PER_BATCH, (at + 1) * PAPERS_PER_BATCH);
  });
}
