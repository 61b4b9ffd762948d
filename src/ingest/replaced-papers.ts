/**
 * Samples the files before a build writes anything. If most of a file's first records would replace
 * papers with other titles, its ids are row numbers or those of another collection, and the build
 * would silently lose these papers.
 */
import { VerbatimError } from '../errors.ts';
import { isPersonal, type KeptRecord } from '../identity/kept-record.ts';
import { nameOf } from '../identity/record-keys.ts';
import type { PlanReader } from '../index/ports/index-builder.ts';
import { wordsOf } from '../text/words.ts';
import { filterEntry } from './filter-entry.ts';
import { createEntryNormalizer } from './normalize-entries.ts';
import type { DocumentLimits } from './prepare.ts';
import { type Input, type InputFile, isFile } from './read/input.ts';
import type { FormatLimits } from './read/packed-format.ts';
import type { ByteSource } from './read/source.ts';
import { type Reading, readInput } from './read-input.ts';
import type { Selector } from './selection/selector.ts';

/** Records sampled per file. */
const RECORDS_PER_FILE_MAX = 200;

/** Files that are sampled, and files sampled in one archive: a folder may hold a million. */
const FILES_MAX = 200;

/** Files with fewer records are judged together: in one of them alone, a new title is an edit. */
const RECORDS_JUDGED_ALONE_MIN = 3;

/** Bytes sampled of a pipe, which can be read again only as far as source.ts keeps it. */
const PIPE_BYTES_MAX = 256 * 1024;

const NO_ARCHIVES = { archiveMembersMax: 0, archiveMemberBytesMax: 0 };

interface CheckOptions {
  reading: Reading;
  limits: FormatLimits & DocumentLimits;
  /** Which records the build indexes. */
  selector: Selector;
  builder: Pick<PlanReader, 'replacedBy'>;
}

interface Replacement {
  path: string;
  before: KeptRecord;
  after: KeptRecord;
}

interface Sample {
  records: number;
  replacements: Replacement[];
}

/** Throws `would_replace`, with advice, if most of a file's first records would replace others. */
export async function assertFewReplaced(
  inputs: readonly Input[],
  options: CheckOptions,
): Promise<void> {
  const seen = new Map<string, KeptRecord>();
  const small: Sample = { records: 0, replacements: [] };
  for (const input of inputs.filter(isFile).slice(0, FILES_MAX)) {
    const sample = await sampleFile(input, seen, options);
    if (sample.records >= RECORDS_JUDGED_ALONE_MIN) assertMinority(sample);
    small.records += sample.records;
    small.replacements.push(...sample.replacements);
  }
  assertMinority(small);
}

/** Samples the first records of a file. Read errors are left to the build. */
async function sampleFile(
  input: InputFile,
  seen: Map<string, KeptRecord>,
  options: CheckOptions,
): Promise<Sample> {
  const sample: Sample = { records: 0, replacements: [] };
  let members = 0;
  const isFull = (): boolean => sample.records >= RECORDS_PER_FILE_MAX;
  const isPipe = input.bytes === undefined;
  // The start of an archive in a pipe cannot be read again.
  const reading = isPipe ? { ...options.reading, limits: NO_ARCHIVES } : options.reading;
  await readInput(input, reading, {
    async read({ source, format, name }) {
      members++;
      const content = isPipe ? startOf(source) : source;
      const { normalize } = createEntryNormalizer(format, name);
      for await (const entry of format.entries(content, options.limits)) {
        const filtered = filterEntry(normalize(entry), options);
        if (!('record' in filtered) || filtered.record.part !== 'record') continue;
        const { builder } = options;
        await addRecord(filtered.record, { path: source.path, sample, seen, builder });
        if (isFull()) return;
      }
    },
    passedOver: () => members++,
    failed: () => members++,
    shouldStop: () => isFull() || members >= FILES_MAX,
  });
  return sample;
}

async function addRecord(
  after: KeptRecord,
  {
    path,
    sample,
    seen,
    builder,
  }: Pick<CheckOptions, 'builder'> & {
    path: string;
    sample: Sample;
    seen: Map<string, KeptRecord>;
  },
): Promise<void> {
  const before = seen.get(nameOf(after)) ?? (await builder.replacedBy(after));
  if (before !== undefined && areOtherTitles(before.title, after.title)) {
    sample.replacements.push({ path, before, after });
  }
  seen.set(nameOf(after), { ...after, abstract: '' });
  sample.records++;
}

function startOf(source: ByteSource): ByteSource {
  if (source.modifiedAt > 0) return source;
  return {
    ...source,
    async *chunks() {
      for await (const chunk of source.chunks()) {
        if (source.bytesRead() > PIPE_BYTES_MAX) return;
        yield chunk;
      }
    },
  };
}

/** Whether two titles share less than half of the shorter one's words. An edit leaves more. */
function areOtherTitles(one: string, other: string): boolean {
  const [first, second] = [one, other].map((title) => new Set(wordsOf(title))) as [
    Set<string>,
    Set<string>,
  ];
  const shared = [...first].filter((word) => second.has(word)).length;
  return shared < Math.min(first.size, second.size) / 2;
}

function assertMinority({ records, replacements }: Sample): void {
  const [first] = replacements;
  if (first === undefined || replacements.length <= records / 2) return;
  const { path, before, after } = first;
  const what = isPersonal(after)
    ? 'if this is another collection than the one added under this name, name it with ' +
      '--source NAME'
    : 'if its ids are row numbers, or those of another collection, give the records ids of ' +
      'their own';
  throw new VerbatimError(
    'would_replace',
    `nothing was added: ${replacements.length} of the first ${records} records would replace ` +
      `papers with other titles; in ${path}, ${JSON.stringify(shown(after.id))} is ` +
      `${JSON.stringify(shown(after.title))}, and was ${JSON.stringify(shown(before.title))}; ` +
      `${what}; to replace them, use --force`,
  );
}

function shown(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
