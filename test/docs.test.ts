/** README is the one document: whatever a user can set, call or run into stands in it. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../src/commands/program.ts';
import { settingsTable } from '../src/config.ts';
import { errorTable } from '../src/errors.ts';
import { formats } from '../src/ingest/formats.ts';

const top = resolve(import.meta.dirname, '..');
const readme = readFileSync(join(top, 'README.md'), 'utf8');
const { dependencies, devDependencies } = JSON.parse(
  readFileSync(join(top, 'package.json'), 'utf8'),
) as Record<'dependencies' | 'devDependencies', Record<string, string>>;

function leaves(command: Command, path: string): { path: string; command: Command }[] {
  if (command.commands.length === 0) return [{ path, command }];
  return command.commands.flatMap((child) => leaves(child, `${path} ${child.name()}`));
}

const commands = leaves(createProgram(), 'verbatim');
/** Defaults that are the machine's and not a number to document. */
const machineDefaults: readonly string[] = ['searchThreads', 'embedThreads'];

describe('README', () => {
  it.each(Object.entries(settingsTable))('has the setting %s with its default', (name, setting) => {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${setting.variable}\` |`));
    expect(row, setting.variable).toBeDefined();
    const value = machineDefaults.includes(name) ? 'the cores' : String(setting.value);
    expect(row?.split('|')[2]?.trim().replaceAll('`', '').replaceAll(',', '')).toBe(value);
    expect(row).toContain(setting.help);
  });

  it.each(commands)('has the command $path', ({ path, command }) => {
    expect(readme).toContain(path);
    expect(command.description()).not.toBe('');
    for (const option of command.options) {
      expect(option.description, `${path} ${option.flags}`).not.toBe('');
      if (option.long !== undefined) expect(readme, path).toContain(option.long);
    }
  });

  it('has every error that the service answers with', () => {
    for (const kind of Object.values(errorTable)) {
      if (!('status' in kind)) continue;
      expect(readme).toContain(`| ${kind.status} |`);
      if ('message' in kind) expect(readme).toContain(kind.message.replaceAll('`', ''));
    }
  });

  it.each(['/v1/search', '/v1/usage', '/health'])('has the endpoint %s', (route) => {
    expect(readme).toContain(route);
  });

  it.each(formats)('has the format $name', ({ name }) => {
    expect(readme).toContain(`\`${name}\``);
  });

  it.each(Object.keys({ ...dependencies, ...devDependencies }))(
    'gives a reason for the dependency %s',
    (name) => {
      expect(readme).toContain(`| \`${name}\` |`);
    },
  );

  it('links only to headings that there are', () => {
    const headings = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replace(/\s/g, '-'),
    );
    const targets = [...readme.matchAll(/\]\(#([^)]+)\)/g)].map(([, target]) => target);
    expect(targets.filter((target) => !headings.includes(target ?? ''))).toEqual([]);
  });
});
