/**
 * Full texts of Semantic Scholar's Open Research Corpus, one JSON object per line: `body` in the
 * second version, `content` in the first. Annotations, which are JSON strings inside the JSON, mark
 * the parts of the text.
 *
 * The annotation `abstract` marks the abstract. Most records of the second version have none; there
 * the first paragraph is taken, because a text without front matter begins with it.
 */

import { documentIdOf } from '../../identity/identifiers.ts';
import type { SourceRecord } from '../../types.ts';
import {
  FieldError,
  isObject,
  type JsonRecord,
  readObject,
  readObjects,
  readText,
  readTimeIfAny,
  readYear,
} from '../json/fields.ts';
import { jsonFormat } from '../json/json-format.ts';
import { parseJson } from '../json/json-parse.ts';
import { s2Identifiers, s2Name } from '../json/semantic-scholar-fields.ts';
import { referencesOf, type WrittenReference } from '../values/cited-works.ts';

export const s2orcFormat = jsonFormat({
  name: 's2orc',
  description: 'S2ORC full texts, of which the abstract is taken: JSON Lines',
  matches: (record) => {
    if (!('corpusid' in record)) return false;
    if ('body' in record || 'content' in record) return true;
    // The full text is often longer than the head of a file.
    if ('title' in record) return 'openaccessinfo' in record && !('externalids' in record);
    return 'externalids' in record && !('abstract' in record);
  },
  read: (record) => ({ document: toDocument(record) }),
});

function toDocument(record: JsonRecord): SourceRecord {
  const full = isObject(record['body']) ? record['body'] : readObject(record, 'content');
  const text = readText(full, 'text');
  const annotations = readObject(full, 'annotations');
  const marked = (name: string, spansMax?: number): string[] =>
    sliceSpans(text, readSpans(annotations, name).slice(0, spansMax));
  const abstract = marked('abstract');
  const identifiers = s2Identifiers(record);
  const bibliography = isObject(record['bibliography']) ? record['bibliography'] : full;
  return {
    id: documentIdOf(identifiers),
    title: (readText(record, 'title') || marked('title').join(' ')).replace(/\s+/g, ' ').trim(),
    abstract: (abstract.length > 0 ? abstract : marked('paragraph', 1)).join('\n\n'),
    year: readYear(record, 'year'),
    authors: readObjects(record, 'authors')
      .map(s2Name)
      .filter((name) => name !== ''),
    venue: '',
    identifiers,
    ...referencesOf(readBibliography(bibliography)),
    updatedAt: readTimeIfAny(record, 'updated'),
  };
}

/** The second version has a text of its own for the works that are cited, the first does not. */
function readBibliography(part: JsonRecord): WrittenReference[] {
  const text = typeof part['text'] === 'string' ? readText(part, 'text') : '';
  const offsetOf = codePointOffsets(text);
  return ['bib_entry', 'bibentry']
    .flatMap((name) => annotationsIn(readObject(part, 'annotations')[name]))
    .filter(isObject)
    .map((entry) => {
      const attributes = readObject(entry, 'attributes');
      const print = (): string =>
        text.slice(offsetOf(Number(entry['start'])), offsetOf(Number(entry['end'])));
      return { identifiers: { doi: attributes['doi'], s2: attributes['matched_paper_id'] }, print };
    });
}

/** None if they cannot be read. */
function annotationsIn(value: unknown): unknown[] {
  try {
    const list = typeof value === 'string' && value !== '' ? parseJson(value) : value;
    return Array.isArray(list) ? list : [];
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    return [];
  }
}

interface Span {
  start: number;
  end: number;
}

function readSpans(annotations: JsonRecord, name: string): Span[] {
  const text = annotations[name];
  const spans = typeof text === 'string' && text !== '' ? parseJson(text) : text;
  if (spans === undefined || spans === null || spans === '') return [];
  if (!Array.isArray(spans)) throw new FieldError(`the annotation "${name}" must be an array`);
  return spans.map((span: unknown) => {
    const [start, end] = isObject(span) ? [Number(span['start']), Number(span['end'])] : [];
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end)) {
      throw new FieldError(`the annotation "${name}" must have a start and an end`);
    }
    return { start: start as number, end: end as number };
  });
}

/** The non-empty marked parts, trimmed. */
function sliceSpans(text: string, spans: readonly Span[]): string[] {
  const offsetOf = codePointOffsets(text);
  const ranges = spans.map(({ start, end }) => ({ start: offsetOf(start), end: offsetOf(end) }));
  const marked = ranges.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0);
  // A text marked many times over could exhaust memory.
  if (marked > text.length) throw new FieldError('annotations overlap');
  return ranges
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter((part) => part !== '');
}

/** Converts the offsets of annotations, which count code points, to JavaScript offsets. */
function codePointOffsets(text: string): (codePoints: number) => number {
  const inText = (offset: number): number => Math.min(Math.max(0, offset), text.length);
  if (!/[\ud800-\udbff]/.test(text)) return inText;
  const offsets = new Uint32Array(text.length + 1).fill(text.length);
  let [codePoints, offset] = [0, 0];
  for (const character of text) {
    offsets[codePoints++] = offset;
    offset += character.length;
  }
  return (count) => offsets[inText(count)] ?? text.length;
}
