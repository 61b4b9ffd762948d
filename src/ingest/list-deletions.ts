/** Lists the records that a file would delete, before a build does so. */
import { schemeKeysOf } from '../identity/record-keys.ts';
import type { PlanReader } from '../index/ports/index-builder.ts';
import { createEntryNormalizer } from './normalize-entries.ts';
import type { InputFile } from './read/input.ts';
import type { FormatLimits } from './read/packed-format.ts';
import { type Reading, readInput } from './read-input.ts';

/**
 * Resolves to what identifies each stored record that is deleted. A source may name far more than the
 * index has. Reads the file once. Read errors are left to the build.
 */
export async function listDeletions(
  input: InputFile,
  reading: Reading,
  { limits, builder }: { limits: FormatLimits; builder: Pick<PlanReader, 'plan'> },
): Promise<string[]> {
  const deletions: string[] = [];
  await readInput(input, reading, {
    async read({ source, format, name }) {
      const { normalize } = createEntryNormalizer(format, name);
      for await (const entry of format.entries(source, limits)) {
        const incoming = 'deletion' in entry ? normalize(entry) : undefined;
        if (incoming === undefined || !('deletion' in incoming)) continue;
        if ((await builder.plan(incoming)).outcome !== 'deleted') continue;
        deletions.push(...schemeKeysOf(incoming.deletion).slice(0, 1));
      }
    },
    passedOver: () => {},
    failed: () => {},
    shouldStop: () => false,
  });
  return deletions;
}
