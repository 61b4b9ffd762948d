/**
 * The data set `abstracts` of Semantic Scholar's Academic Graph, one JSON object per line: abstracts
 * of the papers in the data set `papers`, in another order.
 */
import { readText } from '../json/fields.ts';
import { jsonFormat } from '../json/json-format.ts';
import { s2Identifiers } from '../json/semantic-scholar-fields.ts';

export const s2AbstractsFormat = jsonFormat({
  name: 's2-abstracts',
  description: "Semantic Scholar's data set abstracts, joined with its papers: JSON Lines",
  matches: (record) => 'corpusid' in record && 'abstract' in record && !('title' in record),
  read: (record) => {
    const identifiers = s2Identifiers(record);
    if (Object.keys(identifiers).length === 0) {
      return { problem: 'there is no corpus id', reason: 'without_id' };
    }
    const abstract = readText(record, 'abstract').trim();
    if (abstract === '') return { problem: 'there is no abstract', reason: 'without_text' };
    return { supplement: { identifiers, abstract } };
  },
});
