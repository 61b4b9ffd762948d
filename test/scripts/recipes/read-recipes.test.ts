/** The recipes that `npm run recipes` finds, and the versions that it says it has seen. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { readRecipes } from '../../../scripts/recipes/read-recipes.ts';
import versions from '../../../scripts/recipes/versions.json' with { type: 'json' };

const top = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(resolve(top, path), 'utf8');

it('finds every recipe of the README, and nothing else', () => {
  const readme = read('src/mcp/README.md');
  const recipes = readRecipes(readme);
  expect(recipes.map(({ name, language }) => `${name}: ${language}`)).toEqual([
    ...['Claude Code: sh', 'OpenAI Agents SDK: python', 'LangChain: python', 'Plain curl: sh'],
  ]);
  for (const { code } of recipes) expect(code).toContain('https://search.example.org/mcp');
  expect(readRecipes('## Tools\n### A\n```sh\nls\n```\n')).toEqual([]);
});

it('names the versions that were seen', () => {
  const seen = read('scripts/recipes/README.md');
  for (const [name, version] of Object.entries({ ...versions.npm, ...versions.pip })) {
    expect(seen).toContain(`\`${name}\` ${version}`);
  }
});
