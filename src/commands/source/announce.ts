/** Tells what a source will contact, and how much it is. */

import type { Announcement } from '../../sources/ports/provider.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import { formatNumber, formatSteps } from '../cli/output.ts';
import { formatDuration } from '../cli/progress.ts';

/** Measured: an index of 161,976 papers takes 944 MB. */
const INDEX_BYTES_PER_PAPER = 5_800;

/** Lines for a terminal. */
export function describeAnnouncement({
  hosts,
  method,
  sent,
  license,
  gapMs,
  size,
}: Announcement): string {
  const rows: [string, string][] = [
    ['contacts', hosts.length === 0 ? 'nobody' : hosts.join(', ')],
    ['fetches by', method],
  ];
  if (sent.length > 0) rows.push(['sends', `${sent.join(' and ')}, nothing of your customers`]);
  rows.push(['license', license]);
  if (size === undefined) {
    if (hosts.length > 0) rows.push(['how much', 'the first response tells']);
    return formatSteps(rows);
  }
  const { records, requests, bytes, isAtMost = false } = size;
  const most = isAtMost ? 'at most ' : 'about ';
  const seconds = (requests * gapMs) / 1000;
  rows.push(
    [
      'how much',
      `${most}${formatNumber(records)} records in ${formatNumber(requests)} requests, ` +
        `${formatBytes(bytes)}, at least ${formatDuration(seconds)} of requests`,
    ],
    ['disk', `${most}${formatBytes(records * INDEX_BYTES_PER_PAPER)} for the index`],
    ['embedding', 'takes most of the time; `source list` shows how far it is'],
  );
  return formatSteps(rows);
}
