/**
 * Converts the markup of providers to plain text. It removes tags (HTML, JATS, MathML), decodes
 * entities (even if they were encoded up to three times), removes control and bidi characters, and
 * collapses white space. Every quoted sentence is a substring of the result. The time is linear in
 * the length of any text.
 */
import { decodeHTMLStrict } from 'entities';
import { BLOCK_NAMES, INLINE_NAMES } from '../../text/markup-names.ts';

/** Tag names without a prefix. Anything else in angle brackets is text, such as "p <x> q". */
const TAG_NAMES = [
  ...[...BLOCK_NAMES, ...INLINE_NAMES],
  // Tags of web pages.
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

/** Elements whose content is not running text: headings, code, the second form of a formula. */
const DROPPED = new Set([
  ...['title', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ...['label', 'annotation', 'annotation-xml', 'script', 'style'],
]);
/** Elements that separate their neighbors by a space, without ending a paragraph. */
const SPACED = new Set(['br', 'break', 'td', 'mspace', 'disp-formula']);
/** Elements that end a paragraph. */
const BLOCKS = new Set(BLOCK_NAMES.filter((name) => !SPACED.has(name)));

/** Marks the border of two blocks until white space is collapsed. */
const PARAGRAPH = '\u2029';

/**
 * Invisible characters, which can make a text look different from what it says: control characters,
 * bidi marks, embeddings and isolates, soft hyphens, zero-width spaces, tag characters.
 */
const INVISIBLE =
  /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|(?!\s)\p{Cc}/gu;

/** Records that went through three systems have entities that were encoded three times. */
const DECODING_ROUNDS_MAX = 3;

/** A text of one paragraph, such as a title, a name, or a sentence. */
export function plainLine(markup: string): string {
  return paragraphsOf(markup).join(' ');
}

/** A text with a blank line between the paragraphs that its tags mark. */
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
    .replace(INVISIBLE, '')
    .split(PARAGRAPH)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '');
}

function withoutTags(text: string): string {
  if (!text.includes('<')) return text;
  const hasMathML = /<(?:[a-z]+:)?math\b/i.test(text);
  let kept = '';
  let from = 0;
  /** The element, or `<!--`, whose content is being skipped. */
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
  // A TeX formula is dropped only if the same formula is there in MathML.
  return DROPPED.has(name) || (name === 'tex-math' && hasMathML);
}
