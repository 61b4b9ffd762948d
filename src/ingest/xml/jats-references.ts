/** Reads the references of JATS. Pure. */
import { normalizeDoi } from '../../identity/identifiers.ts';
import { printReference, type WrittenReference } from '../values/cited-works.ts';
import { textOf, type XmlElement } from './element.ts';

/** Elements for a work. The alternatives are one work in several forms. */
const CITATION = /^(?:(?:element-|mixed-|nlm-)?citation|citation-alternatives)$/;

/** Those with the punctuation of the journal. */
const PRINTED = /^(?:mixed-)?citation$/;

/** The works in a `ref`, which has several where the journal prints them as one item. */
export function jatsReferences(ref: XmlElement): WrittenReference[] {
  return elementsIn(ref)
    .filter(({ name }) => CITATION.test(name))
    .map(referenceOf);
}

function referenceOf(citation: XmlElement): WrittenReference {
  const within = descendantsOf(citation);
  const texts = (...names: string[]): string[] =>
    within.filter(({ name }) => names.includes(name)).map((element) => textOf(element));
  const idOf = (...types: string[]): string =>
    textOf(
      within.find(
        ({ name, attributes }) =>
          name === 'pub-id' && types.includes(attributes['pub-id-type'] ?? ''),
      ),
    );
  const linked = within
    .filter(({ name }) => name === 'ext-link')
    .map(({ attributes }) => normalizeDoi(attributes['href'] ?? ''));
  return {
    identifiers: {
      doi: idOf('doi') || linked.find((doi) => doi !== ''),
      pmid: idOf('pmid'),
      pmcid: idOf('pmcid', 'pmc'),
      arxiv: idOf('arxiv'),
    },
    print: () => {
      const printed = [citation, ...within].find(({ name }) => PRINTED.test(name));
      if (printed !== undefined) return textOf(printed);
      const first = (...names: string[]): string => texts(...names)[0] ?? '';
      return printReference({
        authors: texts('name', 'string-name', 'collab'),
        year: first('year'),
        title: first('article-title', 'chapter-title', 'data-title'),
        venue: first('source'),
        volume: first('volume'),
        firstPage: first('fpage'),
      });
    },
  };
}

function elementsIn({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => typeof child !== 'string');
}

function descendantsOf(element: XmlElement): XmlElement[] {
  return elementsIn(element).flatMap((child) => [child, ...descendantsOf(child)]);
}
