/** Settings of sources, from which records are fetched. */
import { limit, type SettingsPart } from './setting.ts';

export const sourceSettings = {
  sourceUpdateHours: {
    kind: 'text',
    value: '',
    help: 'hours of the day, in UTC, at which the server starts `verbatim source update`, such as `3` or `3,15`; empty: it starts none',
  },
  sourceGapMs: limit(
    1_000,
    'ms',
    'time between two requests for files of PubMed, of an address, or of the snapshot of OpenAlex',
  ),
  sourceAttemptsMax: limit(5, 'attempts', 'attempts to fetch a part of a source'),
  sourceTimeoutMs: limit(60_000, 'ms', 'wait for the next piece of a response of a source'),
  sourcePauseMsMax: limit(
    900_000,
    'ms',
    'pause that a provider asks for and that a run waits out; a longer one ends the run, and the next one starts after it',
  ),
  sourcePartBytesMax: limit(
    8 * 1024 ** 3,
    'bytes',
    'size of a part of a source, of which one is on the disk at a time',
  ),
  sourcePageBytesMax: limit(
    64 * 1024 ** 2,
    'bytes',
    'size of a page or a list that is read into memory',
  ),
  sourceLeaseMs: limit(
    120_000,
    'ms',
    'time after which a killed run no longer keeps another process from running the same source',
  ),
  crossrefRowsMax: limit(500, 'works', 'works on a page of Crossref'),
  crossrefListingMax: limit(
    10_000,
    'works',
    'works of Crossref that are listed at a time, unless more were registered on one day',
  ),
  sourcesMax: limit(200, 'sources', 'sources of an index'),
} as const satisfies SettingsPart;
