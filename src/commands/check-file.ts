/**
 * `verbatim check-file`: checks the database file so slowly that nobody notices. A server runs it
 * beside itself; see file-checks.ts.
 */
import { spawnSync } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import type { Damage } from '../database/damage/damage-register.ts';
import { damageOf } from '../database/damage/notice-damage.ts';
import { LOOK_UPS } from '../database/damage/parts.ts';
import { openStoreForReading } from '../database/open.ts';
import { VerbatimError } from '../errors.ts';
import { compareCopy } from '../index/copies/compare-copy.ts';
import type { Settings } from '../settings/config.ts';
import { type CommonOptions, settingsOf, storeOptions, withStoreOptions } from './cli/options.ts';
import { print } from './cli/output.ts';
import { checkFile, type FileCheckStep } from './file-check/examine-file.ts';

/** One line of what the command prints, as JSON. */
export type FileCheckLine = { damage: Damage } | { ended: FileCheckEnd };

interface CheckFileOptions extends CommonOptions {
  readOnlyIndex?: string;
}

export interface FileCheckEnd {
  /** The longest time for which the check held a snapshot, and what it read then. */
  longestReadMs: number;
  longestRead: string;
}

export function checkFileCommand(): Command {
  return withStoreOptions(new Command('check-file'))
    .description('check the database file slowly, while it is used, as a server does every day')
    .option(
      '--read-only-index <folder>',
      'also compare the newest copy in this folder with its manifest (default: VERBATIM_READ_ONLY_INDEX)',
    )
    .action(async ({ readOnlyIndex, ...options }: CheckFileOptions) => {
      const settings = settingsOf(options, readOnlyIndex === undefined ? {} : { readOnlyIndex });
      runInBackground();
      // Only a server gives a channel. It breaks when the server ends, and the check ends with it.
      const end = (): void => void process.kill(process.pid, 'SIGTERM');
      process.once('disconnect', end);
      // The server has ended already.
      if (process.connected === false) end();
      try {
        const damaged = await checkSlowly(settings);
        if (damaged === 0) return;
        throw new VerbatimError('verify_failed', `damaged parts of the file: ${damaged}`);
      } finally {
        // Whoever listens to the channel keeps the process.
        process.removeListener('disconnect', end);
      }
    });
}

/** Gives way to everybody else, for the processor and, where the system can, for the disk. */
function runInBackground(): void {
  setPriority(constants.priority.PRIORITY_LOW);
  // A system without the program gives way at the disk by the priority above, or not at all.
  spawnSync('ionice', ['--class', 'idle', '--pid', String(process.pid)], { stdio: 'ignore' });
}

/** Returns how many parts are damaged. Throws if the check cannot be made to its end. */
async function checkSlowly(settings: Settings): Promise<number> {
  const damaged = new Set<string>();
  const longest: FileCheckEnd = { longestReadMs: 0, longestRead: '' };
  for (const { part, ms, damage } of checkSteps(settings)) {
    if (damage !== undefined && !damaged.has(part)) {
      damaged.add(part);
      printLine({ damage });
    }
    if (ms > longest.longestReadMs) {
      longest.longestReadMs = Math.round(ms);
      longest.longestRead = part;
    }
    await pause(pauseMs(settings.fileCheckPercent));
  }
  const inCopy = await damageOfCopy(settings);
  if (inCopy !== undefined) printLine({ damage: inCopy });
  printLine({ ended: longest });
  return damaged.size + (inCopy === undefined ? 0 : 1);
}

/**
 * Compares the copy of the index that the settings name with its manifest, as slowly. Whether searches
 * need what is damaged, they notice themselves.
 */
async function damageOfCopy({
  readOnlyIndex: folder,
  fileCheckPercent,
}: Settings): Promise<Damage | undefined> {
  if (folder === '') return undefined;
  const afterPiece = () => pause(pauseMs(fileCheckPercent));
  const { signal } = new AbortController();
  const [first, ...others] = await compareCopy(folder, { afterPiece, signal });
  if (first === undefined) return undefined;
  return { ...LOOK_UPS, reason: `index: ${first}${others.length > 0 ? ', and others' : ''}` };
}

function* checkSteps(settings: Settings): Generator<FileCheckStep, void> {
  let db: ReturnType<typeof openStoreForReading>;
  try {
    db = openStoreForReading(storeOptions(settings));
  } catch (error) {
    const problem = damageOf(error);
    if (problem === undefined) throw error;
    // What cannot be opened can fail everything.
    const damage = { part: 'file', isBlocking: true, reason: `file: ${problem}` };
    yield { part: 'file', ms: 0, damage };
    return;
  }
  try {
    const { fileCheckReadMs: readMs, accountsAddress } = settings;
    yield* checkFile(db, { readMs, hasLedger: accountsAddress === '' });
  } finally {
    db.close();
  }
}

/** Returns the pause after which the process has used no more than its share, since it started. */
function pauseMs(percent: number): number {
  const { user, system } = process.cpuUsage();
  const dueMs = ((user + system) / 1_000) * (100 / percent);
  return Math.max(0, dueMs - process.uptime() * 1_000);
}

function printLine(line: FileCheckLine): void {
  print(JSON.stringify(line));
}
