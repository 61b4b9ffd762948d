/**
 * Samples the files before a build writes anything. If most of the known papers among a file's first
 * records would get other titles, its ids are row numbers or those of another collection, and the build
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

/** Known papers after which a run of a source samples no more. */
const KNOWN_MAX = 200;

/** Files that are sampled, and files sampled in one archive: a folder may hold a million. */
const FILES_MAX = 200;

/** Files with fewer known papers are judged together. Of fewer in all, a new title is an edit. */
const PAPERS_JUDGED_MIN = 3;

/** Bytes sampled of a pipe, which can be read again only as far as source.ts keeps it. */
const PIPE_BYTES_MAX = 256 * 1024;

const NO_ARCHIVES = { archiveMembersMax: 0, archiveMemberBytesMax: 0 };

interface CheckOptions {
  reading: Reading;
  limits: FormatLimits & DocumentLimits;
  /** Which records the build indexes. */
  selector: Selector;
  builder: Pick<PlanReader, 'replacedBy'>;
  tally: ReplacementTally;
}

interface Replacement {
  path: string;
  before: KeptRecord;
  after: KeptRecord;
}

/** What was sampled so far: of one build, or of all parts that one run of a source fetches. */
export interface ReplacementTally {
  /** Records of papers that the index or an earlier record has. */
  known: number;
  replacements: Replacement[];
}

export function newReplacementTally(): ReplacementTally {
  return { known: 0, replacements: [] };
}

interface Sample extends ReplacementTally {
  records: number;
}

/** Throws `would_replace`, with advice, if most of a file's first known papers would get other titles. */
export async function assertFewReplaced(
  inputs: readonly Input[],
  options: CheckOptions,
): Promise<void> {
  const { tally } = options;
  if (tally.known >= KNOWN_MAX) return;
  const seen = new Map<string, KeptRecord>();
  for (const input of inputs.filter(isFile).slice(0, FILES_MAX)) {
    const sample = await sampleFile(input, seen, options);
    assertMinority(sample);
    tally.known += sample.known;
    tally.replacements.push(...sample.replacements);
  }
  assertMinority(tally);
}

/** Samples the first records of a file. Read errors are left to the build. */
async function sampleFile(
  input: InputFile,
  seen: Map<string, KeptRecord>,
  options: CheckOptions,
): Promise<Sample> {
  const sample: Sample = { records: 0, known: 0, replacements: [] };
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
        const after = filtered.record;
        const before = seen.get(nameOf(after)) ?? (await options.builder.replacedBy(after));
        note(sample, { path: source.path, before, after });
        seen.set(nameOf(after), { ...after, abstract: '' });
        if (isFull()) return;
      }
    },
    passedOver: () => members++,
    failed: () => members++,
    shouldStop: () => isFull() || members >= FILES_MAX,
  });
  return sample;
}

function note(
  sample: Sample,
  { path, before, after }: Omit<Replacement, 'before'> & { before: KeptRecord | undefined },
): void {
  sample.records++;
  if (before === undefined) return;
  sample.known++;
  if (areOtherTitles(before.title, after.title)) sample.replacements.push({ path, before, after });
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

function assertMinority({ known, replacements }: ReplacementTally): void {
  const [first] = replacements;
  const isMost = known >= PAPERS_JUDGED_MIN && replacements.length > known / 2;
  if (first === undefined || !isMost) return;
  const { path, before, after } = first;
  const what = isPersonal(after)
    ? 'if this is another collection than the one added under this name, name it with ' +
      '--source NAME'
    : 'if its ids are row numbers, or those of another collection, give the records ids of ' +
      'their own';
  throw new VerbatimError(
    'would_replace',
    `nothing was added: ${replacements.length} of the first ${known} known papers would get ` +
      `other titles; in ${path}, ${JSON.stringify(shown(after.id))} is ` +
      `${JSON.stringify(shown(after.title))}, and was ${JSON.stringify(shown(before.title))}; ` +
      `${what}; to replace them, use --accept`,
  );
}

function shown(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
