/** What was asked for on the command line, and how much smaller all of it is in a smoke run. */
import { Command } from 'commander';
import { parseCount } from '../../src/commands/options.ts';

export interface SoakOptions {
  /** Undefined: an index of the sample documents. */
  db?: string;
  customers: number;
  seconds: number;
  /** Of each of the two measurements of local answers. */
  localSeconds: number;
  /** Of each search, see VERBATIM_REQUEST_TIMEOUT_MS. */
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

/** Parses the command line. Prints and exits for --help and wrong usage, as commander does. */
export function parseOptions(args: readonly string[]): SoakOptions {
  const options = new Command('soak')
    .description('many customers with foreign questions against lanes that misbehave')
    .option('--db <file>', 'the index; it is copied and stays as it is (default: the sample)')
    .option('--customers <n>', 'customers at a time', parseCount, 200)
    .option('--seconds <n>', 'how long they ask', parseCount, 60)
    .option('--local-seconds <n>', 'how long local answers are timed, twice', parseCount, 10)
    .option('--request-timeout-ms <n>', 'wall-clock limit of a search', parseCount, 10_000)
    .option('--seed <n>', 'draws other questions and faults', parseCount, 1)
    .option('--smoke', 'everything at a tiny scale, to see that it works')
    .option('--json', 'print JSON for programs')
    .parse([...args], { from: 'user' })
    .opts();
  return {
    ...(options as SoakOptions),
    ...(options['smoke'] ? SMOKE : {}),
    json: options['json'] === true,
  };
}
