/**
 * An XML element with its text and children in source order, and the queries that formats need.
 * Names are local: `oai:record` is a `record` whatever the prefix. Pure.
 */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: (XmlElement | string)[];
  /** Line of the start tag, from 1. */
  line: number;
}

/** Follows a path: the first child with this name, its first child with the next name, ... */
export function childOf(
  element: XmlElement | undefined,
  ...path: readonly string[]
): XmlElement | undefined {
  let found = element;
  for (const name of path) {
    found = found?.children.find(
      (child): child is XmlElement => typeof child !== 'string' && child.name === name,
    );
  }
  return found;
}

/** All children with this name. */
export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  const children = element?.children ?? [];
  return children.filter(
    (child): child is XmlElement => typeof child !== 'string' && child.name === name,
  );
}

/**
 * All text in an element, unchanged; '' for undefined. MathML is reduced to what a reader sees: no
 * white space, no TeX annotations, and a slash in fractions.
 */
export function rawTextOf(element: XmlElement | undefined): string {
  if (element === undefined || /^annotation(?:-xml)?$/.test(element.name)) return '';
  const texts = element.children.map((child) =>
    typeof child === 'string' ? child : rawTextOf(child),
  );
  if (element.name === 'mfrac') return texts.filter((text) => text.trim() !== '').join('/');
  const text = texts.join('');
  return element.name === 'math' ? text.replace(/\s+/g, '') : text;
}

/** The text on one line, with white space collapsed. */
export function textOf(element: XmlElement | undefined): string {
  return rawTextOf(element).replace(/\s+/g, ' ').trim();
}
