/** OpenAlex (help.openalex.org): a part of its works by its API, all of them by its snapshot. */
import { openalexQuota } from '../../lanes/providers/openalex.ts';
import type { SourceProvider } from '../ports/provider.ts';
import type { SourceOptions } from '../ports/source.ts';
import { apiSteps, keyFor, LATE_DAYS, WORKS_PER_PAGE } from './openalex-api.ts';
import { SNAPSHOT_ADDRESS, snapshotSteps } from './openalex-snapshot.ts';

const LICENSE = 'CC0 1.0 for the metadata (openalex.s3.amazonaws.com/LICENSE.txt)';
const SNAPSHOT = {
  method:
    'its snapshot, released every three months; an update takes only the files of newer days and ' +
    'the list of deleted works',
  /** The release of June 2026 has 510 million works in 666 GB, at most 400,000 in a file. */
  size: { records: 510_000_000, requests: 1_300, bytes: 670e9 },
};

export const openalexProvider: SourceProvider = {
  name: 'openalex',
  description: 'OpenAlex: its snapshot, or its API with --filter topics.id:T10028, --from 2020',
  takes: ['filter', 'from'],
  // The host of the snapshot knows nothing of the budget of the API.
  pace: (options) =>
    isByApi(options)
      ? { subject: 'openalex', lane: 'web', gap: 'webGapMs', quotaOf: openalexQuota }
      : { subject: 'openalex_snapshot', gap: 'sourceGapMs' },
  addressOf: (options, { openalexUrl }) => (isByApi(options) ? openalexUrl : SNAPSHOT_ADDRESS),
  subjectOf: ({ filter, from }) => [filter, from].filter(Boolean).join('-') || 'snapshot',
  describe(query, settings) {
    if (!isByApi(query)) return { ...SNAPSHOT, license: LICENSE };
    const hasKey = keyFor(query.url, settings) !== '';
    const sent = ['the filter', ...(hasKey ? ['your key'] : [])];
    return { method: apiMethod(hasKey), sent, license: LICENSE };
  },
  steps: (query, position, deps) =>
    isByApi(query) ? apiSteps(query, position, deps) : snapshotSteps(query, position, deps),
};

function isByApi({ filter, from }: SourceOptions): boolean {
  return filter !== undefined || from !== undefined;
}

function apiMethod(hasKey: boolean): string {
  const recent = `works published since ${LATE_DAYS} days before the last run, and retracted ones`;
  return [
    `its API, ${WORKS_PER_PAGE} works a request, 10,000 requests a dollar`,
    hasKey
      ? 'a free account has a dollar a day'
      : 'without a key, 0.10 dollars a day are free, and with one (VERBATIM_OPENALEX_KEY) a dollar',
    hasKey
      ? `an update asks for works changed since the last run; if your plan excludes that, for ${recent}`
      : `an update asks for ${recent}`,
    'deleted works are not reported',
  ].join('; ');
}
