/**
 * Reads an XML file record by record. Memory depends on the size of a record, not of the file.
 *
 * A malformed record is reported, and reading continues at the next record:
 *
 *   parsing ──► error ──► skipping to the next known tag ──► a new parser, which is first
 *      ▲                                                     told which elements are open
 *      └───────────────────────────────────────────────────────────┘
 *
 * A file may hold several documents. Nothing is ever fetched. A file that declares its own entities
 * is rejected, because they could grow without bound.
 */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { VerbatimError } from '../../errors.ts';
import { decodeXml } from './decode.ts';
import type { XmlElement } from './element.ts';
import { namedCharacters } from './named-characters.ts';

export interface XmlReadOptions {
  /** For messages. */
  path: string;
  /** Local names of the elements to yield. One within another is an error, unless they are nested. */
  records: readonly string[];
  /**
   * Of elements that are yielded, too, unless they are in a record. After an error, reading does not
   * continue at one.
   */
  parts?: readonly string[];
  /** Whether one of the elements may be part of another. Only the outer one is yielded. */
  areNested?: boolean;
  /** Maximum length of a record, and of the text between records. */
  recordCharactersMax: number;
  /** Whether HTML's named characters are allowed: `&uuml;`. */
  areCharactersNamed?: boolean;
}

export type XmlRecord = { line: number } & (
  | {
      element: XmlElement;
      /** The enclosing elements, the root first, without children. */
      ancestors: readonly XmlElement[];
    }
  | { problem: string; reason: 'malformed' | 'too_long' }
);

/** More than any format nests, and little enough for recursive functions. */
const DEPTH_MAX = 100;
const ATTRIBUTES_MAX = 100;
/** A record of empty elements would take fifty times its length in memory. */
const ELEMENTS_PER_RECORD_MAX = 200_000;
/** Characters parsed between two checks of lengths. */
const SLICE_CHARACTERS = 64 * 1024;
/** Far longer than the name of any entity. A bare "&" looks like the start of one. */
const ENTITY_CHARACTERS_MAX = 64;
/** Longest tag name, with prefix, that is found across the end of a slice. */
const TAG_NAME_MAX = 200;

const NO_MARKUP = 'not XML: text where a document should start';
/** The parser's state after an "&" that starts an entity, unlike one in a comment. */
const IN_ENTITY = new SaxesParser().write('<a>&')['state'];
const ENTITY_WITHOUT_END = 'not well-formed XML: an "&" that starts no entity';

/** Thrown out of the callbacks of the parser. */
class RecordError extends Error {
  /** Start of the bad record, if it is not the current one. */
  line: number | undefined;
  /** Text that the parser has consumed and that must be parsed again. */
  toReparse = '';
  reason: 'malformed' | 'too_long' = 'malformed';
}
/** Thrown at the end of a document, because another one may follow. */
class RootClosed extends Error {}

interface OpenElement extends XmlElement {
  /** With its prefix. */
  rawName: string;
}

interface Reader {
  options: XmlReadOptions;
  ready: XmlRecord[];
  /** Undefined between documents and while skipping. */
  parser: SaxesParser | undefined;
  /** Lines and characters before the input of the parser. */
  lineBefore: number;
  written: number;
  /** Elements that are open, the root first. */
  open: OpenElement[];
  /** How many of them are the record and its descendants; 0 outside records. */
  recordDepth: number;
  /** Elements of the record and attributes of the tag so far. */
  elements: number;
  attributes: number;
  /** Where the tag starts. */
  tagLine: number;
  /** Parser position of the start of the record, or of the last tag outside records. */
  since: number;
  /** Parser position of the end of the last record. */
  recordEnd: number;
  /** While skipping: the pattern searched for, and the last characters seen. */
  skip: { until: RegExp; tail: string; message: string; line: number } | undefined;
  rootsSeen: number;
}

/**
 * The records of a file and its malformed records, in file order. Throws `unreadable_input`, after
 * everything readable, if the file breaks off, is not XML, declares entities, or has an unsupported
 * encoding.
 */
export async function* readXmlRecords(
  chunks: AsyncIterable<Buffer>,
  options: XmlReadOptions,
): AsyncGenerator<XmlRecord> {
  const reader: Reader = {
    options,
    ready: [],
    parser: undefined,
    skip: undefined,
    open: [],
    rootsSeen: 0,
    lineBefore: 0,
    written: 0,
    recordDepth: 0,
    since: 0,
    recordEnd: -1,
    elements: 0,
    attributes: 0,
    tagLine: 0,
  };
  for await (const text of decodeXml(chunks, options.path)) {
    for (let start = 0; start < text.length; start += SLICE_CHARACTERS) {
      try {
        readSlice(reader, text.slice(start, start + SLICE_CHARACTERS));
      } finally {
        yield* reader.ready.splice(0);
      }
    }
  }
  try {
    // The supposed entity may contain the last records and the end of the file.
    while (reader.parser?.['state'] === IN_ENTITY) readSlice(reader, abandonEntity(reader));
  } finally {
    yield* reader.ready.splice(0);
  }
  finish(reader);
}

/** Abandons an entity that is open at the end of the file. Returns the text in it. */
function abandonEntity(reader: Reader): string {
  const { parser, lineBefore } = reader;
  if (parser === undefined) return '';
  const line = lineBefore + parser.line;
  const again = parser['entity'];
  startSkipping(reader, new RecordError(ENTITY_WITHOUT_END), line);
  reader.lineBefore = line - 1 - countLines(again);
  return again;
}

function readSlice(reader: Reader, slice: string): void {
  let rest = slice;
  while (rest !== '') {
    if (reader.skip !== undefined) rest = skipIn(reader, rest);
    else if (reader.parser === undefined) rest = beginDocument(reader, rest);
    else rest = parse(reader, reader.parser, rest);
  }
}

/** Parses up to an error, the end of the root, or a possible entity. Returns the rest. */
function parse(reader: Reader, parser: SaxesParser, text: string): string {
  const { written } = reader;
  const piece = text.slice(0, pieceLength(parser, text));
  let taken: number | undefined;
  try {
    parser.write(piece);
    taken = piece.length;
    reader.written += taken;
    if (reader.written - reader.since > reader.options.recordCharactersMax) throw tooLong(reader);
    if (parser['entity'].length > ENTITY_CHARACTERS_MAX) throw new RecordError(ENTITY_WITHOUT_END);
    return text.slice(taken);
  } catch (error) {
    const end = taken ?? Math.max(0, parser.position - written);
    const line = reader.lineBefore + parser.line;
    reader.lineBefore = line - 1;
    if (error instanceof RootClosed) {
      endDocument(reader);
      return text.slice(end);
    }
    if (!(error instanceof RecordError)) throw error;
    startSkipping(reader, error, line);
    const seen = taken === undefined ? piece.slice(0, end) : '';
    const again = textToReparse(error, { entity: parser['entity'], seen });
    reader.lineBefore -= countLines(again);
    return again + text.slice(end);
  }
}

/** Pieces end at each "&" and after each entity, so that the start of an entity is known. */
function pieceLength(parser: SaxesParser, text: string): number {
  if (parser['state'] !== IN_ENTITY) return text.indexOf('&') + 1 || text.length;
  const charactersMax = ENTITY_CHARACTERS_MAX + 1 - parser['entity'].length;
  return Math.min(text.indexOf(';') + 1 || text.length, Math.max(1, charactersMax));
}

/** Consumed text in which the next record may start. */
function textToReparse(
  mistake: RecordError,
  { entity, seen }: { entity: string; seen: string },
): string {
  if (mistake.toReparse !== '') return mistake.toReparse + seen.slice(-1);
  // In "A & B</record><record>C;", all of it looks like an entity.
  if (/\bentity\b/.test(mistake.message)) return entity + seen;
  return seen.endsWith('<') ? '<' : '';
}

function tooLong({ options, recordDepth }: Reader): RecordError {
  const what = recordDepth > 0 ? 'the record' : 'the text between two records';
  const mistake = new RecordError(
    `${what} has more than ${options.recordCharactersMax} characters`,
  );
  mistake.reason = 'too_long';
  return mistake;
}

function beginDocument(reader: Reader, text: string): string {
  const start = text.search(/[^\s\u{feff}]/u);
  reader.lineBefore += countLines(start === -1 ? text : text.slice(0, start));
  if (start === -1) return '';
  if (text[start] === '<') reader.parser = createParser(reader);
  else startSkipping(reader, new RecordError(NO_MARKUP), reader.lineBefore + 1);
  return text.slice(start);
}

function endDocument(reader: Reader): void {
  Object.assign(reader, { parser: undefined, open: [], recordDepth: 0 });
}

function createParser(reader: Reader): SaxesParser {
  const parser = new SaxesParser();
  const { records, areNested = false } = reader.options;
  if (reader.options.areCharactersNamed === true) parser.ENTITIES = namedCharacters;
  Object.assign(reader, { written: 0, since: 0, recordEnd: -1 });
  parser.on('opentagstart', ({ name }) => {
    reader.attributes = 0;
    // A line break that ends the name has already been counted.
    reader.tagLine = reader.lineBefore + parser.line - (parser.column === 0 ? 1 : 0);
    if (reader.recordDepth === 0) reader.since = parser.position;
    else if (!areNested && records.includes(localName(name))) {
      const mistake = new RecordError(`<${name}> starts before the record has ended`);
      mistake.toReparse = `<${name}`;
      throw mistake;
    }
  });
  parser.on('attribute', () => {
    if (++reader.attributes > ATTRIBUTES_MAX) {
      throw new RecordError(`a tag has more than ${ATTRIBUTES_MAX} attributes`);
    }
  });
  parser.on('opentag', (tag) => openElement(reader, tag));
  parser.on('closetag', () => closeElement(reader, parser));
  const addText = (text: string): void => {
    if (reader.recordDepth > 0) reader.open.at(-1)?.children.push(text);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('doctype', (text) => {
    if (!/<!ENTITY/.test(text)) return;
    const message = `${reader.options.path} declares entities of its own, which are not read`;
    throw new VerbatimError('unreadable_input', message);
  });
  parser.on('error', (error) => {
    const mistake = new RecordError(
      `not well-formed XML: ${error.message.replace(/^\d+:\d+: |\.$/g, '')}`,
    );
    // The parser reports a wrong end tag only after it has closed the element.
    if (reader.recordEnd === parser.position) mistake.line = reader.ready.pop()?.line;
    throw mistake;
  });
  return parser;
}

function openElement(reader: Reader, tag: SaxesTagPlain): void {
  const { open, options } = reader;
  const name = localName(tag.name);
  if (open.length === DEPTH_MAX)
    throw new RecordError(`elements are nested over ${DEPTH_MAX} deep`);
  if (open.length === 0) reader.rootsSeen++;
  const attributes = Object.fromEntries(
    Object.entries(tag.attributes).map(([key, value]) => [localName(key), value]),
  );
  const line = reader.tagLine;
  const element: OpenElement = { name, rawName: tag.name, attributes, children: [], line };
  const isYielded = options.records.includes(name) || options.parts?.includes(name) === true;
  if (isYielded && reader.recordDepth === 0) {
    reader.recordDepth = 1;
    reader.elements = 0;
  } else if (reader.recordDepth > 0) {
    if (++reader.elements > ELEMENTS_PER_RECORD_MAX) {
      throw new RecordError(`the record has more than ${ELEMENTS_PER_RECORD_MAX} elements`);
    }
    reader.recordDepth++;
    open.at(-1)?.children.push(element);
  }
  open.push(element);
}

function closeElement(reader: Reader, parser: SaxesParser): void {
  const { since, options } = reader;
  if (reader.recordDepth === 1 && parser.position - since > options.recordCharactersMax) {
    throw tooLong(reader);
  }
  const element = reader.open.pop();
  if (reader.recordDepth <= 1) reader.since = parser.position;
  if (reader.recordDepth > 0 && --reader.recordDepth === 0 && element !== undefined) {
    reader.ready.push({ line: element.line, element, ancestors: [...reader.open] });
    reader.recordEnd = parser.position;
  }
  if (reader.open.length === 0) throw new RootClosed();
}

/** Reports the error and starts to look for the next tag at which reading can continue. */
function startSkipping(reader: Reader, mistake: RecordError, line: number): void {
  const { open, recordDepth, options } = reader;
  const ancestors = open.slice(0, open.length - recordDepth);
  const where = open[ancestors.length];
  reader.ready.push({
    line: mistake.line ?? where?.line ?? line,
    reason: mistake.reason,
    problem: `${mistake.message}, in line ${line}`,
  });
  const names = [...options.records, ...ancestors.map(({ name }) => name)].map(escapeName);
  const root = ancestors[0] === undefined ? '' : `|/${escapeName(ancestors[0].rawName)}\\s*>`;
  reader.skip = {
    until: new RegExp(`<(?:\\?xml\\s|(?:[\\w.-]{1,100}:)?(${names.join('|')})[\\s/>]${root})`),
    tail: '',
    message: mistake.message,
    line,
  };
  Object.assign(reader, { parser: undefined, open: ancestors, recordDepth: 0 });
}

/** Skips to the next known tag. Returns the rest from there. */
function skipIn(reader: Reader, slice: string): string {
  const { skip } = reader;
  if (skip === undefined) return slice;
  const text = skip.tail + slice;
  const found = skip.until.exec(text);
  if (found === null) {
    skip.tail = text.slice(-TAG_NAME_MAX);
    reader.lineBefore += countLines(text) - countLines(skip.tail);
    return '';
  }
  reader.skip = undefined;
  reader.lineBefore += countLines(text.slice(0, found.index));
  if (found[0].startsWith('</')) {
    endDocument(reader);
    return text.slice(found.index + found[0].length);
  }
  resume(reader, found[1]);
  return text.slice(found.index);
}

/** Starts a parser that knows which elements enclose `name`; without a name, a new document. */
function resume(reader: Reader, name: string | undefined): void {
  const index = reader.open.findIndex((ancestor) => ancestor.name === name);
  const isRecord = name !== undefined && index === -1;
  const ancestors = isRecord ? reader.open : reader.open.slice(0, Math.max(0, index));
  reader.open = [];
  const parser = createParser(reader);
  const tags = ancestors.map(({ rawName }) => `<${rawName}>`).join('');
  parser.write(tags);
  reader.written = tags.length;
  // These have their attributes; the tags just written do not.
  reader.open = ancestors;
  reader.parser = parser;
}

/** Throws `unreadable_input` unless all documents are complete. */
function finish({ parser, skip, open, options, rootsSeen, lineBefore }: Reader): void {
  const line = lineBefore + (parser?.line ?? 1);
  const fail = (what: string): never => {
    throw new VerbatimError('unreadable_input', `${options.path} ${what}`);
  };
  if (rootsSeen === 0) fail('is no XML');
  if (skip !== undefined) fail(`cannot be read from line ${skip.line} on: ${skip.message}`);
  const innermost = open.at(-1);
  if (innermost !== undefined) fail(`breaks off in line ${line}, within <${innermost.name}>`);
}

function countLines(text: string): number {
  return text.match(/\r\n?|\n/g)?.length ?? 0;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function escapeName(name: string): string {
  return name.replace(/[^\p{L}\p{N}_]/gu, '\\$&');
}
