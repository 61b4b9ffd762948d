/** `verbatim index pull`: fetches the newest copy of an index from a folder or from storage. */
import { Command } from 'commander';
import { VerbatimError } from '../../errors.ts';
import { folderSource } from '../../index/copies/copy-source.ts';
import { objectSource } from '../../index/copies/object-copies.ts';
import { pullIndex } from '../../index/copies/pull.ts';
import { isBucketAddress } from '../../index/object-storage/address.ts';
import { assertInFile } from '../../index/open/index-place.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import { formatNumber } from '../../text/format-number.ts';
import { listenForInterruption } from '../cli/interruption.ts';
import { lowerPriority } from '../cli/lower-priority.ts';
import { type CommonOptions, settingsOf, withConfigOption } from '../cli/options.ts';
import { print, printJson } from '../cli/output.ts';
import { createProgressDisplay } from '../cli/progress.ts';
import { interruptible } from './interruptible.ts';
import { openObjectCopies } from './open-object-copies.ts';

interface PullCommandOptions extends CommonOptions {
  to?: string;
}

export function indexPullCommand(): Command {
  return withConfigOption(new Command('pull'))
    .description('fetch the newest copy of an index; a running server takes it over')
    .argument('<source>', 'a folder or s3://bucket/prefix that `verbatim index publish` writes')
    .option('--to <folder>', 'where copies go (default: VERBATIM_READ_ONLY_INDEX)')
    .option('--json', 'print JSON for programs')
    .addHelpText(
      'after',
      `
Examples:
  verbatim index pull /mnt/publisher/copies --to /srv/index
  verbatim index pull s3://our-bucket/index --to /srv/index
  verbatim serve --read-only-index /srv/index

Only what the newest copy here does not have is read from the source. Every piece is checked before it
is written, and the new copy is used only when it is whole. After an interruption, run the same command
to resume. Run it from a timer: if there is nothing new, it reads the copy here and compares it with
its manifest. What is damaged is fetched again.`,
    )
    .action(pull);
}

async function pull(address: string, options: PullCommandOptions): Promise<void> {
  const settings = settingsOf(options);
  assertInFile(settings, 'index pull', 'servers read it themselves');
  const folder = options.to ?? settings.readOnlyIndex;
  if (folder === '') {
    throw new VerbatimError('usage', 'name a folder with --to, or set VERBATIM_READ_ONLY_INDEX');
  }
  const from = isBucketAddress(address)
    ? objectSource(openObjectCopies(address, settings), settings.s3RequestsMax)
    : folderSource(address);
  const { json = false } = options;
  const display = createProgressDisplay(process.stderr, { format: json ? 'json' : 'text' });
  const interruption = listenForInterruption(display, 'stopping; the same command resumes');
  try {
    // Searches come first.
    lowerPriority(settings);
    const pulled = await interruptible(interruption.signal, (signal) =>
      pullIndex(folder, {
        from,
        keep: settings.indexCopiesKept,
        signal,
        onProgress: (bytes, bytesTotal) =>
          display.status(`${formatBytes(bytes)} of ${formatBytes(bytesTotal)} are here`),
      }),
    );
    display.finish();
    const { name, manifest, isNew, damage, fetchedBytes, deleted } = pulled;
    const { documents, bytes } = manifest;
    if (json) {
      printJson({
        folder,
        copy: name,
        new: isNew,
        damage,
        documents,
        bytes,
        fetched_bytes: fetchedBytes,
        deleted,
      });
      return;
    }
    if (!isNew && damage.length === 0) {
      print(`${name} is here already, and whole`);
      return;
    }
    for (const one of damage) print(`damaged: ${one}`);
    print(`${name}: ${formatNumber(documents)} documents, ${formatBytes(bytes)}`);
    print(`${formatBytes(fetchedBytes)} fetched`);
    for (const old of deleted) print(`deleted ${old}`);
  } finally {
    interruption.stop();
  }
}
