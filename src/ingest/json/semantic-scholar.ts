/** What the data sets of Semantic Scholar's Academic Graph have in common. Pure. */

import { identifiersOf } from '../../identity/identifiers.ts';
import type { Identifiers } from '../../types.ts';
import { type JsonRecord, readObject } from './fields.ts';

/**
 * The identifiers of a record: its corpus id, and its external ones, which stand in the record
 * itself or in what it says of open access, and are written large or small by the data set.
 */
export function s2Identifiers(record: JsonRecord): Identifiers {
  const external: JsonRecord = {};
  const places = [readObject(readObject(record, 'openaccessinfo'), 'externalids')];
  for (const ids of [...places, readObject(record, 'externalids')]) {
    for (const [scheme, id] of Object.entries(ids)) external[scheme.toLowerCase()] = id;
  }
  return identifiersOf({
    ...{ doi: external['doi'], arxiv: external['arxiv'], acl: external['acl'] },
    ...{ pmid: external['pubmed'], pmcid: external['pubmedcentral'] },
    s2: record['corpusid'] ?? external['corpusid'],
  });
}
