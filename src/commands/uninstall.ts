/** `verbatim uninstall`: lists what Verbatim has left on this machine, and removes it. */
import { execFileSync } from 'node:child_process';
import { existsSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { isServed } from '../database/sqlite/process-lock.ts';
import { messageOf, VerbatimError } from '../errors.ts';
import { isOnPostgres } from '../index/open/index-place.ts';
import { bundlePath } from '../settings/bundle.ts';
import { readSettingsFile, type Settings, singleFile } from '../settings/config.ts';
import { SYSTEM_SETTINGS_FILE } from '../settings/find-settings-file.ts';
import { type CommonOptions, settingsOf, withStoreOptions } from './cli/options.ts';
import { formatSteps, print, printJson } from './cli/output.ts';
import { findLeftovers, type Leftover, unitNames } from './setup/leftovers.ts';
import { DROP_IN_PATH } from './setup/packaged-unit.ts';
import { STATE_FOLDER } from './setup/systemd-unit.ts';

interface UninstallOptions extends CommonOptions {
  yes?: boolean;
  withData?: boolean;
}

/** What became of a file. */
interface Handled extends Leftover {
  state: 'left' | 'removed';
}

/** Where systemd has the cache of the service. */
const SERVICE_CACHES = ['/var/cache/verbatim', '/var/cache/private/verbatim'];

/** Folders that go when they are empty. */
const OWN_FOLDERS = [SYSTEM_SETTINGS_FILE, DROP_IN_PATH]
  .map((path) => dirname(path))
  .concat(STATE_FOLDER);

export function uninstallCommand(): Command {
  return withStoreOptions(new Command('uninstall'))
    .description('list what is left on this machine, and remove it with --yes')
    .option('--yes', 'remove it, except for the database')
    .option('--with-data', 'with --yes: remove the database too, with customers, credit, and index')
    .addHelpText(
      'after',
      `
It knows the settings file, the units and timers in /etc/systemd/system, the examples for a proxy, what
the single file has unpacked, and the database with the files beside it. It never touches backups, copies
of an index in other folders, or PostgreSQL.

Examples:
  verbatim uninstall                      list what is there
  sudo verbatim uninstall --yes           remove all but the database`,
    )
    .action(uninstall);
}

async function uninstall(options: UninstallOptions): Promise<void> {
  const { yes = false, withData = false, json = false } = options;
  const settings = settingsOf(options);
  const found = findLeftovers({
    settingsFile: readSettingsFile(options.config)?.path,
    database: resolve(settings.database),
    caches: [...ownCache(), ...SERVICE_CACHES],
  });
  const isRemoved = ({ what }: Leftover): boolean => yes && (what !== 'database' || withData);
  if (found.some(isRemoved)) await remove(found.filter(isRemoved), settings);
  const handled = found.map((file): Handled => {
    return { ...file, state: isRemoved(file) ? 'removed' : 'left' };
  });
  if (json) printJson({ files: handled });
  else printForPeople(handled, settings, options);
}

/** The folder into which this program was unpacked. */
function ownCache(): string[] {
  // The bundle is in CACHE/v-HASH/app.
  return singleFile() === undefined ? [] : [dirname(dirname(dirname(bundlePath())))];
}

/** Throws `database_busy` while a server runs, and `unwritable_output` for what cannot be removed. */
async function remove(files: readonly Leftover[], settings: Settings): Promise<void> {
  const systemctl = existsSync('/run/systemd/system') && process.geteuid?.() === 0;
  // A unit that is not there is no error: systemctl says so, and goes on with the others.
  if (systemctl) for (const unit of unitNames()) quietly('disable', '--now', unit);
  if (await isServed(settings.database)) {
    throw new VerbatimError(
      'database_busy',
      `a server has ${settings.database} open; stop it first`,
    );
  }
  for (const { path } of files) removeOne(path);
  if (systemctl) quietly('daemon-reload');
}

function removeOne(path: string): void {
  try {
    rmSync(path, { recursive: true });
    if (OWN_FOLDERS.includes(dirname(path))) removeIfEmpty(dirname(path));
  } catch (error) {
    throw new VerbatimError('unwritable_output', `cannot remove ${path}: ${messageOf(error)}`);
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It has other files.
  }
}

function quietly(...args: string[]): void {
  try {
    execFileSync('systemctl', args, { stdio: 'ignore' });
  } catch {
    // The unit is not there.
  }
}

function printForPeople(
  files: readonly Handled[],
  settings: Settings,
  { yes }: UninstallOptions,
): void {
  if (files.length === 0) print('Nothing is left.');
  else print(formatSteps(files.map(({ what, path, state }) => [what, `${state} ${path}`])));
  const isElsewhere = settings.accountsAddress !== '' || isOnPostgres(settings);
  if (isElsewhere) print('\nWhat is on PostgreSQL stays there.');
  const left = files.filter(({ state }) => state === 'left');
  if (left.some(({ what }) => what !== 'database'))
    print('\nRemove all but the database with --yes.');
  else if (left.length > 0 && yes) {
    print('\nThe database has customers and their credit. Remove it with --yes --with-data.');
  }
  const file = singleFile()?.path;
  if (file === undefined) return;
  // An upgrade leaves the others.
  const names = ['', '.old', '.old.json']
    .map((end) => `${file}${end}`)
    .filter((name) => existsSync(name));
  const how = file === '/usr/bin/verbatim' ? 'apt purge verbatim' : `rm ${names.join(' ')}`;
  print(`\nThe program itself stays; remove it with: ${how}`);
}
