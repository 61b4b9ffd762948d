/** The single file that runs this program, and how another one takes its place: whole at every moment. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { flush } from '../../database/sqlite/flush.ts';
import { VerbatimError } from '../../errors.ts';
import { singleFile } from '../../settings/config.ts';

/** What an upgrade leaves for the way back. */
export interface UpgradeRecord {
  database: string;
  /** The database as it was before the migration; null if there was none; absent until the upgrade is done. */
  copy?: string | null;
}

export interface ProgramFile {
  path: string;
  /** The program that was replaced. */
  old: string;
  /** Copies a file beside the program and returns its path. */
  stage(file: string): string;
  /** Puts the staged file in the place of the program, which stays as `old`, and writes the record. */
  replace(database: string): void;
  /** Puts the staged file in the place of one that an upgrade put there before it was killed. */
  repeat(): void;
  /** Puts `old` in the place of the program. */
  putBack(): void;
  /** Removes what was staged and not used. */
  unstage(): void;
  writeRecord(record: UpgradeRecord): void;
  /** Undefined if there is nothing to go back to. */
  readRecord(): UpgradeRecord | undefined;
}

/** Throws `usage` if this program is no single file, or one that dpkg has installed. */
export function ownProgramFile(): ProgramFile {
  const file = singleFile();
  if (file === undefined) {
    throw new VerbatimError('usage', 'only the single file upgrades itself; replace dist/ by hand');
  }
  const path = realpathSync(file.path);
  if (spawnSync('dpkg-query', ['--search', path]).status === 0) {
    throw new VerbatimError(
      'usage',
      `${path} belongs to a Debian package; install the new one: apt install ./verbatim_VERSION_ARCH.deb`,
    );
  }
  return programFile(path);
}

function programFile(path: string): ProgramFile {
  const [staged, old] = [`${path}.new`, `${path}.old`];
  const record = `${path}.old.json`;
  return {
    path,
    old,
    stage(file) {
      copyFileSync(file, staged);
      const { mode, uid, gid } = statSync(path);
      chmodSync(staged, mode & 0o777);
      if (process.getuid?.() === 0) chownSync(staged, uid, gid);
      flush(staged);
      return staged;
    },
    replace(database) {
      // In this order: no record speaks of another `old`.
      for (const one of [record, old]) rmSync(one, { force: true });
      linkSync(path, old);
      this.writeRecord({ database });
      this.repeat();
    },
    repeat() {
      renameSync(staged, path);
      flush(dirname(path));
    },
    putBack() {
      renameSync(old, path);
      rmSync(record, { force: true });
      flush(dirname(path));
    },
    unstage: () => rmSync(staged, { force: true }),
    writeRecord(values) {
      writeFileSync(`${record}.partial`, JSON.stringify(values));
      flush(`${record}.partial`);
      renameSync(`${record}.partial`, record);
    },
    readRecord() {
      if (!existsSync(old) || !existsSync(record)) return undefined;
      return JSON.parse(readFileSync(record, 'utf8'));
    },
  };
}
