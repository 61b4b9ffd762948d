/**
 * Converts elements to the markup that values/markup.ts reads, so that paragraphs, section labels,
 * and formulas are treated alike in XML and JSON. Pure.
 */
import type { XmlElement } from './element.ts';

/**
 * The content of an element, without the children named in `without`. Each tag gets a prefix,
 * because every prefixed tag is recognized as one.
 */
export function markupOf(element: XmlElement | undefined, without: readonly string[] = []): string {
  const children = element?.children ?? [];
  return children
    .map((child) => {
      if (typeof child === 'string') return escaped(child);
      const { name } = child;
      if (without.includes(name)) return '';
      return `<x:${name}>${markupOf(child, without)}</x:${name}>`;
    })
    .join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
