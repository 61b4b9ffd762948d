/**
 * An element as the object that a source writes in its place in JSON, for sources that answer both
 * with the same fields. Pure.
 */
import type { JsonRecord } from '../json/fields.ts';
import type { XmlElement } from './element.ts';
import { markupOf } from './markup-of.ts';

/** Elements in a text that say how it looks. */
const FORMATTING = /^(?:i|b|u|em|strong|sub|sup|p|br|h\d|italic|bold)$/;

/**
 * Its children by name: objects, or texts, in which markup stays. Those in `lists` are arrays, also
 * where there is one; of others that come several times it is the first.
 */
export function fieldsOfElement(element: XmlElement, lists: readonly string[]): JsonRecord {
  const fields: JsonRecord = {};
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const value = isText(child) ? textWithMarkup(child) : fieldsOfElement(child, lists);
    const before = fields[child.name];
    if (Array.isArray(before)) before.push(value);
    else fields[child.name] = lists.includes(child.name) ? [value] : (before ?? value);
  }
  return fields;
}

function isText({ children }: XmlElement): boolean {
  return children.every((child) => typeof child === 'string' || FORMATTING.test(child.name));
}

/** Markup that was escaped as a whole is text here, and stays as it is. */
function textWithMarkup(element: XmlElement): string {
  const isPlain = element.children.every((child) => typeof child === 'string');
  return isPlain ? element.children.join('').trim() : markupOf(element).trim();
}
