/**
 * The data set `papers` of Semantic Scholar's Academic Graph, one JSON object per line. Abstracts are
 * in the data set `abstracts`.
 */

import { documentIdOf } from '../../identity/identifiers.ts';
import {
  firstText,
  readObject,
  readObjects,
  readText,
  readTimeIfAny,
  readYear,
} from '../json/fields.ts';
import { jsonFormat } from '../json/json-format.ts';
import { s2Fields, s2Identifiers } from '../json/semantic-scholar-fields.ts';
import { aboutOf } from '../values/about.ts';
import { detailsOf } from '../values/details.ts';
import { markupToLine } from '../values/markup.ts';

export const s2PapersFormat = jsonFormat({
  name: 's2-papers',
  description: "Semantic Scholar's data set papers (without abstracts): JSON Lines",
  matches: (record) => 'corpusid' in record && 'externalids' in record && 'title' in record,
  read: (record) => {
    const identifiers = s2Identifiers(record);
    const types: unknown = record['publicationtypes'];
    return {
      document: {
        id: documentIdOf(identifiers),
        title: markupToLine(readText(record, 'title')),
        abstract: '',
        year: readYear(record, 'year'),
        authors: readObjects(record, 'authors')
          .map(({ name }) => firstText(name))
          .filter((name) => name !== ''),
        venue: firstText(record['venue'], readObject(record, 'journal')['name']),
        identifiers,
        ...detailsOf({
          openAccess: record['isopenaccess'],
          openAccessUrls: [readObject(record, 'openaccessinfo')['url']],
          citationCount: record['citationcount'],
        }),
        updatedAt: readTimeIfAny(record, 'updated'),
      },
      about: aboutOf([], Array.isArray(types) ? types : [], s2Fields(record)),
    };
  },
});
