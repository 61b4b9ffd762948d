/** The command-line options, and their small values for a smoke run. */
import { Command } from 'commander';
import { parseCount } from '../../src/commands/cli/options.ts';

export interface SoakOptions {
  /** Undefined: an index of the sample documents. */
  db?: string;
  customers: number;
  seconds: number;
  /** The length of each of the two measurements of local answers. */
  localSeconds: number;
  /** The time limit of a search, as VERBATIM_REQUEST_TIMEOUT_MS. */
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

/** Parses the command line. For --help and wrong usage, it prints and exits, as commander does. */
export function parseOptions(args: readonly string[]): SoakOptions {
  const options = new Command('soak')
    .description('test many customers with out-of-domain questions and misbehaving lanes')
    .option('--db <file>', 'the index, which is copied and not changed (default: the sample)')
    .option('--customers <n>', 'concurrent customers', parseCount, 200)
    .option('--seconds <n>', 'how long they ask', parseCount, 60)
    .option('--local-seconds <n>', 'how long local answers are timed, twice', parseCount, 10)
    .option('--request-timeout-ms <n>', 'wall-clock limit of a search', parseCount, 10_000)
    .option('--seed <n>', 'seed of questions and faults', parseCount, 1)
    .option('--smoke', 'run everything at a tiny scale')
    .option('--json', 'print JSON for programs')
    .parse([...args], { from: 'user' })
    .opts();
  return {
    ...(options as SoakOptions),
    ...(options['smoke'] ? SMOKE : {}),
    json: options['json'] === true,
  };
}
