/** `verbatim index publish`: writes the index into a folder of copies, without any customer. */
import { constants, setPriority } from 'node:os';
import { Command } from 'commander';
import { formatBytes } from '../../format-bytes.ts';
import { assertInFile } from '../../index-source/open/index-place.ts';
import { publishIndex } from '../../store/copies/publish.ts';
import { namingFault } from '../../store/database/faults.ts';
import { assertWalWithin } from '../../store/database/wal.ts';
import { assertPublishable } from '../../store/index/index-facts.ts';
import { listenForInterruption } from '../cli/interruption.ts';
import {
  type CommonOptions,
  settingsOf,
  withStoreForReading,
  withStoreOptions,
} from '../cli/options.ts';
import { formatNumber, print, printJson } from '../cli/output.ts';
import { createProgressDisplay } from '../cli/progress.ts';
import { interruptible } from './interruptible.ts';

export function indexPublishCommand(): Command {
  return withStoreOptions(new Command('publish'))
    .description('write a copy of the index, without customers, for other machines')
    .argument('<folder>', 'the folder of copies; it is created')
    .addHelpText(
      'after',
      `
Example:
  verbatim index publish /srv/index-copies

The copy has the tables of the index alone: no customer, key, or session. It never changes once it is
there. The newest ones are kept (VERBATIM_INDEX_COPIES_KEPT). Publish as often as you like, also while
the index is built or served: a copy is the index as it was at one moment. Other machines fetch it
with \`verbatim index pull\`, or read the folder itself with \`verbatim serve --read-only-index\`.`,
    )
    .action(publish);
}

async function publish(folder: string, options: CommonOptions): Promise<void> {
  const settings = settingsOf(options);
  assertInFile(
    settings,
    'index publish',
    'servers read the one on PostgreSQL themselves, and its replicas are its copies',
  );
  const { database, lockWaitMs, indexCopiesKept: keep, walBytesMax } = settings;
  withStoreForReading(settings, assertPublishable);
  const { json = false } = options;
  const display = createProgressDisplay(process.stderr, { format: json ? 'json' : 'text' });
  const interruption = listenForInterruption(display, 'stopping; nothing will be kept');
  try {
    // The server's threads come first.
    setPriority(constants.priority.PRIORITY_LOW);
    const { name, manifest, newBytes, deleted } = await interruptible(
      interruption.signal,
      (signal) =>
        publishIndex(folder, {
          database,
          lockWaitMs,
          keep,
          signal,
          beforeStep: () => assertWalWithin(database, walBytesMax),
          onProgress: (text) => display.status(text),
          now: () => new Date(),
        }),
    );
    display.finish();
    const { bytes, documents } = manifest;
    if (json) printJson({ folder, copy: name, documents, bytes, new_bytes: newBytes, deleted });
    else {
      print(`${name}: ${formatNumber(documents)} documents, ${formatBytes(bytes)}`);
      print(`${formatBytes(newBytes)} differ from the copy before`);
      for (const old of deleted) print(`deleted ${old}`);
    }
  } catch (error) {
    throw namingFault(error, database);
  } finally {
    interruption.stop();
  }
}
