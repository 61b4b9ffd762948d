/** A document of a lane as a record of the index. Pure. */
import { schemes } from '../../identity/identifiers.ts';
import type { KeptRecord } from '../../identity/kept-record.ts';
import { distinctNotices, retractionOf } from '../../identity/notices.ts';
import type { LaneDocument } from './lane.ts';

/** The fields of a document that a record takes. */
type RecordedDocument = Pick<
  LaneDocument,
  'id' | 'title' | 'abstract' | 'year' | 'authors' | 'venue' | 'identifiers' | 'notices'
>;

/** Returns a record of the scheme of its id, so that the bulk files of that source override it. */
export function recordOf(source: RecordedDocument): KeptRecord {
  const { id, title, abstract, year, authors, venue, identifiers } = source;
  const naming = schemes.find((scheme) => identifiers[scheme] !== undefined);
  const record: KeptRecord = {
    id,
    title,
    abstract,
    year,
    authors,
    venue,
    identifiers,
    source: naming ?? '',
    part: 'record',
    updatedAt: 0,
  };
  // A record has room for one notice: the most important one.
  const notices = distinctNotices(source.notices ?? []);
  const notice = retractionOf(notices) ?? notices[0];
  if (notice !== undefined) record.notice = notice;
  return record;
}
