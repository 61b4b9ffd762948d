/** The command-line options, and small values for a smoke run. */
import { Command } from 'commander';
import { parseCount } from '../../src/commands/cli/options.ts';

export interface SoakOptions {
  /** If undefined, the soak indexes the sample documents. */
  db?: string;
  customers: number;
  seconds: number;
  /** The length of each of the two measurements of local answers. */
  localSeconds: number;
  /** The time limit of a search. The server gets it as VERBATIM_REQUEST_TIMEOUT_MS. */
  requestTimeoutMs: number;
  seed: number;
  json: boolean;
}

const SMOKE: Partial<SoakOptions> = {
  customers: 12,
  seconds: 7,
  localSeconds: 1,
  requestTimeoutMs: 4_000,
};

/** Parses the command line. For --help and invalid options, commander prints a message and exits. */
export function parseOptions(args: readonly string[]): SoakOptions {
  const options = new Command('soak')
    .description('test many customers with out-of-domain questions and misbehaving lanes')
    .option('--db <file>', 'use a copy of this index (default: the sample)')
    .option('--customers <n>', 'concurrent customers', parseCount, 200)
    .option('--seconds <n>', 'how long customers ask questions', parseCount, 60)
    .option('--local-seconds <n>', 'how long to time local answers, twice', parseCount, 10)
    .option('--request-timeout-ms <n>', 'wall-clock limit of a search', parseCount, 10_000)
    .option('--seed <n>', 'random seed of questions and faults', parseCount, 1)
    .option('--smoke', 'run everything at a small scale')
    .option('--json', 'print JSON for programs')
    .parse([...args], { from: 'user' })
    .opts();
  return {
    ...(options as SoakOptions),
    ...(options['smoke'] ? SMOKE : {}),
    json: options['json'] === true,
  };
}
