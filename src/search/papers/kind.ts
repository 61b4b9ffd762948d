/** What kind of publication a paper is, as far as its records tell. Pure. */
import { isPreprintVenue } from '../../identity/record-precedence.ts';
import type { PaperType } from '../../types.ts';
import type { Paper } from './paper.ts';

export type Kind =
  | ('article' | 'conference' | 'preprint' | 'unknown')
  | ('book' | 'chapter' | 'dissertation' | 'report' | 'dataset');

const CONFERENCE =
  /\b(?:proceedings|proc|conference|conf|workshops?|symposium|congress|meeting)\b|^(?:neurips|nips|icml|iclr|acl|emnlp|naacl|cvpr|iccv|eccv|aaai|ijcai|kdd|sigir|chi)\b/i;

/** Journals whose names look like those of conferences. */
const JOURNAL = /^(?:proceedings|proc\.?) (?:of the )?(?:national|nat|royal|ieee|r\.?) /i;

/** The types that need no look at the venue. */
const kinds: Partial<Record<PaperType, Kind>> = {
  'conference-paper': 'conference',
  book: 'book',
  chapter: 'chapter',
  dissertation: 'dissertation',
  report: 'report',
  dataset: 'dataset',
};

/** Returns the kind by the type, else by the venue. */
export function kindOf({
  venue,
  identifiers,
  details,
}: Pick<Paper, 'venue' | 'identifiers' | 'details'>): Kind {
  const kind = details.type && kinds[details.type];
  if (kind !== undefined) return kind;
  if (venue !== '' && !isPreprintVenue(venue)) {
    if (identifiers.acl !== undefined) return 'conference';
    return CONFERENCE.test(venue) && !JOURNAL.test(venue) ? 'conference' : 'article';
  }
  if (identifiers.arxiv !== undefined || venue !== '') return 'preprint';
  return details.type === 'preprint' ? 'preprint' : 'unknown';
}
