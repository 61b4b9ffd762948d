/** Settings of building an index. */
import { availableParallelism } from 'node:os';
import type { SettingsPart } from './setting.ts';

const cores = availableParallelism();

export const ingestSettings = {
  embedThreads: {
    kind: 'integer',
    variable: 'VERBATIM_EMBED_THREADS',
    value: cores,
    defaultText: 'number of CPU cores',
    unit: 'threads',
    help: 'worker threads that embed documents in a build',
  },
  embedDevice: {
    kind: 'choice',
    variable: 'VERBATIM_EMBED_DEVICE',
    value: 'auto',
    choices: ['auto', 'cpu', 'cuda'],
    help: 'device that embeds documents: cpu, cuda, or auto (cuda if it can be used, else cpu)',
  },
  buildNiceness: {
    kind: 'integer',
    variable: 'VERBATIM_BUILD_NICENESS',
    value: 19,
    min: 0,
    max: 19,
    unit: 'steps',
    help: 'nice value of `index add`, `index embed`, `index reembed`, `index publish`, `index pull`, and `backup`: at 19 a server on the machine comes first, at 0 all are equal',
  },
  documentsPerBatch: {
    kind: 'integer',
    variable: 'VERBATIM_DOCUMENTS_PER_BATCH',
    value: 64,
    unit: 'documents',
    help: 'documents that are embedded, and written in one transaction, together',
  },
  textsPerBatch: {
    kind: 'limit',
    value: 512,
    unit: 'texts',
    why: 'texts that `index embed` embeds, and writes in one transaction, together',
  },
  lineBytesMax: {
    kind: 'limit',
    value: 8 * 1024 * 1024,
    unit: 'bytes',
    why: 'length of a line of input or of a record; a longer one is skipped and reported',
  },
  archiveMembersMax: {
    kind: 'limit',
    value: 1_000_000,
    unit: 'files',
    why: 'files of an archive that are read; an archive with more is not read further',
  },
  archiveMemberBytesMax: {
    kind: 'limit',
    value: 64 * 1024 * 1024 * 1024,
    unit: 'bytes',
    why: 'length of a file in an archive; a longer one is not read further',
  },
  titleCharactersMax: {
    kind: 'limit',
    value: 4_000,
    unit: 'characters',
    why: 'length of a title; a record with a longer one is skipped and reported',
  },
  abstractCharactersMax: {
    kind: 'limit',
    value: 100_000,
    unit: 'characters',
    why: 'length of an abstract; a record with a longer one is skipped and reported',
  },
  authorsMax: {
    kind: 'limit',
    value: 10_000,
    unit: 'authors',
    why: 'authors of a document; a record with more is skipped and reported',
  },
  problemsShownMax: {
    kind: 'limit',
    value: 20,
    unit: 'problems',
    why: 'bad records of a file, and skipped files, that are printed; the others are only counted',
  },
  skippedRecordCharactersMax: {
    kind: 'limit',
    value: 4_000,
    unit: 'characters',
    why: 'length of a bad record that `index add --skipped` writes in full; of a longer one it writes only the position',
  },
  sampleRecordsMax: {
    kind: 'limit',
    value: 5_000_000,
    unit: 'records',
    why: 'records of `index add --sample`; each takes 16 bytes of memory',
  },
} as const satisfies SettingsPart;
