/**
 * JATS articles of journals and PubMed Central (jats.nlm.nih.gov): one article, a set, or responses
 * of PMC's OAI-PMH interface. Only the front matter and the references are read. Bodies, and the
 * letters and reviews attached to an article, are ignored.
 */

import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import type { SourceRecord } from '../../types.ts';
import type { Entry, EntryContent, Format } from '../read/packed-format.ts';
import { aboutOf } from '../values/about.ts';
import { createReferenceList, type ReferenceList } from '../values/cited-works.ts';
import { detailsOf } from '../values/details.ts';
import { titledId } from '../values/local-id.ts';
import { markupToAbstract, markupToLine } from '../values/markup.ts';
import { childOf, childrenOf, textOf, type XmlElement } from '../xml/element.ts';
import { jatsReferences } from '../xml/jats-references.ts';
import { markupOf } from '../xml/markup-of.ts';
import { readXmlRecords, type XmlRecord } from '../xml/read-records.ts';
import { rootOf } from '../xml/root.ts';

/** Types of abstracts other than the main one. */
const OTHER_ABSTRACTS =
  /graphical|teaser|toc|key-?points|highlights|short|plain|lay|precis|video|web|editor|executive|objectives|stereochemical/i;

/** Types of dates by priority, from the issue to an archive. */
const DATES = ['ppub', 'print', 'collection', 'epub-ppub', 'epub', 'electronic', 'pub', ''];

export const jatsFormat: Format = {
  name: 'jats',
  description: "JATS XML of journals and of PubMed Central: one article, a set, PMC's OAI-PMH",
  recognizes: (head) => {
    const root = rootOf(head);
    if (root?.name === 'pmc-articleset') return true;
    if (root?.name === 'article' && /\sarticle-type\s*=/.test(root.attributes)) return true;
    const hasFront = /<(?:[\w.-]+:)?front[\s>]/.test(head.text);
    return hasFront && (root?.name === 'article' || root?.name === 'OAI-PMH');
  },
  async *entries(source, limits) {
    const records = readXmlRecords(source.chunks(), {
      path: source.path,
      records: ['front'],
      parts: ['ref'],
      areCharactersNamed: true,
      recordCharactersMax: limits.lineBytesMax,
    });
    yield* readArticles(records);
  },
};

/** The front matter of an article, and the references that were read after it. */
interface Article {
  article: XmlElement | undefined;
  front: XmlElement;
  references: ReferenceList;
}

/** An article waits for its references until the next record, or a problem, comes. */
async function* readArticles(records: AsyncIterable<XmlRecord>): AsyncGenerator<Entry> {
  let waiting: Article | undefined;
  const complete = (): Entry[] => {
    const entries = waiting === undefined ? [] : entriesOf(waiting);
    waiting = undefined;
    return entries;
  };
  try {
    for await (const record of records) {
      if ('problem' in record) {
        yield* complete();
        yield record;
        continue;
      }
      const { element, ancestors } = record;
      if (ancestors.some(({ name }) => name === 'sub-article' || name === 'response')) continue;
      const article = ancestors.findLast(({ name }) => name === 'article');
      if (element.name === 'front') {
        yield* complete();
        waiting = { article, front: element, references: createReferenceList() };
      } else if (waiting?.article === article) {
        for (const reference of jatsReferences(element)) waiting?.references.add(reference);
      }
    }
  } catch (error) {
    yield* complete();
    throw error;
  }
  yield* complete();
}

function entriesOf({ article, front, references }: Article): Entry[] {
  const { 'article-type': type, lang } = article?.attributes ?? {};
  const meta = childOf(front, 'article-meta');
  const retracted = type === 'retraction' ? retractedBy(meta) : [];
  if (retracted.length > 0) return retracted.map((content) => ({ line: front.line, ...content }));
  const document = {
    ...readArticle(front, meta),
    ...detailsOf({ types: [type ?? ''], orcids: contributorsOf(meta).flatMap(orcidsOf) }),
    ...references.found(),
  };
  const isRetracted =
    type === 'retracted-article' || relatedTo(meta, 'retraction-forward').length > 0;
  const about = aboutOf([lang], [type]);
  return [
    {
      line: front.line,
      document: isRetracted ? { ...document, withheld: 'retracted' } : document,
      about,
    },
  ];
}

function readArticle(front: XmlElement, meta: XmlElement | undefined): SourceRecord {
  const idOf = (...types: string[]): string =>
    textOf(
      childrenOf(meta, 'article-id').find(({ attributes }) =>
        types.includes(attributes['pub-id-type'] ?? ''),
      ),
    );
  const identifiers = identifiersOf({
    doi: idOf('doi'),
    pmid: idOf('pmid'),
    arxiv: idOf('arxiv'),
    // "pmcaid" is the id of one of its versions.
    pmcid: idOf('pmcid') || idOf('pmc'),
  });
  const title = titleOf(meta);
  const journal = childOf(front, 'journal-meta');
  return {
    id: documentIdOf(identifiers, titledId(idOf('publisher-id', 'manuscript') || 'jats', title)),
    title,
    abstract: abstractOf(meta),
    year: yearOf(meta),
    authors: authorsOf(meta),
    venue: textOf(
      childOf(journal, 'journal-title-group', 'journal-title') ?? childOf(journal, 'journal-title'),
    ),
    identifiers,
    updatedAt: 0,
  };
}

/** The title with its subtitle, without footnote marks and links. */
function titleOf(meta: XmlElement | undefined): string {
  const group = childOf(meta, 'title-group');
  const [title = '', subtitle = ''] = ['article-title', 'subtitle'].map((name) =>
    markupToLine(markupOf(childOf(group, name), ['fn', 'xref'])),
  );
  if (title === '' || subtitle === '') return title || subtitle;
  return /[.:?!–—-]$/.test(title) ? `${title} ${subtitle}` : `${title}: ${subtitle}`;
}

/** The main abstract. Translations are in `trans-abstract`, which is not read. */
function abstractOf(meta: XmlElement | undefined): string {
  const abstracts = childrenOf(meta, 'abstract');
  const typeOf = ({ attributes }: XmlElement): string => attributes['abstract-type'] ?? '';
  const own =
    abstracts.find((abstract) => typeOf(abstract) === '') ??
    abstracts.find((abstract) => !OTHER_ABSTRACTS.test(typeOf(abstract)));
  return markupToAbstract(markupOf(own, ['fn', 'label', 'object-id']));
}

function yearOf(meta: XmlElement | undefined): number {
  const dates = childrenOf(meta, 'pub-date').map((date) => {
    const { 'pub-type': type, 'publication-format': format, 'date-type': kind } = date.attributes;
    const year = Number(/\d{4}/.exec(textOf(childOf(date, 'year')))?.[0] ?? 0);
    const rank = DATES.indexOf(type ?? format ?? kind ?? '');
    return { year, rank: rank === -1 ? DATES.length : rank };
  });
  dates.sort((a, b) => a.rank - b.rank);
  return dates.find(({ year }) => year > 0)?.year ?? 0;
}

function relatedTo(meta: XmlElement | undefined, type: string): XmlElement[] {
  return childrenOf(meta, 'related-article').filter(
    ({ attributes }) => attributes['related-article-type'] === type,
  );
}

/** What a notice retracts. */
function retractedBy(meta: XmlElement | undefined): EntryContent[] {
  return relatedTo(meta, 'retracted-article').flatMap(({ attributes }): EntryContent[] => {
    const { 'ext-link-type': type, href } = attributes;
    const identifiers = identifiersOf({
      doi: type === undefined || type === 'doi' ? href : undefined,
      pmid: type === 'pubmed' || type === 'pmid' ? href : undefined,
      pmcid: type === 'pmc' || type === 'pmcid' ? href : undefined,
    });
    const isKnown = Object.keys(identifiers).length > 0;
    return isKnown ? [{ supplement: { identifiers, abstract: '', withheld: 'retracted' } }] : [];
  });
}

/** The names of the authors in order. */
function authorsOf(meta: XmlElement | undefined): string[] {
  return contributorsOf(meta)
    .flatMap(namesOf)
    .filter((name) => name !== '');
}

/** The authors, without editors and members of groups. */
function contributorsOf(meta: XmlElement | undefined): XmlElement[] {
  return childrenOf(meta, 'contrib-group')
    .filter(({ attributes }) => !/editor|review/i.test(attributes['content-type'] ?? ''))
    .flatMap((group) => childrenOf(group, 'contrib'))
    .filter(({ attributes }) => (attributes['contrib-type'] ?? 'author') === 'author');
}

function orcidsOf(contributor: XmlElement): string[] {
  return childrenOf(contributor, 'contrib-id')
    .filter(({ attributes }) => attributes['contrib-id-type'] === 'orcid')
    .map((id) => textOf(id));
}

function namesOf(contributor: XmlElement): string[] {
  const person = personOf(contributor);
  return person === '' ? groupOf(contributor) : [person];
}

function personOf(parent: XmlElement | undefined): string {
  // Alternatives are the same name in other scripts.
  const parents = [parent, childOf(parent, 'name-alternatives')];
  const person = parents
    .flatMap((place) => [childOf(place, 'name'), childOf(place, 'string-name')])
    .find((name) => name !== undefined);
  const parts = ['given-names', 'surname', 'suffix'].map((part) => textOf(childOf(person, part)));
  return parts.filter((part) => part !== '').join(' ') || textOf(person);
}

/** Elements in the name of a group that are no part of it. */
const BESIDE_GROUP =
  /^(?:contrib-group|contrib|name|string-name|name-alternatives|role|email|ext-link|address|xref|aff|fn)$/;

/** The name of a group without its members; of a group without a name, its members. */
function groupOf(contributor: XmlElement): string[] {
  const group =
    childOf(contributor, 'collab') ?? childOf(contributor, 'collab-alternatives', 'collab');
  if (group === undefined) return [];
  const isName = (child: XmlElement | string): boolean =>
    typeof child === 'string' || !BESIDE_GROUP.test(child.name);
  const name = textOf({ ...group, children: group.children.filter(isName) });
  if (/[\p{L}\p{N}]/u.test(name)) return [name.replace(/[\s:;,]+$/, '')];
  const members = [group, ...childrenOf(group, 'contrib-group')];
  const people = members.flatMap((place) => [
    ...childrenOf(place, 'contrib').map(personOf),
    ...['name', 'string-name'].flatMap((each) =>
      childrenOf(place, each).map((one) => personOf({ ...place, children: [one] })),
    ),
  ]);
  return people.filter((person) => person !== '');
}
