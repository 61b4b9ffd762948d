/**
 * What repositories answer to OAI-PMH harvesting in Dublin Core, the format that all of them have
 * (openarchives.org); pages may follow each other in one file. arXiv's answers are in arxiv-oai.ts.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import type { Entry, Format } from '../read/packed-format.ts';
import { aboutOf } from '../values/about.ts';
import { detailsOf } from '../values/details.ts';
import { readDublinCore, typeThatIsNoPaper } from '../xml/dublin-core.ts';
import { childOf, childrenOf, textOf, type XmlElement } from '../xml/element.ts';
import { isOfOai, type OaiRecord, readOaiRecords } from '../xml/oai-records.ts';

export const oaiDcFormat: Format = {
  name: 'oai-dc',
  description: 'answers of repositories to OAI-PMH harvesting, as oai_dc',
  recognizes: (head) => isOfOai(head) && /oai_dc\b|[<:]dc[\s>]/.test(head.text),
  async *entries(source, limits) {
    for await (const record of readOaiRecords(source, limits)) {
      yield 'problem' in record ? record : readRecord(record);
    }
  },
};

function readRecord({ line, identifier, isDeleted, updatedAt, metadata }: OaiRecord): Entry {
  if (isDeleted) return { line, ...deletionOf(identifier) };
  const dc = childOf(metadata, 'dc');
  if (dc === undefined) {
    return { line, problem: 'the metadata are not oai_dc', reason: 'malformed' };
  }
  const type = typeThatIsNoPaper(dc);
  if (type !== undefined)
    return { line, problem: `not a paper but ${type}`, reason: 'not_a_paper' };
  const found = readDublinCore(dc);
  return {
    line,
    document: {
      ...found,
      id: documentIdOf(found.identifiers, identifier),
      ...detailsOf({ types: typesOf(dc) }),
      updatedAt,
    },
    about: aboutOf(childrenOf(dc, 'language').map(textOf), typesOf(dc)),
  };
}

/** A deletion can be applied only if the repository's name for the record contains a DOI. */
function deletionOf(identifier: string) {
  const deletion = identifiersOf({ doi: /\b10\.\d{4,9}\/\S+$/.exec(identifier)?.[0] });
  if (deletion.doi !== undefined) return { deletion };
  const problem = `deleted, and without a DOI: ${identifier.slice(0, 100)}`;
  return { problem, reason: 'not_a_paper' as const };
}

/** The types in words, and those in the vocabulary of OpenAIRE: `info:eu-repo/semantics/article`. */
function typesOf(dc: XmlElement): string[] {
  return childrenOf(dc, 'type').map((type) =>
    textOf(type).replace(/^info:eu-repo\/semantics\//, ''),
  );
}
