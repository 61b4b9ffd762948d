/** A command and all that it prints, for tables of commands. */
import { expect, it } from 'vitest';
import { runCommand } from './verbatim.ts';

/** Arguments without `--db`, what is printed to either side, and the exit code: 0 if not named. */
export type CommandRow = [args: string[], expected: Expected];

export interface Expected {
  code?: number;
  out?: string;
  err?: string;
}

/**
 * Runs a row and compares everything. In what is printed, times, secrets, the prefixes of keys and
 * the tokens of links are replaced by TIME, SECRET, PREFIX and TOKEN; DATABASE stands for the path of the database.
 */
export async function checkCommand(database: string, [args, expected]: CommandRow): Promise<void> {
  const { code = 0, out = '', err = '' } = expected;
  const finished = await runCommand([...args, '--db', database], { code });
  const plain = (text: string): string => withoutChance(text).replaceAll(database, 'DATABASE');
  expect({ out: plain(finished.stdout), err: plain(finished.stderr) }).toEqual({ out, err });
}

/** Rows that follow one another on one database. */
export function checkCommands(database: () => string, rows: readonly CommandRow[]): void {
  for (const row of rows) {
    it(row[0].map((text) => text || "''").join(' '), () => checkCommand(database(), row));
  }
}

/** The message of the option parser, with exit code 2. */
export function usageError(message: string): Expected {
  return { code: 2, err: `error: ${message}\n` };
}

/** The message of an expected error, with exit code 1. */
export function failure(message: string): Expected {
  return { code: 1, err: `verbatim: ${message}\n` };
}

/** A help text names the usage, the options and every subcommand, and nothing is an error. */
export function checkHelp(rows: readonly [args: string[], usage: string, named: string[]][]): void {
  it.each(rows)('%j --help explains itself', async (args, usage, named) => {
    const { stdout, stderr } = await runCommand([...args, '--help']);
    expect(stderr).toBe('');
    expect(stdout.split('\n')[0]).toBe(`Usage: verbatim ${usage}`);
    for (const name of [...named, '-h, --help']) expect(stdout).toContain(`\n  ${name} `);
    // A description of its own, between the usage and the first list.
    expect(stdout.split('\n\n')[1]).toMatch(/^\w.{8,}/);
  });
}

function withoutChance(text: string): string {
  return text
    .replace(/token=[\w-]{43}/g, 'token=TOKEN')
    .replace(/sk_live_[0-9A-Za-z]{38}/g, 'SECRET')
    .replace(/\b[0-9a-f]{10}\b/g, 'PREFIX')
    .replace(/\b20\d\d-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME');
}
