/** The command-line options. */
import { Command } from 'commander';
import { parseCount } from '../../src/commands/cli/options.ts';
import { VerbatimError } from '../../src/errors.ts';
import type { FuzzTarget } from './target.ts';
import { targets } from './targets.ts';

export interface FuzzOptions {
  targets: readonly FuzzTarget[];
  /** Of all targets together, or of the one that was chosen. */
  cases: number;
  seed: number;
  json: boolean;
}

const SEED_MAX = 2 ** 31 - 1;

/** Parses the command line. For --help and invalid options, commander prints a message and exits. */
export function parseOptions(args: readonly string[]): FuzzOptions {
  const listed = targets.map(({ name, description }) => `  ${name.padEnd(10)} ${description}`);
  const options = new Command('fuzz')
    .description('feed the program with malformed and unusual input')
    .option('--cases <n>', 'cases in all, spread over the targets', parseCount, 20_000)
    .option('--target <names>', 'some of the targets below, or all', parseTargets, targets)
    .option('--seed <n>', 'seed of the cases (default: a random one, which is printed)', parseCount)
    .option('--json', 'print JSON for programs')
    .addHelpText(
      'after',
      `\nTargets:\n${listed.join('\n')}\n\n` +
        'Example: npm run fuzz -- --cases 1000000 --target all --seed 7\n' +
        'Exits with 1 if a case fails; it prints the smallest such case and how to repeat it.',
    )
    .parse([...args], { from: 'user' })
    .opts();
  return {
    targets: options['target'] as readonly FuzzTarget[],
    cases: options['cases'] as number,
    seed: (options['seed'] as number | undefined) ?? Math.floor(Math.random() * SEED_MAX),
    json: options['json'] === true,
  };
}

function parseTargets(text: string): readonly FuzzTarget[] {
  if (text === 'all') return targets;
  return text.split(',').map((name) => {
    const target = targets.find((one) => one.name === name.trim());
    if (target !== undefined) return target;
    const names = targets.map((one) => one.name).join(', ');
    throw new VerbatimError(
      'usage',
      `--target: unknown target "${name}", expected all or ${names}`,
    );
  });
}
