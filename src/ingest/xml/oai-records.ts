/**
 * The records of an answer to OAI-PMH harvesting, whatever their metadata are in; pages may follow
 * each other in one file.
 */
import type { FormatLimits, Head } from '../read/format.ts';
import type { ByteSource } from '../read/source.ts';
import { childOf, textOf, type XmlElement } from './element.ts';
import { readXmlRecords, type XmlRecord } from './read-records.ts';
import { rootOf } from './root.ts';

/** A record with its header. */
export interface OaiRecord {
  line: number;
  /** What the source calls it: `oai:arXiv.org:2401.00001`. */
  identifier: string;
  isDeleted: boolean;
  /** When its metadata last changed, in milliseconds since 1970; 0 where it does not say. */
  updatedAt: number;
  /** Undefined where there are none, as in one that was deleted. */
  metadata: XmlElement | undefined;
}

/** Whether a file that starts so is an answer, or the records alone that a harvester kept of one. */
export function isOfOai(head: Head): boolean {
  const name = rootOf(head)?.name;
  if (name === 'OAI-PMH') return true;
  return (
    name === 'record' && /<(?:[\w.-]+:)?header[^>]*>\s*<(?:[\w.-]+:)?identifier>/.test(head.text)
  );
}

/** The records of a file, and what is wrong in it. */
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

/** Undefined where nothing is amiss and nothing there: no record changed in a period. */
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
