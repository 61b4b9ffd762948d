/** The recipes that `npm run measure -- recipes` finds. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { readRecipes } from '../../../scripts/recipes/read-recipes.ts';

const readme = readFileSync(resolve(import.meta.dirname, '../../../src/mcp/README.md'), 'utf8');

it('finds every recipe of the README, and nothing else', () => {
  const recipes = readRecipes(readme);
  expect(recipes.map(({ name, language }) => `${name}: ${language}`)).toEqual([
    ...['Claude Code: sh', 'OpenAI Agents SDK: python', 'LangChain: python', 'Plain curl: sh'],
  ]);
  for (const { code } of recipes) expect(code).toContain('https://search.example.org/mcp');
  expect(readRecipes('## Tools\n### A\n```sh\nls\n```\n')).toEqual([]);
});
