/** The command-line options, and small values for a smoke run. */
import { Command } from 'commander';
import { parseCount } from '../../src/commands/cli/options.ts';

export interface ClusterOptions {
  nodes: number;
  clients: number;
  customers: number;
  /** How often each kind of part is killed. */
  kills: number;
  /** The load before each kill, and after each recovery. */
  seconds: number;
  seed: number;
  json: boolean;
}

const SMOKE: Partial<ClusterOptions> = { kills: 1, seconds: 3, clients: 8 };

/** Parses the command line. For --help and invalid options, commander prints a message and exits. */
export function parseOptions(args: readonly string[]): ClusterOptions {
  const options = new Command('cluster')
    .description('run a cluster on this machine, kill its parts under load, and audit the ledger')
    .option('--nodes <n>', 'servers with a copy of the index', parseCount, 3)
    .option('--clients <n>', 'clients, half of them of one customer', parseCount, 16)
    .option('--customers <n>', 'customers, each with a key', parseCount, 9)
    .option(
      '--kills <n>',
      'kills of each kind: a node, the primary, a link, a shard',
      parseCount,
      3,
    )
    .option('--seconds <n>', 'load before each kill, and after each recovery', parseCount, 5)
    .option('--seed <n>', 'draws other moments', parseCount, 1)
    .option('--smoke', 'one kill of each kind, in less than two minutes')
    .option('--json', 'print JSON for programs')
    .addHelpText(
      'after',
      `
A further server searches the index on two servers of PostgreSQL, where pgvector and PL/Proxy are installed.
It must find the same, and searches fail free of charge while the second of them is dead.

Example: npm run cluster -- --kills 30
Exits with 1 if anything does not add up.`,
    )
    .parse([...args], { from: 'user' })
    .opts();
  return {
    ...(options as ClusterOptions),
    ...(options['smoke'] ? SMOKE : {}),
    json: options['json'] === true,
  };
}
