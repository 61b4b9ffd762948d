/** `verbatim index publish`: writes the index as a copy for other machines, without any customer. */
import { Command } from 'commander';
import { namingFault } from '../../database/sqlite/faults.ts';
import { assertWalWithin } from '../../database/sqlite/wal.ts';
import { type Published, type PublishOptions, publishIndex } from '../../index/copies/publish.ts';
import { publishObjects } from '../../index/copies/publish-objects.ts';
import { assertPublishable } from '../../index/index-facts.ts';
import { isBucketAddress } from '../../index/object-storage/address.ts';
import { assertInFile } from '../../index/open/index-place.ts';
import type { Settings } from '../../settings/config.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import { formatNumber } from '../../text/format-number.ts';
import { listenForInterruption } from '../cli/interruption.ts';
import { lowerPriority } from '../cli/lower-priority.ts';
import {
  type CommonOptions,
  settingsOf,
  withStoreForReading,
  withStoreOptions,
} from '../cli/options.ts';
import { print, printJson } from '../cli/output.ts';
import { createProgressDisplay } from '../cli/progress.ts';
import { interruptible } from './interruptible.ts';
import { openObjectCopies } from './open-object-copies.ts';

interface PublishCommandOptions extends CommonOptions {
  staging?: string;
  reread?: boolean;
}

export function indexPublishCommand(): Command {
  return withStoreOptions(new Command('publish'))
    .description('write a copy of the index, without customers, for other machines')
    .argument('<target>', 'a folder, which is created, or s3://bucket/prefix')
    .option(
      '--staging <folder>',
      'for s3://: where the newest copy stays on this machine (default: the database with .copies)',
    )
    .option('--reread', 'for s3://: read each piece there, and send again what is damaged')
    .addHelpText(
      'after',
      `
Examples:
  verbatim index publish /srv/index-copies
  verbatim index publish s3://our-bucket/index

The copy has the tables of the index alone: no customer, key, or session. It never changes once it is
there, and if the index has not changed either, there is no new one. The newest ones are kept (VERBATIM_INDEX_COPIES_KEPT). Publish as often as you like, also while
the index is built or served: a copy is the index as it was at one moment. Other machines fetch it
with \`verbatim index pull\`, or read the folder itself with \`verbatim serve --read-only-index\`.

S3-compatible storage gets what it does not have, and again what is damaged there by its size, or by
its MD5 where the storage lists it. With --reread all of it is read and compared. VERBATIM_S3_... name its endpoint, region, and
keys; without them, the variables of Amazon's own tools count.`,
    )
    .action(publish);
}

async function publish(target: string, options: PublishCommandOptions): Promise<void> {
  const settings = settingsOf(options);
  assertInFile(
    settings,
    'index publish',
    'servers read the one on PostgreSQL themselves, and its replicas are its copies',
  );
  const { database, lockWaitMs, indexCopiesKept: keep, walBytesMax } = settings;
  const write = isBucketAddress(target) ? toStorage(target, options, settings) : toFolder(target);
  withStoreForReading(settings, assertPublishable);
  const { json = false } = options;
  const display = createProgressDisplay(process.stderr, { format: json ? 'json' : 'text' });
  const interruption = listenForInterruption(display, 'stopping; nothing will be kept');
  try {
    // The server's threads come first.
    lowerPriority(settings);
    const { name, manifest, isNew, damage, newBytes, sentBytes, deleted } = await interruptible(
      interruption.signal,
      (signal) =>
        write({
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
    if (json) {
      printJson({
        // The name of the field is of the time when copies were in folders only.
        folder: target,
        copy: name,
        new: isNew,
        damage,
        documents,
        bytes,
        new_bytes: newBytes,
        ...(sentBytes !== undefined && { sent_bytes: sentBytes }),
        deleted,
      });
      return;
    }
    for (const one of damage) print(`damaged: ${one}`);
    print(`${name}: ${formatNumber(documents)} documents, ${formatBytes(bytes)}`);
    if (isNew) print(`${formatBytes(newBytes)} differ from the copy before`);
    else print('nothing has changed since it was published');
    if (sentBytes !== undefined) print(`${formatBytes(sentBytes)} sent`);
    for (const old of deleted) print(`deleted ${old}`);
  } catch (error) {
    throw namingFault(error, database);
  } finally {
    interruption.stop();
  }
}

type Write = (options: PublishOptions) => Promise<Published & { sentBytes?: number }>;

function toFolder(folder: string): Write {
  return (options) => publishIndex(folder, options);
}

function toStorage(
  address: string,
  { staging, reread = false }: PublishCommandOptions,
  settings: Settings,
): Write {
  const folder = staging ?? `${settings.database}.copies`;
  const copies = openObjectCopies(address, settings);
  return (options) =>
    publishObjects(copies, {
      ...options,
      folder,
      requestsMax: settings.s3RequestsMax,
      isRead: reread,
      showBytes: (what, bytes, bytesTotal) =>
        options.onProgress(`${formatBytes(bytes)} of ${formatBytes(bytesTotal)} ${what}`),
    });
}
