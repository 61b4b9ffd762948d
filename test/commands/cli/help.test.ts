/** Every command explains itself, and refuses what it does not know before it does anything. */
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../src/commands/program.ts';
import { runCommand } from '../../support/verbatim.ts';

/** The words that call each command below this one. */
function commandsOf(command: Command, words: string[] = []): [words: string[], Command][] {
  return command.commands.flatMap((one): [string[], Command][] => {
    const own = [...words, one.name()];
    return [[own, one], ...commandsOf(one, own)];
  });
}

const commands = commandsOf(await createProgram());
const groups = commands.filter(([, { commands: parts }]) => parts.length > 0);
const leaves = commands.filter(([, { commands: parts }]) => parts.length === 0);
/** Commander looks for these options first. */
const isDemanding = ({ options }: Command): boolean => options.some(({ mandatory }) => mandatory);
const plainLeaves = leaves.filter(([, command]) => !isDemanding(command));

const refused = async (args: string[]): Promise<string> => {
  const { stdout, stderr } = await runCommand(args, { code: 2 });
  expect(stdout).toBe('');
  return stderr;
};

describe('every command', () => {
  it.each(commands)(
    'describes itself, its arguments, and its options: %j',
    async (words, command) => {
      const { stdout, stderr } = await runCommand([...words, '--help']);
      expect(stderr).toBe('');
      expect(stdout.split('\n')[0]).toContain(`Usage: verbatim ${words.join(' ')} [options]`);
      expect(command.description()).toMatch(/^\w.{8,}/);
      for (const { description } of [...command.registeredArguments, ...command.options]) {
        expect(description).not.toBe('');
      }
    },
  );

  it.each(groups)('refuses a part that it does not have: %j', async (words) => {
    expect(await refused([...words, 'nothing'])).toMatch(/^error: unknown command 'nothing'/);
  });

  it.each(plainLeaves)('refuses an unknown option: %j', async (words) => {
    expect(await refused([...words, '--nothing'])).toMatch(/^error: unknown option '--nothing'/);
  });

  it.each(leaves.filter(([, command]) => isDemanding(command)))(
    'refuses to go without an option that it needs: %j',
    async (words) => {
      expect(await refused(words)).toMatch(/^error: required option '--.+' not specified\n$/);
    },
  );

  it.each(plainLeaves)('refuses too few and too many arguments: %j', async (words, command) => {
    const [first] = command.registeredArguments;
    if (first?.required) {
      expect(await refused(words)).toBe(`error: missing required argument '${first.name()}'\n`);
    }
    if (command.registeredArguments.some(({ variadic }) => variadic)) return;
    const tooMany = Array(command.registeredArguments.length + 1).fill('x');
    expect(await refused([...words, ...tooMany])).toMatch(/^error: too many arguments for /);
  });

  it.each(leaves)('is loaded without the others: %j', async (words) => {
    const alone = commandsOf(await createProgram(words)).map(([path]) => path);
    expect(alone).toContainEqual(words);
    expect(alone.every(([first]) => first === words[0])).toBe(true);
  });

  it('suggests what was meant', async () => {
    expect(await refused(['config', '--chnaged'])).toContain('(Did you mean --changed?)');
  });
});
