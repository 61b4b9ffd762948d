/** The command-line options, and small values for a smoke run. */
import { Command } from 'commander';
import { parseCount } from '../../src/commands/cli/options.ts';
import { VerbatimError } from '../../src/errors.ts';

export const sectionNames = ['overload', 'kills', 'faults', 'threads', 'connections'] as const;
export type SectionName = (typeof sectionNames)[number];

export interface OrdealOptions {
  /** If undefined, the sample documents are indexed. */
  db?: string;
  only: SectionName[];
  /** The length of each overload. Capacity is measured for a third of it. */
  seconds: number;
  /** Clients that retry as soon as they are refused. */
  retrying: number;
  kills: number;
  /** Connections that send nothing. */
  idle: number;
  /** Clients that send a body slowly, and as many that read a response slowly. */
  slow: number;
  seed: number;
  /** Undefined, or the folder for the server's CPU profile of each overload. */
  profile?: string;
  json: boolean;
}

const SMOKE: Partial<OrdealOptions> = {
  seconds: 3,
  retrying: 100,
  kills: 2,
  idle: 200,
  slow: 4,
};

/** Parses the command line. For --help and invalid options, commander prints a message and exits. */
export function parseOptions(args: readonly string[]): OrdealOptions {
  const options = new Command('ordeal')
    .description('put a server under overload and through faults, and check that no credit is lost')
    .option('--db <file>', 'use copies of this index (default: the sample)')
    .option('--only <sections>', `some of ${sectionNames.join(',')}`, parseSections)
    .option('--seconds <n>', 'length of each overload', parseCount, 60)
    .option('--retrying <n>', 'clients that retry as soon as they are refused', parseCount, 640)
    .option('--kills <n>', 'kills under full load', parseCount, 100)
    .option('--idle <n>', 'connections that send nothing', parseCount, 10_000)
    .option('--slow <n>', 'clients that send slowly, and as many that read slowly', parseCount, 32)
    .option('--seed <n>', 'draws other moments', parseCount, 1)
    .option('--profile <folder>', "write the server's CPU profiles of the overloads there")
    .option('--smoke', 'run everything at a tiny scale')
    .option('--json', 'print JSON for programs')
    .addHelpText(
      'after',
      '\nExample: npm run ordeal -- --only overload --seconds 20\n' +
        'Exits with 1 if a bound is missed, an answer is wrong, or the ledger does not add up.',
    )
    .parse([...args], { from: 'user' })
    .opts();
  return {
    ...(options as OrdealOptions),
    ...(options['smoke'] ? SMOKE : {}),
    only: (options['only'] as SectionName[] | undefined) ?? [...sectionNames],
    json: options['json'] === true,
  };
}

function parseSections(text: string): SectionName[] {
  return text.split(',').map((name) => {
    const section = sectionNames.find((one) => one === name.trim());
    if (section !== undefined) return section;
    throw new VerbatimError(
      'usage',
      `--only: unknown section "${name}", expected some of ${sectionNames.join(',')}`,
    );
  });
}
