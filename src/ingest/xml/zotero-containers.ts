/**
 * Joins the items of Zotero's RDF with what they are part of, such as a journal. It stands within the
 * item, or as a node of its own, before or after it:
 *
 *   <bib:Article rdf:about="#item_1">... <dcterms:isPartOf rdf:resource="urn:issn:1"/></bib:Article>
 *   <bib:Journal rdf:about="urn:issn:1">... <dc:identifier>DOI 10.5555/1</dc:identifier></bib:Journal>
 */
import { identifiersOf } from '../../identity/identifiers.ts';
import { createBoundedStore } from '../values/bounded-store.ts';
import { markupToLine } from '../values/markup.ts';
import { childOf, childrenOf, rawTextOf, textOf, type XmlElement } from './element.ts';
import type { XmlRecord } from './read-records.ts';

/** Limits for remembered containers, and for items that wait for theirs. */
const CONTAINERS_MAX = 10_000;
const WAITING_MAX = 1_000;
/** Limit for the characters of either. */
const CHARACTERS_MAX = 16 * 1024 * 1024;

interface Container {
  title: string;
  doi: string;
}

interface Item {
  line: number;
  element: XmlElement;
  /** The name of the node of its own that the item is part of; '' if it has none. */
  outer: string;
}

export interface ItemInContainer extends Item {
  container: Container | undefined;
}

type Problem = Extract<XmlRecord, { problem: string }>;

/**
 * Yields the items among the nodes of a file, and the problems. An item is yielded after its container,
 * or at the end if that never comes. Beyond the limits, the oldest items go without it. Throws as the
 * nodes do, after all items.
 */
export async function* withContainers(
  nodes: AsyncIterable<XmlRecord>,
): AsyncGenerator<ItemInContainer | Problem> {
  const limits = { charactersMax: CHARACTERS_MAX };
  const containers = createBoundedStore<Container>({
    ...limits,
    entriesMax: CONTAINERS_MAX,
    charactersOf: ({ title, doi }) => title.length + doi.length,
  });
  const waiting = createBoundedStore<Item>({
    ...limits,
    entriesMax: WAITING_MAX,
    charactersOf: ({ element }) => rawTextOf(element).length,
  });
  const join = (item: Item): ItemInContainer => {
    const outer = containers.get(item.outer);
    const container = outer === undefined ? innerContainerOf(item.element) : { ...outer };
    // It belongs to the first item. Zotero writes a node of its own for each further item.
    if (outer !== undefined) outer.doi = '';
    return { ...item, container };
  };
  try {
    for await (const node of nodes) {
      if ('problem' in node) {
        yield node;
        continue;
      }
      const { line, element } = node;
      const name = element.attributes['about'] ?? '';
      const isItem = childOf(element, 'itemType') !== undefined;
      if (name !== '') {
        containers.add(name, containerOf(element, isItem));
        for (const item of waiting.take(({ outer }) => outer === name)) yield join(item);
      }
      if (!isItem) continue;
      const item = { line, element, outer: outerNameOf(element) };
      if (item.outer === '' || containers.get(item.outer) !== undefined) yield join(item);
      else for (const oldest of waiting.add(waiting.next(), item)) yield join(oldest);
    }
  } finally {
    for (const item of waiting.take(() => true)) yield join(item);
  }
}

/** The DOIs and addresses of a node, and its other identifiers with their kinds ("ISSN 2000-0001"). */
export function identifierTexts(element: XmlElement): string[] {
  return childrenOf(element, 'identifier').map((one) => textOf(one).replace(/^DOI /, ''));
}

/** Whether a text is a DOI in any spelling. */
export function isDoi(doi: string): boolean {
  return identifiersOf({ doi }).doi !== undefined;
}

/** An item keeps its DOI for itself, such as a book of which a chapter is part. */
function containerOf(element: XmlElement, isItem = false): Container {
  const doi = isItem ? undefined : identifierTexts(element).find(isDoi);
  return { title: markupToLine(rawTextOf(childOf(element, 'title'))), doi: doi ?? '' };
}

function outerNameOf(element: XmlElement): string {
  const names = partsOf(element).map(({ attributes }) => attributes['resource'] ?? '');
  return names.find((name) => name !== '') ?? '';
}

function innerContainerOf(element: XmlElement): Container | undefined {
  const inner = partsOf(element)
    .flatMap(({ children }) => children)
    .find((child): child is XmlElement => {
      return typeof child !== 'string' && !['Part', 'Series'].includes(child.name);
    });
  return inner && containerOf(inner);
}

/** An item may be in a section of its container. */
function partsOf(element: XmlElement): XmlElement[] {
  const own = childrenOf(element, 'isPartOf');
  return [...own, ...own.flatMap((part) => childrenOf(part, 'Part').flatMap(partsOf))];
}
