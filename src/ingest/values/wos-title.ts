/** Titles of Web of Science, which say what became of the paper. Pure. */
import { withheldByPublicationTypes } from '../../identity/withheld.ts';
import type { SourceRecord } from '../../types.ts';

/** Titles of what was taken back end so: "(Retracted article. See vol. 3, pg. 1, 2010)". */
const RETRACTION_MARK = /\s*\(retracted (?:article|paper)\. see [^()]*\)$/i;

/** The title without that mark, and whether that, or a type, takes the paper back. */
export function wosTitle(
  text: string,
  types: readonly string[],
): Pick<SourceRecord, 'title' | 'withheld'> {
  const title = text.replace(RETRACTION_MARK, '');
  const each = types.flatMap((type) => type.split(/;\s*/));
  const withheld = title !== text ? 'retracted' : withheldByPublicationTypes(each);
  return withheld === undefined ? { title } : { title, withheld };
}
