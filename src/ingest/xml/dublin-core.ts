/**
 * Reads Dublin Core in OAI-PMH (`oai_dc`): fifteen repeatable fields without a fixed content. Values
 * are told apart by their form. Pure.
 */
import { identifiersOf } from '../../identity/identifiers.ts';
import type { SourceRecord } from '../../types.ts';
import { markupToAbstract, markupToLine } from '../values/markup.ts';
import { childrenOf, rawTextOf, textOf, type XmlElement } from './element.ts';

/** Descriptions that are not abstracts. */
const NOT_ABSTRACT = /^(?:comment(?:s|ary)?\s*:|https?:\/\/\S+$|peer[- ]?reviewed\b)/i;

/** Types of items that are not texts. */
const NOT_TEXT =
  /(?:^|[/:\s])(?:dataset|software|image|still ?image|moving ?image|video|sound|audio|map|physical ?object|collection|patent|learning ?object|lecture)$/i;

/** The fields of a `dc` element, except the id. */
export function readDublinCore(dc: XmlElement): Omit<SourceRecord, 'id' | 'updatedAt'> {
  const texts = (name: string): string[] =>
    childrenOf(dc, name)
      .map((element) => textOf(element))
      .filter((text) => text !== '');
  const own = texts('identifier');
  return {
    title: markupToLine(preferred(dc, 'title')[0] ?? ''),
    abstract: abstractOf(dc),
    year: yearOf(texts('date')),
    authors: texts('creator').map(inOrder),
    venue: texts('source').find((text) => !/^(?:https?:|\d{4}-\d{3}[\dX])/i.test(text)) ?? '',
    // Other DOIs in `relation` may be those of cited works.
    identifiers: identifiersIn([
      ...own,
      ...texts('relation').flatMap(
        (text) => /^info:eu-repo\/semantics\/altIdentifier\/(.+)$/i.exec(text)?.[1] ?? [],
      ),
    ]),
  };
}

/** The type of a record that is not a text, such as "dataset"; undefined for a paper. */
export function typeThatIsNoPaper(dc: XmlElement): string | undefined {
  const types = childrenOf(dc, 'type').map((type) => textOf(type));
  const isText = types.some((type) => /article|text|thesis|paper|report|book|print/i.test(type));
  return isText ? undefined : types.find((type) => NOT_TEXT.test(type));
}

function identifiersIn(values: readonly string[]) {
  const bare = values.map((value) => value.replace(/^(?:urn:)?(?:doi|pmid|arxiv)[:/]\s*/i, ''));
  const marked = (pattern: RegExp): string | undefined =>
    values.find((value) => pattern.test(value));
  return identifiersOf({
    doi: [...values, ...bare].find((value) => identifiersOf({ doi: value }).doi !== undefined),
    arxiv: marked(/\barxiv(?:\.org\/|:|\/)/i)?.replace(/^arxiv\//i, ''),
    pmid: marked(/^pmid[:/]|\/\/(?:www\.)?(?:pubmed\.ncbi|ncbi)\.nlm\.nih\.gov\/(?:pubmed\/)?\d+/i),
    pmcid: marked(/^(?:pmcid[:/]\s*)?PMC\d+$|\/PMC\d+\/?$/i),
  });
}

/** The values marked as English, if any; else all. */
function preferred(dc: XmlElement, name: string): string[] {
  const all = childrenOf(dc, name);
  const english = all.filter(({ attributes }) => /^en/i.test(attributes['lang'] ?? ''));
  return (english.length > 0 ? english : all)
    .map((element) => rawTextOf(element).trim())
    .filter((text) => text !== '');
}

/** The longest description, because notes about the copy are shorter than abstracts. */
function abstractOf(dc: XmlElement): string {
  const texts = preferred(dc, 'description').filter((text) => !NOT_ABSTRACT.test(text));
  const longest = texts.reduce((best, text) => (text.length > best.length ? text : best), '');
  const paragraphs = longest.split(/\n\s*\n/).map((paragraph) => markupToAbstract(paragraph));
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
}

/** The earliest year. The others belong to revisions and to the deposit. */
function yearOf(dates: readonly string[]): number {
  const years = dates.flatMap((date) => /(?<!\d)[12]\d{3}(?!\d)/.exec(date) ?? []).map(Number);
  return years.length === 0 ? 0 : Math.min(...years);
}

/** "Berg, Anna" as "Anna Berg". */
function inOrder(name: string): string {
  const [last = '', first = '', ...rest] = name.split(/\s*,\s*/);
  return first === '' || rest.length > 0 ? name : `${first} ${last}`;
}
