/** Reads the recipes from the README file in which people find them. Pure. */

export interface Recipe {
  /** Its heading. */
  name: string;
  language: 'sh' | 'python';
  code: string;
}

const SECTION = /^## Recipes$(.*?)(?=^## )/ms;
const RECIPE = /^### (.+?)$.*?^```(sh|python)\n(.*?)^```$/gms;

/** Returns the first block of code below each heading of the section `Recipes`. */
export function readRecipes(readme: string): Recipe[] {
  const [, section = ''] = SECTION.exec(readme) ?? [];
  return [...section.matchAll(RECIPE)].map(([, name = '', language, code = '']) => ({
    name,
    language: language as Recipe['language'],
    code,
  }));
}
