/** OpenAlex (help.openalex.org): a part of its works by its API, all of them by its snapshot. */
import { VerbatimError } from '../../errors.ts';
import { accountOf, requestsPerDayMaxOf } from '../../lanes/lane-settings.ts';
import { openalexQuota } from '../../lanes/providers/openalex.ts';
import type { Pace, SourceProvider } from '../ports/provider.ts';
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

const apiPace: Pace = {
  subject: 'openalex',
  account: (settings) => accountOf('openalex', settings),
  gapMs: ({ webGapMs }) => webGapMs,
  requestsPerDayMax: (settings) => requestsPerDayMaxOf('web', settings),
  quotaOf: openalexQuota,
};

/** Its host knows nothing of the budget of the API. */
const snapshotPace: Pace = {
  subject: 'openalex_snapshot',
  account: () => [],
  gapMs: ({ sourceGapMs }) => sourceGapMs,
  requestsPerDayMax: () => 0,
};

export const openalexProvider: SourceProvider = {
  name: 'openalex',
  description: 'OpenAlex: its snapshot, or its API with --filter topics.id:T10028, --from 2020',
  takes: ['filter', 'from'],
  pace: (options) => (isByApi(options) ? apiPace : snapshotPace),
  subjectOf: ({ filter, from }) => [filter, from].filter(Boolean).join('-') || 'snapshot',
  announce(options, settings) {
    const { from = '2020', url: given } = options;
    const url = given ?? (isByApi(options) ? settings.openalexUrl : SNAPSHOT_ADDRESS);
    if (!/^\d{4}(-\d\d-\d\d)?$/.test(from)) {
      throw new VerbatimError('usage', '--from must be a year or a day such as 2024-01-31');
    }
    if (!/^https?:/i.test(url) || !URL.canParse(url)) {
      throw new VerbatimError('usage', '--url must be an address (https://...)');
    }
    const { laneContact } = settings;
    const contact = laneContact === '' ? [] : [`the contact address ${laneContact}`];
    const always = { hosts: [new URL(url).host], license: LICENSE };
    if (!isByApi(options)) {
      return { ...always, ...SNAPSHOT, sent: contact, gapMs: settings.sourceGapMs };
    }
    const hasKey = keyFor(url, settings) !== '';
    return {
      ...always,
      method: apiMethod(hasKey),
      sent: ['the filter', ...(hasKey ? ['your key'] : []), ...contact],
      gapMs: apiPace.gapMs(settings),
    };
  },
  steps: (options, position, deps) =>
    isByApi(options) ? apiSteps(options, position, deps) : snapshotSteps(options, position, deps),
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
