/**
 * The corpus.jsonl of a BEIR data set: {"_id", "title", "text", "metadata"}. Some sets keep year,
 * authors and a PubMed id in the metadata.
 */

import { identifiersOf } from '../../identity/identifiers.ts';
import { readId, readNames, readObject, readText, readYear } from '../json/fields.ts';
import { jsonFormat } from '../json/json-format.ts';

export const beirFormat = jsonFormat({
  name: 'beir',
  description: "a BEIR data set's corpus.jsonl: _id, title, text",
  matches: (record) => '_id' in record && 'text' in record,
  read: (record) => {
    const metadata = readObject(record, 'metadata');
    return {
      document: {
        id: readId(record, '_id'),
        title: readText(record, 'title'),
        abstract: readText(record, 'text'),
        year: readYear(metadata, 'year'),
        authors: Array.isArray(metadata['authors']) ? readNames(metadata, 'authors') : [],
        venue: '',
        identifiers: identifiersOf({ doi: metadata['doi'], pmid: metadata['pubmed_id'] }),
        updatedAt: 0,
      },
    };
  },
});
