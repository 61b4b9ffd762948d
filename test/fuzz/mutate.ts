/**
 * Mutates texts by their structure: a text is divided into the tokens of its family, and tokens are
 * dropped, repeated, swapped, or replaced by awkward ones. Most results are still nearly valid.
 */
import fc from 'fast-check';
import { usually } from './targets/strange-text.ts';

export type Family = 'json' | 'xml' | 'lines' | 'table';

const tokenPatterns: Record<Family, RegExp> = {
  json: /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+|\s+/g,
  xml: /<[^>]*>|[^<]+/g,
  lines: /[^\n]{0,6}[-:=] |[^\n]+|\n/g,
  table: /"(?:[^"]|"")*"|[,\t\n]|[^",\t\n]+/g,
};

/** Texts that have broken programs before. */
const AWKWARD = [
  ...['', ' ', '\0', '\u{feff}', '\u{2028}', '\r', '\r\n', '\u{202e}', '\u{fffd}', '\ud800'],
  ...['a'.repeat(3_000), '𝔘𝔫𝔦'.repeat(40), 'e\u{301}'.repeat(300), 'ﷺ', '\u{0}\u{1}\u{1b}[2J'],
  ...['-1', '0', '1e999', '99999999999999999999', 'NaN', '2026-13-45', '0000', 'null', 'true'],
  ...['10.1000/', '10.1/%00', 'https://doi.org/10.1/A b', 'arXiv:9999.99999v999', 'PMC'],
  '__proto__',
] as const;

const awkwardByFamily: Record<Family, readonly string[]> = {
  json: [
    ...['{}', '[]', 'null', '"', '{"a":', '[[[[[[', '"\\ud800"', '"\\u0000"', '1E400', '-', '\\'],
    ...['"__proto__"', '{"a":1,"a":2}', '['.repeat(200), '""', '"10.1/x"', '"1999"'],
  ],
  xml: [
    ...['<', '>', '&', '&#0;', '&#x110000;', '&unknown;', '<!--', '-->', '<![CDATA[', ']]>', '<?'],
    ...['<!DOCTYPE a [<!ENTITY b "c">]>', '</', '<a b=c>', '<a b="1" b="2"/>', '<p/>', '<x:y>'],
    ...['<sub>', '</sub>', '<math><mi>x</mi></math>', '<a>'.repeat(300)],
  ],
  lines: [
    ...'TY  - |ER  - |PMID- |AB  - |DO  - |@article{|}|{|"|\\|%|#'.split('|'),
    ...['@string{a = "b"}', '@comment{', 'author = {', '= {{{{', '\\"{', '$\\sqrt{', 'PT J', 'EF'],
  ],
  table: [...['"', '""', '"""', ',', '\t', ';', '\n', '"\n', 'title', 'abstract', '=1+1', "'"]],
};

interface Edit {
  kind: 'drop' | 'repeat' | 'swap' | 'replace' | 'copy' | 'cut';
  at: number;
  other: number;
  length: number;
  awkward: number;
}

/** Up to eight edits. None leaves a text as it is. */
export const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('drop', 'repeat', 'swap', 'replace', 'copy', 'replace', 'copy', 'cut'),
    at: fc.nat(),
    other: fc.nat(),
    length: fc.integer({ min: 1, max: 6 }),
    awkward: fc.nat(),
  }),
  { maxLength: 8 },
);

/** Returns the text after the edits. */
export function mutate(text: string, family: Family, given: readonly Edit[]): string {
  let tokens: string[] = text.match(tokenPatterns[family]) ?? [];
  for (const edit of given) tokens = applyEdit(tokens, family, edit);
  return tokens.join('');
}

function applyEdit(tokens: readonly string[], family: Family, edit: Edit): string[] {
  const { kind, at, other, length, awkward } = edit;
  if (tokens.length === 0) return [];
  const [first, second] = [at % tokens.length, other % tokens.length];
  const texts = [...AWKWARD, ...awkwardByFamily[family]];
  switch (kind) {
    case 'drop':
      return tokens.toSpliced(first, length);
    case 'repeat':
      return tokens.toSpliced(first, 0, ...tokens.slice(first, first + length));
    case 'swap':
      return tokens.with(first, tokens[second] ?? '').with(second, tokens[first] ?? '');
    case 'replace':
      return tokens.with(first, texts[awkward % texts.length] ?? '');
    case 'copy':
      return tokens.with(first, tokens[second] ?? '');
    case 'cut':
      return tokens.slice(0, first);
  }
}

/** The bytes of a text in an encoding, with a byte order mark where that is usual. */
const encoders = {
  utf8: (text: string) => Buffer.from(text),
  'utf8-mark': (text: string) => Buffer.from(`\u{feff}${text}`),
  utf16le: (text: string) => Buffer.from(`\u{feff}${text}`, 'utf16le'),
  utf16be: (text: string) => Buffer.from(`\u{feff}${text}`, 'utf16le').swap16(),
  latin1: (text: string) => Buffer.from(text, 'latin1'),
};
type EncodingName = keyof typeof encoders;

/** Mostly UTF-8, as files are. */
export const encoding: fc.Arbitrary<EncodingName> = usually(
  12,
  fc.constant('utf8' as const),
  fc.constantFrom(...(Object.keys(encoders) as EncodingName[])),
);

/** Returns the bytes of a text in an encoding. */
export function encode(text: string, name: EncodingName): Buffer {
  return encoders[name](text);
}
