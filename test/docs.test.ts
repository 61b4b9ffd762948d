/** README is the one document: whatever a user can set, call or run into stands in it. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../src/commands/program.ts';
import { readSettings, settingsTable } from '../src/config.ts';
import {
  curlSearch,
  curlUsage,
  healthExample,
  responseExample,
  usageExample,
} from '../src/dashboard/docs/examples.ts';
import {
  connections,
  errors,
  limits,
  requestFields,
  responseFields,
  responseHeaders,
} from '../src/dashboard/docs/tables.ts';
import { pages } from '../src/dashboard/routes.ts';
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
const machineDefaults: readonly string[] = ['searchThreads', 'embedThreads', 'laneThreads'];

describe('README', () => {
  it.each(Object.entries(settingsTable))('has the setting %s with its default', (name, setting) => {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${setting.variable}\` |`));
    expect(row, setting.variable).toBeDefined();
    const value = machineDefaults.includes(name)
      ? 'the cores'
      : String(setting.value).replaceAll(',', '');
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
    for (const [code, kind] of Object.entries(errorTable)) {
      if (!('status' in kind)) continue;
      const message = 'message' in kind ? kind.message.replaceAll('`', '') : '(';
      expect(readme).toContain(`| ${kind.status} | \`${code}\` | ${message}`);
    }
  });

  it.each([
    ...[requestFields, responseFields, responseHeaders, errors, connections],
    limits(readSettings({}, {})),
  ])('has the table of /docs: $caption', ({ heads, rows }) => {
    const lines = [heads, heads.map(() => '---'), ...rows].map((cells) => cells.join(' | '));
    const [head, rule, ...body] = lines.map((line) => `| ${line} |`.replace(/ {2}\|$/, ' |'));
    expect(readme).toContain([head, rule?.replaceAll(' ', ''), ...body].join('\n'));
  });

  it.each([
    curlSearch('http://localhost:8080'),
    curlUsage('http://localhost:8080'),
    ...[responseExample, usageExample, healthExample],
  ])('has the example of /docs: %s', (example) => {
    expect(readme).toContain(example);
  });

  it('has every page that is reached by a link', () => {
    const shown = pages.filter(({ path, get }) => get !== undefined && !path.includes(':'));
    const ofCustomers = shown.filter(({ access }) => access === 'customer');
    for (const { path } of ofCustomers) expect(readme).toContain(`\`${path}\``);
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
