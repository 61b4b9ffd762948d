/**
 * MODS of libraries and repositories (loc.gov/standards/mods): one record, a collection, or records
 * in OAI-PMH.
 */
import { documentIdOf, identifiersOf } from '../../identity/identifiers.ts';
import type { EntryContent, Format } from '../read/packed-format.ts';
import { aboutOf } from '../values/about.ts';
import { givenFirst } from '../values/author-names.ts';
import { markupToAbstract, markupToLine } from '../values/markup.ts';
import { childOf, childrenOf, textOf, type XmlElement } from '../xml/element.ts';
import { markupOf } from '../xml/markup-of.ts';
import { isOfOai } from '../xml/oai-records.ts';
import { readXmlRecords } from '../xml/read-records.ts';
import { rootOf } from '../xml/root.ts';

/** Values of `typeOfResource` that are no texts. */
const NOT_TEXT = /image|sound|cartographic|notated music|three.dimensional|software|multimedia/i;

const AUTHOR = /^(?:aut|author|cre|creator|dis|dissertant)$/i;

/** The years of a person's life: "Berg, Anna, 1848-1914". */
const LIFETIME = /(?<![\s,])[\s,]*[[(]?\b\d{4}-(?:\d{4})?[\])]?\.?$/;

export const modsFormat: Format = {
  name: 'mods',
  description: 'MODS of libraries and repositories, also in OAI-PMH',
  recognizes: (head) =>
    ['mods', 'modsCollection'].includes(rootOf(head)?.name ?? '') ||
    (isOfOai(head) && /<(?:\w+:)?mods[\s>]/.test(head.text)),
  async *entries(source, limits) {
    const records = readXmlRecords(source.chunks(), {
      path: source.path,
      records: ['mods'],
      recordCharactersMax: limits.lineBytesMax,
    });
    for await (const record of records) {
      yield 'problem' in record ? record : { line: record.line, ...readRecord(record.element) };
    }
  },
};

function readRecord(mods: XmlElement): EntryContent {
  const type = textOf(childOf(mods, 'typeOfResource'));
  const genres = childrenOf(mods, 'genre').map(textOf);
  if (genres.length === 0 && NOT_TEXT.test(type)) {
    return { problem: `not a paper but ${type}`, reason: 'not_a_paper' };
  }
  const host = childrenOf(mods, 'relatedItem').find((item) => item.attributes['type'] === 'host');
  const named = (...names: string[]): string | undefined =>
    childrenOf(mods, 'identifier')
      .filter(({ attributes }) => names.includes((attributes['type'] ?? '').toLowerCase()))
      .map(textOf)[0];
  const addresses = childrenOf(mods, 'location').map((at) => textOf(childOf(at, 'url')));
  const uri = [named('uri', 'url'), named('hdl'), ...addresses];
  const identifiers = identifiersOf({
    doi: [named('doi'), ...uri].find((doi) => identifiersOf({ doi }).doi),
    arxiv: named('arxiv') ?? uri.find((address) => /\barxiv\.org\//i.test(address ?? '')),
    pmid: named('pmid', 'pubmed', 'medline'),
    pmcid: named('pmc', 'pmcid'),
  });
  const document = {
    id: documentIdOf(
      identifiers,
      textOf(childOf(mods, 'recordInfo', 'recordIdentifier')) || mods.attributes['ID'],
    ),
    title: titleOf(mods),
    abstract: markupToAbstract(preferred(childrenOf(mods, 'abstract'))),
    year: yearOf(mods) || yearOf(host),
    authors: authorsOf(mods),
    venue: titleOf(host),
    identifiers,
    updatedAt: 0,
  };
  const terms = childrenOf(mods, 'language').flatMap((language) => {
    return childrenOf(language, 'languageTerm').map(textOf);
  });
  return { document, about: aboutOf(terms, [...genres, type]) };
}

/** The main title: others have a type. */
function titleOf(element: XmlElement | undefined): string {
  const all = childrenOf(element, 'titleInfo');
  const info = all.find(({ attributes }) => attributes['type'] === undefined) ?? all[0];
  const part = (name: string): string => markupToLine(markupOf(childOf(info, name)));
  const title = [part('nonSort'), part('title')].filter((text) => text !== '').join(' ');
  const volume = [part('partNumber'), part('partName')].filter((text) => text !== '').join(': ');
  return [`${title.replace(/ ?:$/, '')}: ${part('subTitle')}`.replace(/: $/, ''), volume]
    .filter((text) => text !== '')
    .join('. ');
}

/** The English text, else the first. */
function preferred(elements: readonly XmlElement[]): string {
  const english = elements.find(({ attributes }) => /^en/i.test(attributes['lang'] ?? ''));
  return markupOf(english ?? elements[0]);
}

function yearOf(element: XmlElement | undefined): number {
  const places = [...childrenOf(element, 'originInfo'), ...childrenOf(element, 'part')];
  const dates = ['dateIssued', 'date', 'copyrightDate', 'dateCreated', 'dateOther'];
  const texts = dates.flatMap((name) =>
    places.flatMap((place) => childrenOf(place, name).map(textOf)),
  );
  const years = texts.flatMap((text) => /(?<!\d)[12]\d{3}(?!\d)|^[12]\d{3}/.exec(text)?.[0] ?? []);
  return Number(years[0] ?? 0);
}

/** The names with the role of an author, else those without any role. */
function authorsOf(mods: XmlElement): string[] {
  const named = childrenOf(mods, 'name').map((name) => ({
    name: nameOf(name),
    roles: childrenOf(name, 'role').flatMap((role) => childrenOf(role, 'roleTerm').map(textOf)),
  }));
  const authors = named.filter(({ roles }) => roles.some((role) => AUTHOR.test(role)));
  const chosen = authors.length > 0 ? authors : named.filter(({ roles }) => roles.length === 0);
  return chosen.map(({ name }) => name).filter((name) => name !== '');
}

/** Parts have types, except in "Berg, Anna" and in the names of groups. */
function nameOf(name: XmlElement): string {
  const parts = childrenOf(name, 'namePart');
  const of = (type: string | undefined): string =>
    parts
      .filter(({ attributes }) => attributes['type'] === type)
      .map(textOf)
      .filter((text) => text !== '')
      .join(' ');
  const typed = [of('given'), of('family')].filter((text) => text !== '');
  if (typed.length > 0) return typed.join(' ');
  const own = of(undefined) || textOf(childOf(name, 'displayForm'));
  return name.attributes['type'] === 'corporate' ? own : givenFirst(own.replace(LIFETIME, ''));
}
