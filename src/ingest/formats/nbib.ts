/** PubMed's own tagged lines, its "Save as PubMed" (.nbib), a dialect of what MEDLINE defined. */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import { withheldByPublicationTypes } from '../../identity/withheld.ts';
import type { SourceRecord } from '../../types.ts';
import {
  readTaggedRecords,
  type StartsRecord,
  type TaggedFields,
} from '../plain-text/tagged-records.ts';
import type { Format } from '../read/packed-format.ts';
import { aboutOf } from '../values/about.ts';
import { givenFirst } from '../values/author-names.ts';
import { pubmedTitle } from '../values/pubmed-title.ts';

/** Tags of PubMed's and ERIC's files. */
export const NBIB_TAG = /^([A-Z]{2,4}) {0,2}-(?: (.*)|\s*)$/s;

/** Records of ERIC have no PMID. They may follow in the same file. */
export const startsNbibRecord: StartsRecord = ({ tag, value }) =>
  tag === 'PMID' || (tag === 'OWN' && value.trim() === 'ERIC');

export const nbibFormat: Format = {
  name: 'nbib',
  description: "PubMed's tagged lines (.nbib)",
  recognizes: ({ lines }) => lines.some((line) => /^PMID- ?\d+\s*$/.test(line)),
  async *entries(source, limits) {
    const options = { tag: NBIB_TAG, first: startsNbibRecord, ...limits };
    for await (const record of readTaggedRecords(source.chunks(), options)) {
      if ('problem' in record) yield record;
      else {
        const { line, fields } = record;
        const about = aboutOf(fields.get('LA') ?? [], fields.get('PT') ?? []);
        yield { line, document: readRecord(fields), about };
      }
    }
  },
};

function readRecord(fields: TaggedFields): SourceRecord {
  const all = (tag: string): string[] => (fields.get(tag) ?? []).filter((value) => value !== '');
  const first = (tag: string): string => all(tag)[0] ?? '';
  const doi = [...all('LID'), ...all('AID')].find((value) => value.endsWith('[doi]'));
  const identifiers = identifiersOf({
    doi: doi?.replace(/\s*\[doi\]$/, ''),
    pmid: first('PMID'),
    pmcid: first('PMC'),
  });
  const withheld = withheldByPublicationTypes(all('PT'));
  return {
    id: documentIdOf(identifiers),
    title: pubmedTitle(first('TI') || first('BTI'), first('TT')),
    abstract: all('AB').join('\n\n'),
    year: Number(/\d{4}/.exec(first('DP'))?.[0] ?? 0),
    authors: [...authorsOf(all('FAU'), all('AU')), ...all('CN')],
    venue: first('JT') || first('TA'),
    identifiers,
    ...(withheld === undefined ? {} : { withheld }),
    updatedAt: dateOf(first('LR')),
  };
}

/** Full names where the record has them: "Berg, Anna M". */
function authorsOf(full: string[], short: string[]): string[] {
  return full.length === 0 ? short : full.map(givenFirst);
}

/** "20200306", the day of the last revision. */
function dateOf(text: string): number {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? [];
  return year === undefined ? 0 : Date.UTC(Number(year), Number(month) - 1, Number(day));
}
