/** The options of the command line, and the smaller ones of a smoke run. */
import { Command } from 'commander';
import { parseCount } from '../../src/commands/cli/options.ts';
import { VerbatimError } from '../../src/errors.ts';

export const sections = ['calls', 'searches'] as const;
export type Section = (typeof sections)[number];

export interface BenchAccountsOptions {
  /** Undefined means an index of the sample documents. */
  db?: string;
  only: readonly Section[];
  clients: number;
  customers: number;
  /** The length of each measurement. */
  seconds: number;
  rounds: number;
  seed: number;
  json: boolean;
}

const SMOKE: Partial<BenchAccountsOptions> = { clients: 4, customers: 10, seconds: 1, rounds: 1 };

/** Parses the command line. Prints and exits for --help and for wrong usage. */
export function parseOptions(args: readonly string[]): BenchAccountsOptions {
  const { only, smoke, ...given } = new Command('bench-accounts')
    .description('compare accounts on PostgreSQL and in the SQLite file, in turns')
    .option('--db <file>', 'the index to search; it is copied (default: the sample)')
    .option('--only <section>', `one of ${sections.join(', ')}`)
    .option('--clients <n>', 'clients of the closed loops', parseCount, 32)
    .option('--customers <n>', 'customers when there are many', parseCount, 1000)
    .option('--seconds <n>', 'length of each measurement', parseCount, 5)
    .option('--rounds <n>', 'times that each is measured', parseCount, 3)
    .option('--seed <n>', 'draws other customers and queries', parseCount, 1)
    .option('--smoke', 'everything at a tiny scale, to see that it works')
    .option('--json', 'print JSON for programs')
    .parse([...args], { from: 'user' })
    .opts();
  const chosen = sections.filter((section) => only === undefined || only === section);
  if (chosen.length === 0) throw new VerbatimError('usage', `there is no section "${only}"`);
  return {
    ...(given as Omit<BenchAccountsOptions, 'only'>),
    ...(smoke ? SMOKE : {}),
    only: chosen,
    json: given['json'] === true,
  };
}
