import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rawTextOf } from '../../../src/ingest/xml/element.ts';
import { readXmlRecords, type XmlRecord } from '../../../src/ingest/xml/read-records.ts';
import { sourceOf } from '../read-format.ts';

interface Outcome {
  /** `line: text` or `line! problem`. */
  records: string[];
  /** What ended the file, undefined where it ended well. */
  failure: string | undefined;
}

const CHARACTERS_MAX = 1_000;
const RECORDS = ['record'];

describe('the records of a file of XML', () => {
  check([
    ['one', '<set><record>a</record></set>', ['1: a']],
    [
      'some, with their lines',
      '<set>\n<record>a</record>\n\n<record\n>b</record></set>',
      ['2: a', '4: b'],
    ],
    ['the root itself', '<record>a</record>', ['1: a']],
    ['none', '<set><other>a</other></set>', []],
    ['an empty one', '<set><record/></set>', ['1: ']],
    [
      'text in its order',
      '<s><record>a <b>bold <i>word</i></b> c<d/></record></s>',
      ['1: a bold word c'],
    ],
    ['prefixes', '<o:set xmlns:o="u"><o:record>a</o:record></o:set>', ['1: a']],
    ['prefixes that are declared nowhere', '<o:set><p:record>a</p:record></o:set>', ['1: a']],
    ['references', '<s><record>&lt;&amp;&#233;&#x1F600;</record></s>', ['1: <&é😀']],
    ['character data', '<s><record>a <![CDATA[<b> & ]]>c</record></s>', ['1: a <b> & c']],
    ['comments and instructions', '<s><record>a<!-- <record> --><?x y?>b</record></s>', ['1: ab']],
    [
      'a document type',
      '<!DOCTYPE s PUBLIC "-//N" "https://x.invalid/a.dtd"><s><record>a</record></s>',
      ['1: a'],
    ],
    [
      'a document type that declares elements',
      '<!DOCTYPE s [<!ELEMENT s ANY>]><s><record>a</record></s>',
      ['1: a'],
    ],
    ['a byte order mark', '\u{feff}<?xml version="1.0"?><s><record>a</record></s>', ['1: a']],
    ['line ends of Windows', '<s>\r\n<record>a\r\nb</record></s>', ['2: a\nb']],
    [
      'documents one after the other',
      '<s><record>a</record></s>\n<?xml version="1.0"?>\n<!DOCTYPE s>\n<s><record>b</record></s>\n',
      ['1: a', '4: b'],
    ],
    ['a comment at the end', '<s><record>a</record></s>\n<!-- end -->\n', ['1: a']],
  ]);
});

describe('a record that cannot be read', () => {
  check([
    [
      'an end tag too few',
      '<s><record>a<b></record><record>c</record></s>',
      ['1! unexpected close tag', '1: c'],
    ],
    [
      'an end tag too many',
      '<s><record>a</b></record>\n<record>c</record></s>',
      ['1! unexpected close tag', '2: c'],
    ],
    [
      'a wrong end tag',
      '<s>\n<record>\na</rekord><record>c</record></s>',
      ['2! unexpected close tag', '3: c'],
    ],
    [
      'no end',
      '<s><record>a<record>b</record>\n<record>c</record></s>',
      ['1! starts before the record has ended', '1: b', '2: c'],
    ],
    [
      'no end and broken off within a tag',
      '<s><record>a<b <record>b</record></s>',
      ['1! disallowed character', '1: b'],
    ],
    [
      'an entity that is not declared',
      '<s><record>&eacute;</record><record>b</record></s>',
      ['1! undefined entity', '1: b'],
    ],
    [
      'a bare ampersand',
      '<s><record>A & B</record><record>b;</record></s>',
      ['1! entity', '1: b;'],
    ],
    [
      'a bare ampersand and nothing that could end it',
      `<s><record>A & B</record>${'<x>a</x>'.repeat(20)}<record>b</record></s>`,
      ['1! entity', '1: b'],
    ],
    [
      'a bare ampersand in the last one',
      '<s><record>a</record>\n<record>A & B</record></s>',
      ['1: a', '2! entity'],
    ],
    [
      'a reference to no character',
      '<s><record>&#0;</record><record>b</record></s>',
      ['1! malformed character entity', '1: b'],
    ],
    [
      'a control character',
      '<s><record>\u{1}</record><record>b</record></s>',
      ['1! disallowed character', '1: b'],
    ],
    [
      'an attribute twice',
      '<s><record a="1" a="2">a</record><record>b</record></s>',
      ['1! duplicate attribute', '1: b'],
    ],
    [
      'an attribute that is not closed',
      '<s><record a="1>a</record>\n<record>b</record></s>',
      ['1! disallowed character', '2: b'],
    ],
    [
      'too long',
      `<s><record>${'a'.repeat(1100)}</record>\n<record>b</record></s>`,
      ['1! more than 1000 characters', '2: b'],
    ],
    [
      'too long an attribute',
      `<s><record a="${'a'.repeat(1100)}"/>\n<record>b</record></s>`,
      ['1! more than 1000 characters', '2: b'],
    ],
    [
      'too many attributes',
      `<s><record>a<b ${attributes(101)}/></record><record>b</record></s>`,
      ['1! more than 100 attributes', '1: b'],
    ],
    [
      'too deep',
      `<s><record>${'<b>'.repeat(100)}${'</b>'.repeat(100)}</record><record>b</record></s>`,
      ['1! nested over 100 deep', '1: b'],
    ],
    [
      'the last one',
      '<s><record>a</record><record>b</b></record></s>',
      ['1: a', '1! unexpected close tag'],
    ],
    [
      'the last one of a document',
      '<s><record>&x;</record></s><s><record>b</record></s>',
      ['1! undefined entity', '1: b'],
    ],
    [
      'cut off, with another document behind it',
      '<s><record>a</record><record>b<?xml version="1.0"?><s><record>c</record></s>',
      ['1: a', '1! XML declaration', '1: c'],
    ],
    ['what is between records', '<s>&x;<record>a</record></s>', ['1! undefined entity', '1: a']],
  ]);

  it('is resumed within the right ancestors', async () => {
    const content =
      '<s id="1"><v id="2"><record>a</record><record>&x;</record></v>' +
      '<v id="3"><record>b</record></v></s><s id="4"><record>c</record></s>';
    const around: string[] = [];
    for await (const record of records(content, 7)) {
      if ('problem' in record) continue;
      const ids = record.ancestors.map(({ attributes: { id = '' } }) => id);
      around.push(`${rawTextOf(record.element)} in ${ids.join('.')}`);
    }
    expect(around).toEqual(['a in 1.2', 'b in 1.3', 'c in 4']);
  });

  it('takes no more than so many elements', async () => {
    const content = `<s><record>${'<b/>'.repeat(200_001)}</record><record>b</record></s>`;
    const { records } = await outcomeOf(content, { charactersMax: 10_000_000 });
    expect(records).toEqual(['1! the record has more than 200000 elements, in line 1', '1: b']);
  });
});

describe('a file that cannot be read to its end', () => {
  check([
    [
      'within a record',
      '<s><record>a</record><record>b',
      ['1: a'],
      'breaks off in line 1, within <record>',
    ],
    ['within a tag', '<s>\n<record>a</record>\n<rec', ['2: a'], 'breaks off in line 3, within <s>'],
    ['between records', '<s><record>a</record>', ['1: a'], 'breaks off in line 1, within <s>'],
    [
      'after a bad record',
      '<s><record>a</record>\n<record>&x;</rec',
      ['1: a', '2! undefined entity'],
      'cannot be read from line 2 on',
    ],
    ['where it is empty', '', [], 'is no XML'],
    ['where it is blank', ' \n \n', [], 'is no XML'],
    ['where it is prose', 'The sea rises.\nAnd falls.', ['1! not XML'], 'is no XML'],
    ['where it is JSON', '{"id": "a"}', ['1! not XML'], 'is no XML'],
    [
      'where it declares entities',
      '<!DOCTYPE s [<!ENTITY a "b">]><s><record>&a;</record></s>',
      [],
      'declares entities',
    ],
    [
      'where it declares entities of parameters',
      '<!DOCTYPE s [<!ENTITY % a SYSTEM "file:///etc/passwd">%a;]><s/>',
      [],
      'declares entities',
    ],
    ['where it is an entity bomb', bomb(), [], 'declares entities'],
  ]);
});

it('gives the same records however the file is cut into chunks, and never throws otherwise', async () => {
  const piece = fc.constantFrom(
    ...['<s>', '</s>', '<record>', '</record>', '<record a="1">', '<b>', '</b>', '<b/>', 'text'],
    ...['\n', '\r', '\r\n', '&lt;', '&x;', '&', '<!--', '-->', '<![CDATA[', ']]>', '<', '>', 'é😀'],
    ...['<?xml version="1.0"?>', '<!DOCTYPE s>', '"', '<record', '\u{fffd}'],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece), fc.integer({ min: 1, max: 9 }), async (pieces, size) => {
      const content = `<s>${pieces.join('')}<record>last</record></s>`;
      const whole = await outcomeOf(content);
      expect(await outcomeOf(content, { chunkBytes: size })).toEqual(whole);
    }),
    { numRuns: 300 },
  );
});

it('reads a file of any size in the memory that a record takes', async () => {
  let made = 0;
  async function* chunks(): AsyncGenerator<Buffer> {
    const chunk = Buffer.from(`<record>${'a'.repeat(900)}</record>`.repeat(1_000));
    yield Buffer.from('<s>');
    for (; made < 30; made++) yield chunk;
    yield Buffer.from('</s>');
  }
  let count = 0;
  let ahead = 0;
  const options = { path: 'file', records: RECORDS, recordCharactersMax: CHARACTERS_MAX };
  for await (const record of readXmlRecords(chunks(), options)) {
    if ('element' in record) count++;
    ahead = Math.max(ahead, made * 1_000 - count);
  }
  expect(count).toBe(30_000);
  expect(ahead).toBeLessThan(1_000);
});

type Row = [what: string, content: string, records: string[], failure?: string];

function check(rows: Row[]): void {
  it.each(rows)('%s', async (_, content, expected, failure) => {
    for (const chunkBytes of [1, 5, 100_000]) {
      const outcome = await outcomeOf(content, { chunkBytes });
      expect(outcome.records).toHaveLength(expected.length);
      for (const [index, record] of outcome.records.entries()) {
        const [line, reason] = expected[index]?.split('! ') ?? [];
        if (reason === undefined) expect(record).toBe(line);
        else expect(record).toMatch(new RegExp(`^${line}! .*${reason}`));
      }
      if (failure === undefined) expect(outcome.failure).toBeUndefined();
      else expect(outcome.failure).toContain(`file ${failure}`);
    }
  });
}

async function outcomeOf(
  content: string,
  { chunkBytes = 64_000, charactersMax = CHARACTERS_MAX } = {},
): Promise<Outcome> {
  const outcome: Outcome = { records: [], failure: undefined };
  try {
    for await (const record of records(content, chunkBytes, charactersMax)) {
      const { line } = record;
      outcome.records.push(
        'problem' in record
          ? `${line}! ${record.problem}`
          : `${line}: ${rawTextOf(record.element)}`,
      );
    }
  } catch (error) {
    expect(error).toMatchObject({ code: 'unreadable_input' });
    outcome.failure = (error as Error).message;
  }
  return outcome;
}

function records(
  content: string,
  chunkBytes: number,
  recordCharactersMax = CHARACTERS_MAX,
): AsyncGenerator<XmlRecord> {
  const source = sourceOf(content, chunkBytes);
  return readXmlRecords(source.chunks(), { path: 'file', records: RECORDS, recordCharactersMax });
}

function attributes(count: number): string {
  return Array.from({ length: count }, (_, index) => `a${index}="1"`).join(' ');
}

/** Ten entities, each of ten of the one before. */
function bomb(): string {
  const entities = Array.from(
    { length: 10 },
    (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`,
  );
  return `<!DOCTYPE s [<!ENTITY e0 "ha">${entities.join('')}]><s><record>&e10;</record></s>`;
}
