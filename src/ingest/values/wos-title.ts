/** Reads titles of Web of Science, which mark retractions. Pure. */
import { withheldByPublicationTypes } from '../../identity/withheld.ts';
import type { SourceRecord } from '../../types.ts';

/** The end of retracted titles: "(Retracted article. See vol. 3, pg. 1, 2010)". */
const RETRACTION_MARK = /\s*\(retracted (?:article|paper)\. see [^()]*\)$/i;

/** The title without the mark, and whether the mark or a type says that it was retracted. */
export function wosTitle(
  text: string,
  types: readonly string[],
): Pick<SourceRecord, 'title' | 'withheld'> {
  const title = text.replace(RETRACTION_MARK, '');
  const each = types.flatMap((type) => type.split(/;\s*/));
  const withheld = title !== text ? 'retracted' : withheldByPublicationTypes(each);
  return withheld === undefined ? { title } : { title, withheld };
}
