/**
 * The corpus.jsonl of a BEIR data set: {"_id", "title", "text", "metadata"}. Some sets keep year
 * and authors in the metadata.
 */
import { type JsonRecord, readId, readNames, readText, readYear } from '../fields.ts';
import { jsonLinesFormat } from '../json-lines.ts';

export const beirFormat = jsonLinesFormat({
  name: 'beir',
  description: "a BEIR data set's corpus.jsonl: _id, title, text",
  matches: (record) => '_id' in record && 'text' in record,
  toDocument: (record) => {
    const metadata = readMetadata(record);
    return {
      id: readId(record, '_id'),
      title: readText(record, 'title'),
      abstract: readText(record, 'text'),
      year: readYear(metadata, 'year'),
      authors: Array.isArray(metadata['authors']) ? readNames(metadata, 'authors') : [],
      venue: '',
    };
  },
});

function readMetadata(record: JsonRecord): JsonRecord {
  const metadata = record['metadata'];
  return typeof metadata === 'object' && metadata !== null ? (metadata as JsonRecord) : {};
}
