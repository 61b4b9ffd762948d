/** Reads the records of OAI-PMH responses in any metadata format. A file may hold several pages. */
import type { FormatLimits, Head } from '../read/packed-format.ts';
import type { ByteSource } from '../read/source.ts';
import { childOf, textOf, type XmlElement } from './element.ts';
import { readXmlRecords, type XmlRecord } from './read-records.ts';
import { rootOf } from './root.ts';

/** A record with its header. */
export interface OaiRecord {
  line: number;
  /** The source's name for it: `oai:arXiv.org:2401.00001`. */
  identifier: string;
  isDeleted: boolean;
  /** When its metadata last changed, in milliseconds since 1970; 0 if not stated. */
  updatedAt: number;
  /** Undefined without metadata, as in a deleted record. */
  metadata: XmlElement | undefined;
}

/** Whether the head is that of a response, or of bare records kept by a harvester. */
export function isOfOai(head: Head): boolean {
  const name = rootOf(head)?.name;
  if (name === 'OAI-PMH') return true;
  return (
    name === 'record' && /<(?:[\w.-]+:)?header[^>]*>\s*<(?:[\w.-]+:)?identifier>/.test(head.text)
  );
}

/** The records of a file, and its errors. */
export async function* readOaiRecords(
  source: ByteSource,
  limits: FormatLimits,
): AsyncGenerator<OaiRecord | Extract<XmlRecord, { problem: string }>> {
  const records = readXmlRecords(source.chunks(), {
    path: source.path,
    records: ['record', 'error'],
    recordCharactersMax: limits.lineBytesMax,
  });
  for await (const record of records) {
    const read = 'problem' in record ? record : readRecord(record.element);
    if (read !== undefined) yield read;
  }
}

/** Undefined if the response says that no record has changed. */
function readRecord(
  element: XmlElement,
): OaiRecord | Extract<XmlRecord, { problem: string }> | undefined {
  const { line, name } = element;
  if (name === 'error') {
    const code = element.attributes['code'] ?? '';
    if (code === 'noRecordsMatch') return undefined;
    const problem = `not records but an error of the interface: ${code} ${textOf(element)}`;
    return { line, problem, reason: 'malformed' };
  }
  const header = childOf(element, 'header');
  return {
    line,
    identifier: textOf(childOf(header, 'identifier')),
    isDeleted: header?.attributes['status'] === 'deleted',
    updatedAt: Date.parse(textOf(childOf(header, 'datestamp'))) || 0,
    metadata: childOf(element, 'metadata'),
  };
}
