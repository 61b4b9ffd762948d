/** The command-line options. */
import { Command } from 'commander';
import { parseCount } from '../../src/commands/cli/options.ts';

export interface PagesOptions {
  /** Searches of the customer whose pages are timed. */
  searches: number;
  keys: number;
  payments: number;
  /** All customers. */
  customers: number;
  /** How often each page is read from the server that has been running. */
  reads: number;
  /** No page may take longer. */
  boundMs: number;
  json: boolean;
}

/** Parses the command line. For --help and invalid options, commander prints a message and exits. */
export function parseOptions(args: readonly string[]): PagesOptions {
  const options = new Command('pages')
    .description('time each page, as the first one after a start and again')
    .option('--searches <n>', 'searches of the customer', parseCount, 50_000)
    .option('--keys <n>', 'keys of the customer', parseCount, 30)
    .option('--payments <n>', 'payments of the customer', parseCount, 500)
    .option('--customers <n>', 'customers of the server', parseCount, 1_000)
    .option('--reads <n>', 'how often each page is read', parseCount, 20)
    .option('--bound <ms>', 'the longest time that a page may take', parseCount, 150)
    .option('--json', 'print JSON for programs')
    .parse([...args], { from: 'user' })
    .opts();
  const { bound, ...others } = options;
  return { ...(others as PagesOptions), boundMs: bound, json: options['json'] === true };
}
