import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/commands/program.ts';
import { formats } from '../../src/ingest/formats.ts';

const top = resolve(import.meta.dirname, '../..');
const readme = readFileSync(join(top, 'src/commands/README.md'), 'utf8');

function subcommands(command: Command, path: string): { path: string; command: Command }[] {
  if (command.commands.length === 0) return [{ path, command }];
  return command.commands.flatMap((child) => subcommands(child, `${path} ${child.name()}`));
}

const commands = subcommands(createProgram(), 'verbatim');
/** Options that the text above a table names for all of its commands. */
const SHARED = ['--db', '--json'];
/** The option that the top of the page names for all commands. */
const EVERYWHERE = '--config';

function rowOf(path: string): string | undefined {
  const cell = new RegExp(`^\\| \`${path}(?: [A-Z_.]+)*\` \\|`);
  return readme.split('\n').find((line) => cell.test(line));
}

/** First column of each table row below a heading, without code marks. */
function firstColumn(heading: string): string[] {
  const [, section = ''] = readme.split(`\n### ${heading}\n`);
  const [body = ''] = section.split('\n#', 1);
  return [...body.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
}

describe('src/commands/README.md', () => {
  it.each(commands)('has the command $path with all of its options', ({ path, command }) => {
    expect(command.description()).not.toBe('');
    const row = rowOf(path);
    expect(row, path).toBeDefined();
    const isOfMoney = /^verbatim (?:customer|key|credit|payment) /.test(path);
    const shown = isOfMoney ? `${row} ${SHARED.join(' ')}` : row;
    for (const { long, flags, description, hidden } of command.options) {
      if (hidden || long === EVERYWHERE) continue;
      expect(description, `${path} ${flags}`).not.toBe('');
      if (long !== undefined) expect(shown).toMatch(new RegExp(`${long}(?![\\w-])`));
    }
  });

  it('names no command or option that the program does not have', () => {
    const rows = readme.split('\n').filter((line) => line.startsWith('| `verbatim '));
    expect(rows).toHaveLength(commands.length);
    for (const { path, command } of commands) {
      const named = [...(rowOf(path) ?? '').matchAll(/--[a-z][a-z-]+/g)].map(([option]) => option);
      const known = command.options.map(({ long }) => long);
      expect(named.filter((option) => !known.includes(option))).toEqual([]);
    }
  });

  it('has a row for each format and no others', () => {
    expect(firstColumn('Formats').sort()).toEqual(formats.map(({ name }) => name).sort());
  });

  it('links only to its own headings', () => {
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
