/** Tells what a source will contact, and how much it is. */

import type { Announcement } from '../../sources/providers.ts';
import { formatBytes } from '../../text/format-bytes.ts';
import { formatNumber } from '../../text/format-number.ts';
import { formatSteps } from '../cli/output.ts';
import { formatDuration } from '../cli/progress.ts';
import type { BuildEstimate } from '../index/build-estimate.ts';

/** Lines for a terminal. `embedding`: what `estimateEmbedding` found for the records. */
export function describeAnnouncement(
  { hosts, method, sent, license, gapMs, size }: Announcement,
  embedding?: BuildEstimate,
): string {
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
  rows.push([
    'how much',
    `${most}${formatNumber(records)} records in ${formatNumber(requests)} requests, ` +
      `${formatBytes(bytes)}, at least ${formatDuration(seconds)} of requests`,
  ]);
  if (embedding !== undefined) {
    const { seconds, diskBytes } = embedding;
    rows.push(
      ['disk', `${most}${formatBytes(diskBytes)} for the index`],
      ['embedding', `${most}${formatDuration(seconds)} at the speed of this machine`],
    );
  }
  return formatSteps(rows);
}
