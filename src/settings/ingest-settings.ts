/** Settings of building an index. */
import { availableParallelism } from 'node:os';
import { limit, type SettingsPart } from './setting.ts';

const cores = availableParallelism();

export const ingestSettings = {
  embedThreads: {
    kind: 'integer',
    value: cores,
    defaultText: 'number of CPU cores',
    unit: 'threads',
    help: 'worker threads that embed documents in a build',
  },
  embedDevice: {
    kind: 'choice',
    value: 'auto',
    choices: ['auto', 'cpu', 'cuda'],
    help: 'device that embeds documents: cpu, cuda, or auto (cuda if it can be used, else cpu)',
  },
  buildNiceness: {
    kind: 'integer',
    value: 19,
    min: 0,
    max: 19,
    unit: 'steps',
    help: 'nice value of `index add`, `index embed`, `index reembed`, `index publish`, `index pull`, and `backup`: at 19 a server on the machine comes first, at 0 all are equal',
  },
  documentsPerBatch: {
    kind: 'integer',
    value: 64,
    unit: 'documents',
    help: 'documents that are embedded, and written in one transaction, together',
  },
  textsPerBatch: limit(
    512,
    'texts',
    'texts that `index embed` embeds, and writes in one transaction, together',
  ),
  lineBytesMax: limit(
    8 * 1024 * 1024,
    'bytes',
    'length of a line of input or of a record; a longer one is skipped and reported',
  ),
  manuscriptBytesMax: limit(
    16 * 1024 * 1024,
    'bytes',
    'length of a manuscript that `verbatim verify` reads, and of a file that it includes; a longer one is refused',
  ),
  manuscriptFilesMax: limit(
    200,
    'files',
    'files that a manuscript includes, or names as bibliographies, each; further ones are not read, and the report says so',
  ),
  archiveMembersMax: limit(
    1_000_000,
    'files',
    'files of an archive that are read; an archive with more is not read further',
  ),
  archiveMemberBytesMax: limit(
    64 * 1024 * 1024 * 1024,
    'bytes',
    'length of a file in an archive; a longer one is not read further',
  ),
  titleCharactersMax: limit(
    4_000,
    'characters',
    'length of a title; a record with a longer one is skipped and reported',
  ),
  abstractCharactersMax: limit(
    100_000,
    'characters',
    'length of an abstract; a record with a longer one is skipped and reported',
  ),
  authorsMax: limit(
    10_000,
    'authors',
    'authors of a document; a record with more is skipped and reported',
  ),
  referencesMax: limit(5_000, 'references', 'references of a record that are kept, the first'),
  referenceCharactersMax: limit(
    300,
    'characters',
    'length of a printed reference; only the beginning of a longer one is kept',
  ),
  problemsShownMax: limit(
    20,
    'problems',
    'bad records of a file, and skipped files, that are printed; the others are only counted',
  ),
  skippedRecordCharactersMax: limit(
    4_000,
    'characters',
    'length of a bad record that `index add --skipped` writes in full; of a longer one it writes only the position',
  ),
  sampleRecordsMax: limit(
    5_000_000,
    'records',
    'records of `index add --sample`; each takes 16 bytes of memory',
  ),
} as const satisfies SettingsPart;
