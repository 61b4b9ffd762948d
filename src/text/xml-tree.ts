/**
 * Parses a small XML response into a tree. (`src/ingest/xml/` reads files that do not fit in memory.)
 * It drops prefixes, because services have changed them over the years. It refuses a DOCTYPE and all
 * entities except the five of XML, so nothing can be expanded. Pure.
 */
import { SaxesParser } from 'saxes';

export interface XmlElement {
  /** Without a prefix. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  /** Its own text, without that of its children. */
  text: string;
}

/** Returns the root element. Throws for malformed XML, too many levels, or a DOCTYPE. */
export function parseXmlTree(text: string, depthMax: number): XmlElement {
  const top = newElement('', {});
  const path = [top];
  const parser = new SaxesParser({ xmlns: false, position: false });
  const inner = (): XmlElement => path.at(-1) ?? top;
  const addText = (more: string): void => {
    inner().text += more;
  };
  parser.on('error', (error) => refuse(error.message));
  parser.on('doctype', () => refuse('a DOCTYPE'));
  parser.on('opentag', ({ name, attributes }) => {
    if (path.length > depthMax) refuse(`more than ${depthMax} levels`);
    const element = newElement(localName(name), attributes);
    inner().children.push(element);
    path.push(element);
  });
  parser.on('closetag', () => path.pop());
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(text).close();
  return top.children[0] ?? refuse('no element');
}

/** The first child with a name. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name);
}

export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** The text of the first child with a name. '' if there is none. */
export function textOfChild(element: XmlElement, name: string): string {
  return childOf(element, name)?.text ?? '';
}

function newElement(name: string, attributes: Record<string, string>): XmlElement {
  return { name, attributes, children: [], text: '' };
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function refuse(why: string): never {
  throw new Error(`unexpected XML: ${why}`);
}
