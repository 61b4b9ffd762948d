/**
 * How the lanes took part in a search, as one line for a header and the log: a list of the
 * structured fields of RFC 9651, the search first, then each lane that was asked.
 *
 *   served;c=0.31;threshold=0.52;ms=843, arxiv;provider=arxiv;outcome=answered;documents=10;ms=612
 */

import type { LaneTrace } from './fallback.ts';
import type { LaneReport } from './lane/lane.ts';

export function formatTrace({ outcome, c, threshold, milliseconds, reports }: LaneTrace): string {
  const search = `${outcome};c=${c};threshold=${threshold};ms=${milliseconds}`;
  return [search, ...reports.map(formatReport)].join(', ');
}

function formatReport(report: LaneReport): string {
  const { lane, provider, outcome, reason, documents, milliseconds } = report;
  const because = reason === '' ? '' : `;reason=${reason}`;
  const ms = Math.round(milliseconds);
  return `${lane};provider=${provider};outcome=${outcome}${because};documents=${documents};ms=${ms}`;
}
