/**
 * Elements as the markup that values/markup.ts reads: paragraphs, labels of sections and formulas
 * of an XML file are treated as those in a text of JSON. Pure.
 */
import type { XmlElement } from './element.ts';

/**
 * What is in an element, without those of these names. Each tag has a prefix, as any tag that has
 * one is known as a tag.
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
