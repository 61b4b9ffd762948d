/** Converts an element to the object that the source's JSON has in its place. Pure. */
import type { JsonRecord } from '../json/fields.ts';
import type { XmlElement } from './element.ts';
import { markupOf } from './markup-of.ts';

/** Elements that only format text. */
const FORMATTING = /^(?:i|b|u|em|strong|sub|sup|p|br|h\d|italic|bold)$/;

/**
 * The children by name, as objects or as texts that keep their markup. Names in `lists` become
 * arrays, even of one item. Of other repeated names the first counts.
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

/** Markup that was escaped as a whole is plain text, and stays as it is. */
function textWithMarkup(element: XmlElement): string {
  const isPlain = element.children.every((child) => typeof child === 'string');
  return isPlain ? element.children.join('').trim() : markupOf(element).trim();
}
