/** The options of the command line, and the smaller ones of a smoke run. */
import { Command } from 'commander';
import { parseCount } from '../../src/commands/cli/options.ts';
import { VerbatimError } from '../../src/errors.ts';
import { searchSettings } from '../../src/settings/search-settings.ts';

export const sections = [
  'serving',
  'retrieval',
  'recall',
  'adding',
  'keeping',
  'building',
  'growth',
] as const;
export type Section = (typeof sections)[number];

export interface BenchOptions {
  files: string[];
  /** Undefined means an index of the sample documents. */
  db?: string;
  only: Section[];
  /** The file of the grown index. Undefined means do not measure; '' means beside the database. */
  growth?: string;
  /** How many times the documents the grown index has. */
  growthFactor: number;
  seed: number;
  queries: number;
  warmUp: number;
  clients: number;
  seconds: number;
  starts: number;
  documents: number;
  rounds: number;
  added: number;
  smoke: boolean;
  json: boolean;
}

const SMOKE: Partial<BenchOptions> = {
  queries: 36,
  warmUp: 6,
  clients: 8,
  seconds: 1,
  starts: 2,
  documents: 64,
  rounds: 1,
  added: 32,
  growth: '',
};

/** As many as a server makes after its start: then the lists that it caches are in memory. */
const WARM_UP = searchSettings.warmUpSearches.value;
const GROWTH_HELP =
  'also measure with several times the documents; keeps the grown index, by default beside --db';

/** Parses the command line. Prints and exits for --help and for wrong usage. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const command = new Command('bench')
    .description('measure speed and size; prints a table and a hash of the answers')
    .argument('[files...]', 'documents to add first, as `index add` takes them; needs --db')
    .option('--db <file>', 'the index; it is copied and stays as it is (default: the sample)')
    .option('--queries <n>', 'queries that are measured', parseCount, 360)
    .option('--seed <n>', 'draws other queries', parseCount, 1)
    .option('--clients <n>', 'clients of the closed loop', parseCount, 32)
    .option('--seconds <n>', 'how long the closed loop runs', parseCount, 10)
    .option('--starts <n>', 'starts of the server', parseCount, 5)
    .option('--documents <n>', 'documents of which an index is built', parseCount, 2000)
    .option('--rounds <n>', 'times that it is built, and embedded alone', parseCount, 3)
    .option('--added <n>', 'documents that are added while a client searches', parseCount, 500)
    .option('--growth [file]', GROWTH_HELP)
    .option('--growth-factor <n>', 'how many times the documents', parseCount, 8)
    .option('--only <sections>', `some of ${sections.join(',')}`)
    .option('--smoke', 'everything at a tiny scale, to see that it works')
    .option('--json', 'print JSON for programs')
    .parse([...args], { from: 'user' });
  const { only, growth, ...given } = command.opts();
  const options = {
    ...(given as Omit<BenchOptions, 'files' | 'only' | 'warmUp'>),
    files: command.args,
    warmUp: WARM_UP,
    ...(growth === undefined ? {} : { growth: growth === true ? '' : String(growth) }),
    ...(given['smoke'] ? SMOKE : {}),
    smoke: given['smoke'] === true,
    json: given['json'] === true,
  };
  if (options.files.length > 0 && options.db === undefined) {
    throw new VerbatimError('usage', 'files are added to an index: name it with --db');
  }
  return { ...options, only: chooseSections(only, options.growth !== undefined) };
}

function chooseSections(only: string | undefined, withGrowth: boolean): Section[] {
  if (only === undefined) return sections.filter((name) => name !== 'growth' || withGrowth);
  const chosen = only.split(',').map((name) => name.trim());
  const unknown = chosen.find((name) => !sections.some((section) => section === name));
  if (unknown === undefined) return sections.filter((section) => chosen.includes(section));
  throw new VerbatimError('usage', `there is no section "${unknown}"`);
}
