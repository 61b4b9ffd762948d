/** What a record says of its paper that is not kept: records are chosen by it. Pure. */

export interface About {
  /** As the source writes them; none where it does not say. */
  languages: readonly string[];
  /** Of the publication, as the source writes them: `journal-article`, `Review`, `JOUR`. */
  types: readonly string[];
}

/** Of whatever the fields hold; what is no text, or blank, is left out. */
export function aboutOf(languages: readonly unknown[], types: readonly unknown[]): About {
  return { languages: languages.flatMap(textsIn), types: types.flatMap(textsIn) };
}

/** A field may have several: `English; French`. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'string') return [];
  return value
    .split(/[;|]/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
}
