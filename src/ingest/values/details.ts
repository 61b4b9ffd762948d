/** What a record says about a paper besides its citation. Values in other forms count as absent. Pure. */
import { orcidOf } from '../../identity/orcid.ts';
import { paperTypeOf } from '../../identity/paper-type.ts';
import type { PaperDetails, SourceRecord } from '../../types.ts';

/** A longer address is a mistake. */
const ADDRESS_CHARACTERS_MAX = 2000;

/** Fields as a source has them. */
export interface WrittenDetails {
  /** In the words of the source. */
  types?: readonly string[];
  openAccess?: unknown;
  /** The first one that is an address counts. */
  openAccessUrls?: readonly unknown[];
  citationCount?: unknown;
  /** Of authors. Those with a wrong check digit count as absent. */
  orcids?: readonly unknown[];
}

/** Returns the field `details` of a record; nothing if the source tells none of them. */
export function detailsOf(written: WrittenDetails): Pick<SourceRecord, 'details'> {
  const { types = [], openAccess, openAccessUrls = [], citationCount, orcids = [] } = written;
  const details: PaperDetails = {};
  const type = paperTypeOf(types);
  if (type !== undefined) details.type = type;
  if (typeof openAccess === 'boolean') details.openAccess = openAccess;
  const address = openAccessUrls.find(isAddress);
  if (address !== undefined && openAccess !== false) {
    details.openAccess = true;
    details.openAccessUrl = address;
  }
  const count = typeof citationCount === 'string' ? Number(citationCount.trim()) : citationCount;
  const isCount = typeof count === 'number' && Number.isSafeInteger(count) && count >= 0;
  if (isCount && citationCount !== '') details.citationCount = count;
  const found = orcids.flatMap((one) => (typeof one === 'string' ? (orcidOf(one) ?? []) : []));
  if (found.length > 0) details.orcids = [...new Set(found)];
  return Object.keys(details).length === 0 ? {} : { details };
}

function isAddress(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > ADDRESS_CHARACTERS_MAX) return false;
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}
