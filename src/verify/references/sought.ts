/** What of a reference is looked up outside the index, and which documents may be its work. */
import { plainName } from '../../search/papers/person-name.ts';
import type { Identifiers } from '../../types.ts';
import { isSameName } from './names.ts';
import { newTexBudget } from './read-bibtex.ts';
import { relateTitles, type TitleRelation } from './titles.ts';
import { prepareReference, type ReferenceItem } from './verify-reference.ts';

/** A reference that the index does not have. */
export interface SoughtReference {
  /** Its place in the request. */
  at: number;
  identifiers: Identifiers;
  /** What may be its title, the likeliest first. */
  titles: string[];
  /** The first author; empty: unknown. */
  author: string;
}

/** A longer text is no title. */
const TITLE_CHARACTERS_MAX = 500;

/** The references without a work, in their order. */
export async function soughtReferences(
  items: readonly (ReferenceItem | { quote: string })[],
  results: readonly { verdict: string }[],
): Promise<SoughtReference[]> {
  const sought: SoughtReference[] = [];
  const tex = newTexBudget();
  for (const [at, item] of items.entries()) {
    if ('quote' in item || results[at]?.verdict !== 'not_found') continue;
    const prepared = await prepareReference(item, tex);
    if ('kind' in prepared) continue;
    const [first] = prepared.readings;
    const titles = prepared.readings
      .map(({ title }) => title)
      .filter((title) => title !== '' && title.length <= TITLE_CHARACTERS_MAX);
    const author = plainName(first?.authors[0] ?? '').slice(0, TITLE_CHARACTERS_MAX);
    sought.push({ at, identifiers: first?.identifiers ?? {}, titles, author });
  }
  return sought;
}

/**
 * The relation of a document to the reference: `same` only with the reference's first author too, as
 * far as both are known. A reference without a title is the same as any document that was found by
 * its identifiers.
 */
export function relationTo(
  { titles, author }: SoughtReference,
  { title, authors }: { title: string; authors: readonly string[] },
): TitleRelation {
  if (titles.length === 0) return 'same';
  const relations = titles.map((each) => relateTitles(each, title));
  if (!relations.includes('same')) return relations.includes('similar') ? 'similar' : 'other';
  const isAuthor = authors.some((name) => isSameName(author, plainName(name)));
  return author === '' || authors.length === 0 || isAuthor ? 'same' : 'similar';
}
