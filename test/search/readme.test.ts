/** The papers on ranking, text and identity say what the code does. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { calibrateCommand } from '../../src/commands/calibrate.ts';
import { evalCommand } from '../../src/commands/eval.ts';
import { schemes } from '../../src/identity/identifiers.ts';
import { settingsTable } from '../../src/settings/config.ts';

const source = resolve(import.meta.dirname, '../../src');
const folders = ['search', 'text', 'identity'];
const readmeOf = (folder: string): string =>
  readFileSync(join(source, folder, 'README.md'), 'utf8');
const ranking = readmeOf('search');

describe.each(folders)('the README of src/%s', (folder) => {
  const readme = readmeOf(folder);

  it('lists every file of its folder', () => {
    const files = readdirSync(join(source, folder)).filter((name) => name.endsWith('.ts'));
    const listed = readme.split('\n').filter((line) => line.startsWith('| `'));
    for (const file of files) {
      expect(
        listed.some((line) => line.includes(`\`${file}\``)),
        file,
      ).toBe(true);
    }
  });

  it('names files that exist', () => {
    for (const [, file = ''] of readme.matchAll(/`([\w-]+\.ts)`/g)) {
      expect(existsSync(join(source, folder, file)), file).toBe(true);
    }
  });

  it('has the values of its constants', () => {
    for (const [, value = '', name = '', file = ''] of readme.matchAll(
      /^\| ([\d.]+) \| `([\w.]+)` \| `([\w-]+\.ts)` \|$/gm,
    )) {
      const code = readFileSync(join(source, folder, file), 'utf8');
      expect(constantIn(code, name), `${file}: ${name}`).toBe(Number(value));
    }
  });
});

describe('the README of src/search', () => {
  it('has a row for every constant of the ranking', () => {
    const files = ['rank', 'pseudo-relevance-feedback', 'smooth-scores', 'choose-sentence'];
    for (const file of [...files, 'score-units', 'prune-candidates', 'versions']) {
      const code = readFileSync(join(source, 'search', `${file}.ts`), 'utf8');
      for (const [, name = ''] of code.matchAll(/^const ([A-Z][A-Z_\d]+) = [\d.]+;$/gm)) {
        if (name !== 'PROBES') expect(ranking).toContain(`| \`${name}\` | \`${file}.ts\` |`);
      }
    }
  });

  it('has the defaults of the settings', () => {
    const rows = [...ranking.matchAll(/^\| `([a-z]\w+)` \| (\d+) \|/gm)];
    expect(rows.length).toBeGreaterThan(4);
    const defaults = new Map(
      Object.entries(settingsTable).map(([name, { value }]) => [name, value]),
    );
    for (const [, name = '', value] of rows) expect(defaults.get(name), name).toBe(Number(value));
    expect(ranking).toContain(
      `\`${settingsTable.laneConfidence.variable}\`, default ${settingsTable.laneConfidence.value}`,
    );
  });

  it.each([calibrateCommand(), evalCommand()])('names the options of $_name', (command) => {
    const own = command.options.filter(
      ({ long }) => !['--config', '--json', '--model'].includes(long ?? ''),
    );
    for (const { long } of own) expect(ranking).toContain(long);
  });
});

describe('the README of src/identity', () => {
  it('lists the schemes in the order of preference', () => {
    const names = { doi: 'DOI', arxiv: 'arXiv id', pmid: 'PMID', pmcid: 'PMCID' };
    const others = { acl: 'ACL Anthology id', openalex: 'OpenAlex id', s2: 'Semantic Scholar id' };
    const inOrder = schemes.map((scheme) => ({ ...names, ...others })[scheme]).join(', ');
    expect(readmeOf('identity')).toContain(`the first of these that it has: ${inOrder}, `);
  });
});

describe('the decisions on ranking, text and identity', () => {
  const text = readFileSync(join(source, 'decisions/search.md'), 'utf8');
  const sections = text.split(/^## /m).slice(1);

  it('have unique numbers between D100 and D199', () => {
    const numbers = sections.map((section) => Number(/^D(\d+)\. /.exec(section)?.[1]));
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    for (const number of numbers) expect(number >= 100 && number < 200).toBe(true);
  });

  it.each(sections)('have a date and three paragraphs: %s', (section) => {
    const [title = '', ...paragraphs] = section.trim().split('\n\n');
    expect(title).toMatch(/^D\d+\. .+ \(20\d\d-\d\d-\d\d\)$/);
    expect(paragraphs.map((paragraph) => /^\*\*\w+\.\*\*/.exec(paragraph)?.[0])).toEqual([
      ...['**Context.**', '**Choice.**', '**Rejected.**'],
    ]);
  });
});

/** The value of `NAME` or of `object.key` in a source file. */
function constantIn(code: string, name: string): number {
  const [object = '', key] = name.split('.');
  const value = new RegExp(`^(?:export )?const ${object}\\b[^=\\n]*= ([^;]+);`, 'm').exec(
    code,
  )?.[1];
  if (key === undefined) return Number(value?.replaceAll('_', ''));
  return Number(new RegExp(`\\b${key}: ([\\d.]+)`).exec(value ?? '')?.[1]);
}
