/**
 * Metadata of S2ORC until 2020 (github.com/allenai/s2orc), one JSON object per line. The fields
 * resemble those of the verbatim format. `paper_id` is Semantic Scholar's corpus id.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import { yearOf } from '../json/citeproc.ts';
import { firstText, readId, readObjects, readText } from '../json/fields.ts';
import { jsonFormat } from '../json/json-format.ts';
import { s2Name } from '../json/semantic-scholar-fields.ts';
import { aboutOf } from '../values/about.ts';
import { referencesOf } from '../values/cited-works.ts';
import { markupToAbstract, markupToLine } from '../values/markup.ts';

/** Fields that no other source has together with `paper_id`. */
const OWN_FIELDS =
  'mag_id mag_field_of_study arxiv_id acl_id pmc_id pubmed_id s2_url has_pdf_parse outbound_citations'.split(
    ' ',
  );

export const s2orcMetadataFormat = jsonFormat({
  name: 's2orc-metadata',
  description: 'metadata of S2ORC as it was until 2020: JSON Lines with paper_id, mag_id, ...',
  matches: (record) =>
    'paper_id' in record && OWN_FIELDS.filter((field) => field in record).length >= 2,
  read: (record) => {
    const paperId = readId(record, 'paper_id');
    const identifiers = identifiersOf({
      doi: record['doi'],
      arxiv: record['arxiv_id'],
      acl: record['acl_id'],
      pmid: record['pubmed_id'],
      pmcid: record['pmc_id'],
      s2: paperId,
    });
    const fields = record['mag_field_of_study'];
    const cited: unknown = record['outbound_citations'];
    return {
      about: aboutOf([], [], Array.isArray(fields) ? fields : []),
      document: {
        id: documentIdOf(identifiers, paperId),
        title: markupToLine(readText(record, 'title')),
        abstract: markupToAbstract(readText(record, 'abstract')),
        year: yearOf(record['year']),
        authors: readObjects(record, 'authors')
          .map(s2Name)
          .filter((name) => name !== ''),
        venue: firstText(record['venue'], record['journal']),
        identifiers,
        ...referencesOf(
          Array.isArray(cited) ? cited.map((s2: unknown) => ({ identifiers: { s2 } })) : [],
        ),
        updatedAt: 0,
      },
    };
  },
});
