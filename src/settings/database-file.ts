/** Settings of the database file: its write-ahead log, backups, and optimizing it while it is used. */
import type { SettingsPart } from './setting.ts';

const MIB = 1024 * 1024;

export const databaseSettings = {
  walCheckpointBytes: {
    kind: 'limit',
    value: 64 * MIB,
    unit: 'bytes',
    why: 'size of the write-ahead log from which the server tries to empty it',
  },
  walCheckpointWaitMs: {
    kind: 'limit',
    value: 100,
    unit: 'ms',
    why: 'how long an attempt to empty the write-ahead log waits for readers; holds wait with it',
  },
  walBytesMax: {
    kind: 'integer',
    variable: 'VERBATIM_WAL_BYTES_MAX',
    value: 1024 * MIB,
    unit: 'bytes',
    help: 'size of the write-ahead log at which a backup, `index export`, or `index verify` that holds it back ends, and the server logs who else does',
  },
  walCheckMs: {
    kind: 'limit',
    value: 1_000,
    unit: 'ms',
    why: 'time between two looks at the size of the write-ahead log',
  },
  backupBytesPerSecondMax: {
    kind: 'integer',
    variable: 'VERBATIM_BACKUP_BYTES_PER_SECOND_MAX',
    value: 32 * MIB,
    unit: 'bytes a second',
    help: 'speed of `verbatim backup`; a faster one slows searches down',
  },
  backupBytesPerStep: {
    kind: 'limit',
    value: MIB,
    unit: 'bytes',
    why: 'bytes that `verbatim backup` copies and forces to the disk between two pauses',
  },
  fileCheckIntervalHours: {
    kind: 'integer',
    variable: 'VERBATIM_FILE_CHECK_INTERVAL_HOURS',
    value: 24,
    unit: 'hours',
    min: 0,
    max: 500,
    help: 'time between two checks of the database file by a running server, of which the first begins with the server; 0: none',
  },
  fileCheckPercent: {
    kind: 'integer',
    variable: 'VERBATIM_FILE_CHECK_PERCENT',
    value: 5,
    unit: 'percent',
    max: 100,
    help: 'share of one core that such a check takes, averaged over its run',
  },
  fileCheckReadMs: {
    kind: 'limit',
    value: 50,
    unit: 'ms',
    why: 'how long it reads rows between two pauses; a checkpoint may have to wait for as long',
  },
  readOnlyIndex: {
    kind: 'path',
    variable: 'VERBATIM_READ_ONLY_INDEX',
    value: '',
    help: 'folder of index copies that `verbatim index pull` fills; searches read the newest one there, and `VERBATIM_DB` has the accounts; empty: the index is in `VERBATIM_DB`',
  },
  indexCopyCheckMs: {
    kind: 'limit',
    value: 1_000,
    unit: 'ms',
    why: 'time between two looks of an idle server for a newer copy of the index; each search looks as well',
  },
  indexCopiesKept: {
    kind: 'integer',
    variable: 'VERBATIM_INDEX_COPIES_KEPT',
    value: 2,
    unit: 'copies',
    help: 'copies that `verbatim index publish` and `verbatim index pull` keep in a folder',
  },
  optimizePagesPerStep: {
    kind: 'limit',
    value: 32,
    unit: 'pages',
    why: 'pages that `index optimize` merges or gives back in one transaction',
  },
  optimizePauseMs: {
    kind: 'limit',
    value: 20,
    unit: 'ms',
    why: 'pause between two transactions of `index optimize`, in which others write',
  },
} as const satisfies SettingsPart;
