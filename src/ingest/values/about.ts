/** What a record says about a paper in the words of its source. Pure. */

export interface About {
  /** As the source writes them; empty if it has none. */
  languages: readonly string[];
  /** Publication types as the source writes them: `journal-article`, `Review`, `JOUR`. */
  types: readonly string[];
  /** Fields of study, the most important one first. Never free keywords. */
  fields: readonly string[];
}

/** Collects the non-blank strings in the values. */
export function aboutOf(
  languages: readonly unknown[],
  types: readonly unknown[],
  fields: readonly unknown[] = [],
): About {
  return {
    languages: languages.flatMap(textsIn),
    types: types.flatMap(textsIn),
    fields: fields.flatMap(textsIn),
  };
}

/** A field may hold several values: `English; French`. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'string') return [];
  return value
    .split(/[;|]/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
}
