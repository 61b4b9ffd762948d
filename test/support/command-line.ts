/** A command and the facts that it prints, for tables of commands. */
import { expect, it } from 'vitest';
import { runCommand } from './verbatim.ts';

/** Arguments without `--db`, what is printed to either side, and the exit code: 0 if not named. */
export type CommandRow = [args: string[], expected: Expected];

/** What must be among what is printed; nothing is printed to a side that is not named. */
export interface Expected {
  code?: number;
  out?: string | readonly string[];
  err?: string;
}

/**
 * Runs a row and compares it with what is printed, as `plain` shows it. DATABASE stands for the path
 * of the database.
 */
export async function checkCommand(database: string, [args, expected]: CommandRow): Promise<void> {
  const { code = 0, out = [], err } = expected;
  const finished = await runCommand([...args, '--db', database], { code });
  const [stdout, stderr] = [finished.stdout, finished.stderr].map((text) =>
    plain(text.replaceAll(database, 'DATABASE')),
  ) as [string, string];
  for (const fact of [out].flat()) expect(stdout).toContain(fact);
  if (out.length === 0) expect(stdout).toBe('');
  if (err === undefined) expect(stderr).toBe('');
  else expect(stderr).toContain(err);
}

/** Rows that follow one another on one database. */
export function checkCommands(database: () => string, rows: readonly CommandRow[]): void {
  for (const row of rows) {
    it(row[0].map((text) => text || "''").join(' '), () => checkCommand(database(), row));
  }
}

/** The message of the option parser, with exit code 2. */
export function usageError(message: string): Expected {
  return { code: 2, err: message };
}

/** The message of an expected error, with exit code 1. */
export function failure(message: string): Expected {
  return { code: 1, err: message };
}

/**
 * What a command printed, with one space between the columns of a table. Times, secrets, the
 * prefixes of keys, and the tokens of links are replaced by TIME, SECRET, PREFIX, and TOKEN.
 */
export function plain(text: string): string {
  return text
    .replace(/token=[\w-]{43}/g, 'token=TOKEN')
    .replace(/sk_live_[0-9A-Za-z]{38}/g, 'SECRET')
    .replace(/\b[0-9a-f]{10}\b/g, 'PREFIX')
    .replace(/\b20\d\d-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME')
    .replace(/ {2,}/g, ' ');
}
