/** Settings of building an index. */
import { availableParallelism } from 'node:os';
import type { SettingsPart } from './setting.ts';

const cores = availableParallelism();

export const ingestSettings = {
  embedThreads: {
    variable: 'VERBATIM_EMBED_THREADS',
    value: cores,
    help: 'worker threads that embed documents in a build (default: the cores)',
  },
  embedDevice: {
    variable: 'VERBATIM_EMBED_DEVICE',
    value: 'auto',
    help: 'where documents are embedded: cpu, cuda, or auto: cuda where it can be used, else cpu',
  },
  documentsPerBatch: {
    variable: 'VERBATIM_DOCUMENTS_PER_BATCH',
    value: 64,
    help: 'documents that are embedded, and written in one transaction, together',
  },
  textsPerBatch: {
    variable: 'VERBATIM_TEXTS_PER_BATCH',
    value: 512,
    help: 'texts that `index embed` embeds, and writes in one transaction, together',
  },
  lineBytesMax: {
    variable: 'VERBATIM_LINE_BYTES_MAX',
    value: 8 * 1024 * 1024,
    help: 'length of a line of input or of a record; a longer one is skipped and reported',
  },
  archiveMembersMax: {
    variable: 'VERBATIM_ARCHIVE_MEMBERS_MAX',
    value: 1_000_000,
    help: 'files in an archive that are read; one with more is read no further',
  },
  archiveMemberBytesMax: {
    variable: 'VERBATIM_ARCHIVE_MEMBER_BYTES_MAX',
    value: 64 * 1024 * 1024 * 1024,
    help: 'length of a file in an archive; a longer one is read no further',
  },
  titleCharactersMax: {
    variable: 'VERBATIM_TITLE_CHARACTERS_MAX',
    value: 4_000,
    help: 'length of a title; a record with a longer one is skipped and reported',
  },
  abstractCharactersMax: {
    variable: 'VERBATIM_ABSTRACT_CHARACTERS_MAX',
    value: 100_000,
    help: 'length of an abstract; a record with a longer one is skipped and reported',
  },
  authorsMax: {
    variable: 'VERBATIM_AUTHORS_MAX',
    value: 10_000,
    help: 'authors of a document; a record with more is skipped and reported',
  },
  problemsShownMax: {
    variable: 'VERBATIM_PROBLEMS_SHOWN_MAX',
    value: 20,
    help: 'bad records of a file, and files passed over, that are printed; the rest is only counted',
  },
  skippedRecordCharactersMax: {
    variable: 'VERBATIM_SKIPPED_RECORD_CHARACTERS_MAX',
    value: 4_000,
    help: 'length of a bad record that `index add --skipped` writes down; of a longer one only where it stands',
  },
  sampleRecordsMax: {
    variable: 'VERBATIM_SAMPLE_RECORDS_MAX',
    value: 5_000_000,
    help: 'records of `index add --sample`; each takes 16 bytes of memory',
  },
} as const satisfies SettingsPart;
