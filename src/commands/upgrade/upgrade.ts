/** `verbatim upgrade`: puts another single file in the place of this one, and goes back if it fails. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { Command } from 'commander';
import { messageOf, VerbatimError } from '../../errors.ts';
import { isOnPostgres } from '../../index/open/index-place.ts';
import { readSettingsFile, type Settings } from '../../settings/config.ts';
import { SYSTEM_SETTINGS_FILE } from '../../settings/find-settings-file.ts';
import { version } from '../../settings/version.ts';
import { listenForInterruption } from '../cli/interruption.ts';
import { type CommonOptions, sayOnTerminal, settingsOf, withStoreOptions } from '../cli/options.ts';
import { print, printJson } from '../cli/output.ts';
import { createProgressDisplay } from '../cli/progress.ts';
import { backupTarget } from '../operation/backup-files.ts';
import { copyAndCheck } from '../operation/copy-and-check.ts';
import { copyBeforeThisVersion, goBack, type WayBack } from './go-back.ts';
import { ownProgramFile, type ProgramFile } from './program-file.ts';
import { findServer, type RunningServer } from './running-server.ts';
import { verifyDownload } from './verify-download.ts';

interface UpgradeOptions extends CommonOptions {
  signers?: string;
  backup?: string;
  back?: boolean;
}

export function upgradeCommand(): Command {
  return withStoreOptions(new Command('upgrade'))
    .description('replace this program by a newer single file, and go back if the server fails')
    .argument('[file]', 'the new file, with SHA256SUMS and SHA256SUMS.sig beside it')
    .option(
      '--signers <file>',
      'whose signature counts (default: allowed_signers beside the settings file)',
    )
    .option('--backup <path>', "a new file or a folder (default: the database's folder)")
    .option('--back', 'go back to the program that the last upgrade replaced')
    .addHelpText(
      'after',
      `
Examples:
  sudo verbatim upgrade downloads/verbatim-linux-x64
  sudo verbatim upgrade --back

It checks the signature, makes a backup, replaces the program, stops the server, migrates the database
after a copy, starts the server, and waits until it is ready. If any of this fails, it goes back by itself.
The server is the systemd unit, or the process that has the database open and runs from this file.

The replaced program stays beside the new one, with ".old" after its name. --back uses it. A database that
was migrated goes back to its copy only if customers, members, keys, ledger, payments, clients' grants,
the trail of operators, and papers are as they were. Sessions, sign-in links, and second factors of the
meantime are lost, and the list of free and failed requests. One that was not migrated stays as it is.

If this command is killed, the server starts by itself: the old program with the old database, or the new
one, which migrates it. The same command then finishes the upgrade, and --back goes back.`,
    )
    .action((file: string | undefined, options: UpgradeOptions) => run(file, options));
}

async function run(file: string | undefined, options: UpgradeOptions): Promise<void> {
  if ((file === undefined) !== (options.back === true)) {
    throw new VerbatimError('usage', 'name the new file, or use --back');
  }
  const settings = settingsOf(options);
  if (settings.accountsAddress !== '' || isOnPostgres(settings)) {
    throw new VerbatimError(
      'usage',
      'with PostgreSQL, all servers change together: see scripts/cluster/README.md',
    );
  }
  const program = ownProgramFile();
  const database = resolve(settings.database);
  const server = await findServer(settings, program.path);
  const situation = { settings, program, server, database };
  const done =
    file === undefined
      ? await goBackByHand(situation)
      : await upgrade(resolve(file), situation, options);
  if (options.json) printJson(done);
  else print(`${program.path} is ${done.to}${server ? ', and its server is ready' : ''}`);
}

interface Situation extends Omit<WayBack, 'copy'> {
  settings: Settings;
}

interface Done {
  from: string;
  to: string;
  backup: string | null;
  /** The database before its migration. */
  copy: string | null;
}

async function goBackByHand(situation: Situation): Promise<Done> {
  const { program } = situation;
  const record = program.readRecord();
  if (record === undefined) {
    throw new VerbatimError('usage', `there is no ${program.old} to go back to`);
  }
  const { database, copy = copyBeforeThisVersion(database) } = record;
  if (record.copy === undefined) sayOnTerminal(`the upgrade to ${version} was killed; going back`);
  await goBack({ ...situation, database, copy: copy ?? undefined });
  const to = await versionOf(program.path);
  return { from: version, to, backup: null, copy: null };
}

async function upgrade(file: string, situation: Situation, options: UpgradeOptions): Promise<Done> {
  const { program, settings, database } = situation;
  const settingsFile = readSettingsFile(options.config)?.path ?? SYSTEM_SETTINGS_FILE;
  const signers = options.signers ?? join(dirname(settingsFile), 'allowed_signers');
  if (!existsSync(file)) throw new VerbatimError('unreadable_input', `there is no file ${file}`);
  try {
    const staged = stage(file, program);
    await verifyDownload(file, staged, signers);
    const to = await versionOf(staged);
    assertNotOlder(to);
    const backup = existsSync(database) ? await backUp(settings, database, options) : null;
    const record = program.readRecord();
    const isRepeated = to === version && record !== undefined && record.copy === undefined;
    if (isRepeated) sayOnTerminal(`the upgrade to ${version} was killed; finishing it`);
    const copy = await keepGoing(() => replaceAndRestart(situation, { ...options, isRepeated }));
    return { from: version, to, backup, copy };
  } finally {
    program.unstage();
  }
}

/** Copied first, so that nobody changes what was verified. */
function stage(file: string, program: ProgramFile): string {
  try {
    return program.stage(file);
  } catch (error) {
    throw new VerbatimError(
      'unwritable_output',
      `cannot write ${program.path}.new: ${messageOf(error)}`,
    );
  }
}

/** Throws `upgrade_failed` if the file does not run here. */
async function versionOf(path: string): Promise<string> {
  return (await askProgram<{ version: string }>(path, ['version'])).version;
}

/**
 * Runs a command of another program, which has the file `held` open meanwhile. Throws `upgrade_failed` if it
 * fails; it has said why.
 */
async function askProgram<Answer>(
  path: string,
  words: readonly string[],
  held?: Writable,
): Promise<Answer> {
  const stdio = ['ignore', 'pipe', 'inherit', held ?? 'ignore'] as const;
  const child = spawn(path, [...words, '--json'], { stdio: [...stdio] });
  const ended = new Promise((resolve) => child.once('error', resolve).once('close', resolve));
  let text = '';
  for await (const piece of child.stdout ?? []) text += piece;
  if ((await ended) === 0) return JSON.parse(text) as Answer;
  throw new VerbatimError('upgrade_failed', `"${words[0]}" of the new program failed`);
}

function assertNotOlder(to: string): void {
  if (to.localeCompare(version, 'en', { numeric: true }) >= 0) return;
  throw new VerbatimError('usage', `the file is ${to}, older than ${version}; see --back`);
}

async function backUp(
  settings: Settings,
  database: string,
  { backup, json = false }: UpgradeOptions,
): Promise<string> {
  const target = backupTarget(backup ?? dirname(database), database, new Date());
  const display = createProgressDisplay(process.stderr, { format: json ? 'none' : 'text' });
  const interruption = listenForInterruption(display, 'stopping; nothing has changed');
  const { backupBytesPerSecondMax: bytesPerSecondMax } = settings;
  const { signal } = interruption;
  try {
    const how = { settings, bytesPerSecondMax, display, signal, shownAs: database };
    await copyAndCheck(database, target, how);
    return target.path;
  } finally {
    interruption.stop();
  }
}

/** Ends neither by Ctrl-C nor with its terminal: the server is down meanwhile. */
async function keepGoing<Result>(work: () => Promise<Result>): Promise<Result> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const ignore = (): void => sayOnTerminal('finishing first; the server must not stay stopped');
  for (const signal of signals) process.on(signal, ignore);
  try {
    return await work();
  } finally {
    for (const signal of signals) process.off(signal, ignore);
  }
}

/** Returns the copy of the database before its migration. Throws `upgrade_failed` after going back. */
async function replaceAndRestart(
  situation: Situation,
  { config, isRepeated }: UpgradeOptions & { isRepeated: boolean },
): Promise<string | null> {
  const { program, server, database } = situation;
  let copy: string | undefined;
  if (isRepeated) program.repeat();
  else program.replace(database);
  try {
    const held = await server?.stop();
    const made = await migrate(program, database, { config, held });
    copy = made ?? (isRepeated ? copyBeforeThisVersion(database) : undefined);
    program.writeRecord({ database, copy: copy ?? null });
    await server?.start();
    await server?.untilReady();
    return copy ?? null;
  } catch (error) {
    const reason = messageOf(error);
    sayOnTerminal(`the new program failed (${reason}); going back`);
    await goBack({ program, server, database, copy });
    const state = serverState(server);
    throw new VerbatimError('upgrade_failed', `went back to ${version}${state}: ${reason}`);
  }
}

function serverState(server: RunningServer | undefined): string {
  return server === undefined ? '' : ', whose server is ready';
}

/** Lets the new program migrate the database; returns its copy, if it made one. */
async function migrate(
  { path }: ProgramFile,
  database: string,
  { config, held }: { config: string | undefined; held: Writable | undefined },
): Promise<string | undefined> {
  if (!existsSync(database)) return undefined;
  const args = ['migrate', '--db', database];
  if (config !== undefined) args.push('--config', config);
  return (await askProgram<{ copy: string | null }>(path, args, held)).copy ?? undefined;
}
