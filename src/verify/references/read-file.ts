/** Reads the references of a file: BibTeX, RIS, CSL-JSON, or plain text with one in a line. */
import { bibtexFormat, bibtexVolumes } from '../../ingest/formats/bibtex.ts';
import { cslJsonFormat } from '../../ingest/formats/csl-json.ts';
import { RIS_TAG, risFormat } from '../../ingest/formats/ris.ts';
import { FieldError } from '../../ingest/json/fields.ts';
import { parseObject } from '../../ingest/json/json-parse.ts';
import { readJsonTexts } from '../../ingest/json/json-text.ts';
import { readBibtexEntries } from '../../ingest/plain-text/bibtex-entries.ts';
import { withInherited } from '../../ingest/plain-text/bibtex-inheritance.ts';
import { readTaggedRecords } from '../../ingest/plain-text/tagged-records.ts';
import { readHead } from '../../ingest/read/head.ts';
import { splitLines } from '../../ingest/read/lines.ts';
import type { Head } from '../../ingest/read/packed-format.ts';
import type { ByteSource } from '../../ingest/read/source.ts';
import { writeBibtex } from '../../search/papers/write-bibtex.ts';
import { writeRis } from '../../search/papers/write-ris.ts';
import type { ReferenceItem } from './verify-reference.ts';

/** A reference with its citation key or its line in the file, or why it was not read. */
export type NamedReference = {
  name: string;
  /** Where it starts, from 1; absent in JSON. */
  line?: number;
} & (ReferenceItem | { problem: string });

interface FileLimits {
  lineBytesMax: number;
}

/**
 * The references of a file, or the first ones if there are more than `most`, which is one too many.
 * Throws `unreadable_input` if it breaks off.
 */
export async function readReferences(
  source: ByteSource,
  limits: FileLimits,
  most = Number.POSITIVE_INFINITY,
): Promise<NamedReference[]> {
  const references: NamedReference[] = [];
  for await (const one of await readerOf(source, limits)) {
    references.push(one);
    if (references.length > most) break;
  }
  return references;
}

/** Whether the head of a file is that of BibTeX, RIS, or CSL-JSON. */
export function isReferenceFormat(head: Head): boolean {
  return [bibtexFormat, risFormat, cslJsonFormat].some((format) => format.recognizes(head));
}

async function readerOf(
  source: ByteSource,
  limits: FileLimits,
): Promise<AsyncGenerator<NamedReference>> {
  const head = await readHead(source);
  if (head.failure !== undefined) throw head.failure;
  if (bibtexFormat.recognizes(head)) return readBibtex(source, limits);
  if (risFormat.recognizes(head)) return readRis(source, limits);
  if (cslJsonFormat.recognizes(head)) return readCsl(source, limits);
  return readLines(source, limits);
}

async function* readBibtex(
  source: ByteSource,
  { lineBytesMax }: FileLimits,
): AsyncGenerator<NamedReference> {
  const entries = readBibtexEntries(source.chunks(), { path: source.path, lineBytesMax });
  for await (const entry of withInherited(entries)) {
    const { line } = entry;
    if ('problem' in entry) yield { name: `line ${line}`, line, problem: entry.problem };
    else if (!bibtexVolumes.includes(entry.type)) {
      yield { name: entry.key || `line ${line}`, line, reference: writeBibtex(entry) };
    }
  }
}

async function* readRis(
  source: ByteSource,
  { lineBytesMax }: FileLimits,
): AsyncGenerator<NamedReference> {
  const options = { tag: RIS_TAG, first: 'TY', last: 'ER', lineBytesMax };
  for await (const record of readTaggedRecords(source.chunks(), options)) {
    const { line } = record;
    const name = `line ${line}`;
    if ('fields' in record) yield { name, line, reference: writeRis(record.fields) };
    else yield { name, line, problem: record.problem };
  }
}

async function* readCsl(source: ByteSource, limits: FileLimits): AsyncGenerator<NamedReference> {
  for await (const record of readJsonTexts(source, limits)) {
    const name = `item ${record.number}`;
    if ('problem' in record) yield { name, problem: record.problem };
    else yield readItem(name, record.text);
  }
}

function readItem(name: string, text: string): NamedReference {
  try {
    return { name, reference: parseObject(text) };
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    return { name, problem: error.message };
  }
}

async function* readLines(
  source: ByteSource,
  { lineBytesMax }: FileLimits,
): AsyncGenerator<NamedReference> {
  for await (const line of splitLines(source.chunks(), lineBytesMax)) {
    const { number } = line;
    const name = `line ${number}`;
    if ('problem' in line) yield { name, line: number, problem: line.problem };
    else if (line.text.trim() !== '') yield { name, line: number, reference: line.text.trim() };
  }
}
