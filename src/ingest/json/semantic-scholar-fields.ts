/** Reads fields shared by the data sets and the API of Semantic Scholar's Academic Graph. Pure. */

import { identifiersOf } from '../../identity/identifiers.ts';
import type { Identifiers } from '../../types.ts';
import { firstText, type JsonRecord, readObject, readObjects } from './fields.ts';

/**
 * The identifiers of a record: its corpus id, and the external ids in the record or in its
 * open-access information. The data sets write names in lower case, the API does not.
 */
export function s2Identifiers(record: JsonRecord): Identifiers {
  const external: JsonRecord = {};
  const nested = [readObject(readObject(record, 'openaccessinfo'), 'externalids')];
  const own = ['externalids', 'externalIds'].map((field) => readObject(record, field));
  for (const ids of [...nested, ...own]) {
    for (const [scheme, id] of Object.entries(ids)) external[scheme.toLowerCase()] = id;
  }
  return identifiersOf({
    doi: external['doi'],
    arxiv: external['arxiv'],
    acl: external['acl'],
    pmid: external['pubmed'],
    pmcid: external['pubmedcentral'],
    s2: record['corpusid'] ?? record['corpusId'] ?? external['corpusid'],
  });
}

/** The fields of study of a record, as the API and the data sets name them. */
export function s2Fields(record: JsonRecord): unknown[] {
  const classified = ['s2FieldsOfStudy', 's2fieldsofstudy'].flatMap((name) =>
    readObjects(record, name).map(({ category }) => category),
  );
  const others = record['fieldsOfStudy'];
  return [...classified, ...(Array.isArray(others) ? others : [])];
}

/** An author's name, whole or from its parts (S2ORC); '' without one. */
export function s2Name({ name, first, middle, last, suffix }: JsonRecord): string {
  const parts = [first, ...(Array.isArray(middle) ? middle : [middle]), last, suffix];
  return firstText(
    name,
    parts
      .map((part) => firstText(part))
      .filter((part) => part !== '')
      .join(' '),
  );
}
