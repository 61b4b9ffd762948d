/**
 * An element of XML with what is in it, text and elements in the order of the source, and the few
 * questions that formats ask it. Names are local: whatever prefix a source uses, `oai:record` is
 * a `record`. Pure.
 */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: (XmlElement | string)[];
  /** Where its start tag is, counted from 1. */
  line: number;
}

/** The first child with this name, then the first of that one's children with the next, ... */
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
 * All text in an element and in what it holds, as it stands; '' where there is no element. Of
 * MathML it is what a reader sees: without the printer's white space, the TeX for machines and
 * with the bar of a fraction.
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

/** The same on one line: a line break or indentation of the source is a blank. */
export function textOf(element: XmlElement | undefined): string {
  return rawTextOf(element).replace(/\s+/g, ' ').trim();
}
