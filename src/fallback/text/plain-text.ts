/**
 * From what providers send to plain text: without tags (HTML, JATS, MathML), with entities
 * decoded (also those encoded twice or three times), without control and bidi characters, with
 * runs of white space as one space. A sentence that is quoted is a substring of what this returns.
 * Pure, and linear in the length of the text whatever it holds.
 */
import { decodeHTMLStrict } from 'entities';
import { BLOCK_NAMES, INLINE_NAMES } from '../../text/markup-names.ts';

/** Names that are tags without a prefix too; anything else in angle brackets is text: "p <x> q". */
const TAG_NAMES = [
  ...[...BLOCK_NAMES, ...INLINE_NAMES],
  // Of web pages.
  ...['img', 'mark', 'script', 'style', 'tbody', 'td'],
];
const TAG = new RegExp(
  [
    '<!--|-->|<!\\[CDATA\\[|\\]\\]>',
    `<(?<close>/?)(?:[a-z][\\w-]{0,20}:(?<prefixed>[a-z][\\w-]{0,40})|(?<name>${TAG_NAMES.join('|')}))` +
      '(?:\\s+[\\w:.-]+\\s*=[^<>]*)?\\s*(?<empty>/?)>',
  ].join('|'),
  'gi',
);

/** Elements whose content is no running text: headings, code, the second form of a formula. */
const DROPPED = new Set([
  ...['title', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ...['label', 'annotation', 'annotation-xml', 'script', 'style'],
]);
/** Elements between whose neighbors there is a blank, and no paragraph ends. */
const SPACED = new Set(['br', 'break', 'td', 'mspace', 'disp-formula']);
/** Elements that stand apart from the text around them. */
const BLOCKS = new Set(BLOCK_NAMES.filter((name) => !SPACED.has(name)));

/** Stands for the border of two blocks until white space has been collapsed. */
const PARAGRAPH = '\u2029';

/**
 * Not to be seen, and able to make a text read differently from what it says: control characters,
 * bidi marks, embeddings and isolates, soft hyphens, zero-width spaces, tag characters.
 */
const UNSEEN =
  /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|(?!\s)\p{Cc}/gu;

/** An entity of an entity of an entity, as records that went through three systems have. */
const DECODING_ROUNDS_MAX = 3;

/** A text of one paragraph: a title, a name, a sentence. */
export function plainLine(markup: string): string {
  return paragraphsOf(markup).join(' ');
}

/** A text whose paragraphs, where tags tell them apart, have a blank line between them. */
export function plainText(markup: string): string {
  return paragraphsOf(markup).join('\n\n');
}

function paragraphsOf(markup: string): string[] {
  let text = markup.toWellFormed();
  for (let round = 0; round < DECODING_ROUNDS_MAX; round++) {
    const decoded = decodeHTMLStrict(withoutTags(text)).toWellFormed();
    if (decoded === text) break;
    text = decoded;
  }
  return withoutTags(text)
    .replace(UNSEEN, '')
    .split(PARAGRAPH)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '');
}

function withoutTags(text: string): string {
  if (!text.includes('<')) return text;
  const hasMathML = /<(?:[a-z]+:)?math\b/i.test(text);
  let kept = '';
  let from = 0;
  /** The element, or `<!--`, whose content is being passed over. */
  let dropping = '';
  for (const match of text.matchAll(TAG)) {
    const [tag] = match;
    const { close, prefixed, name: bare, empty } = match.groups ?? {};
    const name = (prefixed ?? bare ?? '').toLowerCase();
    if (dropping === '') kept += text.slice(from, match.index);
    from = match.index + tag.length;
    if (dropping !== '') {
      if (dropping === '<!--' ? tag === '-->' : close === '/' && name === dropping) dropping = '';
    } else if (tag === '<!--') dropping = tag;
    else if (tag === '-->') kept += tag;
    else if (isDropped(name, hasMathML) && close === '' && empty === '') {
      dropping = name;
      if (BLOCKS.has(name)) kept += PARAGRAPH;
    } else if (BLOCKS.has(name) || isDropped(name, hasMathML)) kept += PARAGRAPH;
    else if (SPACED.has(name)) kept += ' ';
  }
  return dropping === '' ? kept + text.slice(from) : kept;
}

function isDropped(name: string, hasMathML: boolean): boolean {
  // A formula in TeX stands beside the same one in MathML; alone it is all there is of it.
  return DROPPED.has(name) || (name === 'tex-math' && hasMathML);
}
