/** Settings of the database file: its write-ahead log, backups, and optimizing it while it is used. */
import { limit, type SettingsPart } from './setting.ts';

const MIB = 1024 * 1024;

export const databaseSettings = {
  walCheckpointBytes: limit(
    64 * MIB,
    'bytes',
    'size of the write-ahead log from which the server tries to empty it',
  ),
  walCheckpointWaitMs: limit(
    100,
    'ms',
    'how long an attempt to empty the write-ahead log waits for readers; holds wait with it',
  ),
  walBytesMax: {
    kind: 'integer',
    value: 1024 * MIB,
    unit: 'bytes',
    help: 'size of the write-ahead log at which a backup, `index export`, or `index verify` that holds it back ends, and the server logs who else does',
  },
  walCheckMs: limit(1_000, 'ms', 'time between two looks at the size of the write-ahead log'),
  backupBytesPerSecondMax: {
    kind: 'integer',
    value: 32 * MIB,
    unit: 'bytes a second',
    help: 'speed of `verbatim backup`; a faster one slows searches down',
  },
  backupBytesPerStep: limit(
    MIB,
    'bytes',
    'bytes that `verbatim backup` copies and forces to the disk between two pauses',
  ),
  fileCheckIntervalHours: {
    kind: 'integer',
    value: 24,
    unit: 'hours',
    min: 0,
    max: 500,
    help: 'time between two checks of the database file by a running server, of which the first begins with the server; 0: none',
  },
  fileCheckPercent: {
    kind: 'integer',
    value: 5,
    unit: 'percent',
    max: 100,
    help: 'share of one core that such a check takes, averaged over its run',
  },
  fileCheckReadMs: limit(
    50,
    'ms',
    'how long it reads rows between two pauses; a checkpoint may have to wait for as long',
  ),
  readOnlyIndex: {
    kind: 'path',
    value: '',
    help: 'folder of index copies that `verbatim index pull` fills; searches read the newest one there, and `VERBATIM_DB` has the accounts; empty: the index is in `VERBATIM_DB`',
  },
  indexCopyCheckMs: limit(
    1_000,
    'ms',
    'time between two looks of an idle server for a newer copy of the index; each search looks as well',
  ),
  indexCopiesKept: {
    kind: 'integer',
    value: 2,
    unit: 'copies',
    help: 'copies that `verbatim index publish` and `verbatim index pull` keep in a folder',
  },
  optimizePagesPerStep: limit(
    32,
    'pages',
    'pages that `index optimize` merges or gives back in one transaction',
  ),
  optimizePauseMs: limit(
    20,
    'ms',
    'pause between two transactions of `index optimize`, in which others write',
  ),
} as const satisfies SettingsPart;
