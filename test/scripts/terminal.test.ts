/** README's terminal: its drawing, and whether it shows what a search prints today. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, inject, it } from 'vitest';
import { drawTerminal } from '../../scripts/terminal.ts';
import { exampleQuestion } from '../../src/settings/example.ts';
import { runVerbatim } from '../support/verbatim.ts';

const top = resolve(import.meta.dirname, '../..');

/** The lines of text in a picture, unescaped. */
function textIn(svg: string): string[] {
  const named: Record<string, string> = { lt: '<', gt: '>', amp: '&' };
  return [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, line = '']) =>
    line.replaceAll(/&(lt|gt|amp);/g, (_whole, name: string) => named[name] ?? ''),
  );
}

it('breaks lines after the last column, and marks the second line of a command', () => {
  const long = `${'a'.repeat(118)}b`;
  const svg = drawTerminal([{ command: 'one <&>\ntwo', printed: `${long}\n\nend\n` }]);
  expect(textIn(svg)).toEqual(['$ one <&>', '> two', 'a'.repeat(118), 'b', 'end']);
});

it('is stored with the titles and quotes that the search prints', async () => {
  const search = ['search', exampleQuestion, '--limit', '2', '--db', inject('sampleIndex')];
  const { stdout } = await runVerbatim(search);
  // Without scores: the last digit depends on the processor.
  const stable = (line: string): string => line.replace(/^(\d\.|.*confidence) +[\d.]+/, '$1');
  const printed = stdout.split('\n').filter((line) => line !== '');
  const shown = textIn(readFileSync(join(top, '.github/terminal.svg'), 'utf8')).map(stable);
  expect(printed).toHaveLength(7);
  expect(shown).toEqual(expect.arrayContaining(printed.map(stable)));
});
