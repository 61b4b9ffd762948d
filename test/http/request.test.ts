/** The fields of a search request. */
import { describe, expect, it } from 'vitest';
import { type CreatedKey, createCustomer } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { type Caller, expectError, type Got, search, send } from './contract.ts';

const CREDITS = 100_000;
const EMOJI = '\u{1F9EA}';
const LONE_SURROGATE = '\ud83e';

let key: CreatedKey;
let caller: Caller;

const service = useService({
  fill: (database) => {
    key = createCustomer(database, { credits: CREDITS });
  },
  env: { VERBATIM_REQUESTS_PER_MINUTE: '100000' },
  ready: (service) => {
    caller = { url: service.url, secret: key.secret };
  },
});

interface Answer {
  n: number;
  results: { ab?: string; q: string }[];
}

function expectAnswer(got: Got): Answer {
  expect(got.status, got.text).toBe(200);
  return JSON.parse(got.text) as Answer;
}

describe('query', () => {
  it.each([
    ['a character', 'a'],
    ['2,048 characters', 'a'.repeat(2048)],
    ['2,048 emoji, which are 4,096 UTF-16 units', EMOJI.repeat(2048)],
    ['2,048 characters of three bytes', '\u8a9e'.repeat(2048)],
    ['white space around a word', ' \n\t sleep \u3000 '],
    ['half a surrogate pair', `sleep ${LONE_SURROGATE}`],
    ['nothing but half a surrogate pair', LONE_SURROGATE],
  ])('accepts %s', async (_name, query) => {
    expect(expectAnswer(await search(caller, { query })).n).toBe(10);
  });

  it.each([
    ['nothing', ''],
    ['a space', ' '],
    ['tabs and line ends', '\t\r\n\v\f'],
    ['2,049 spaces', ' '.repeat(2049)],
    ['a next-line control', '\u0085'],
    ['a no-break space', '\u00a0'],
    ['an Ogham space mark', '\u1680'],
    ['spaces from en quad to hair space', '\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008'],
    ['line and paragraph separators', '\u2028\u2029'],
    ['narrow, mathematical and ideographic spaces', '\u202f\u205f\u3000'],
    ['NUL, escape and delete', '\u0000\u001b\u007f'],
    ['zero-width spaces and joiners', '\u200b\u200c\u200d\u2060\ufeff'],
    ['a soft hyphen', '\u00ad'],
    ['marks of direction', '\u200e\u200f\u202a\u202e\u2066\u2069'],
    ['fillers of Hangul', '\u115f\u1160\u3164\uffa0'],
    ['a blank pattern of Braille', '\u2800'],
    ['variation selectors', '\ufe0f\u{e0100}'],
    ['tags', '\u{e0001}\u{e0073}\u{e007f}'],
    ['combining marks without a letter', '\u0301 \u20dd\u093e'],
  ])('is empty if it contains only %s', async (_name, query) => {
    expectError(await search(caller, { query }), { status: 400, message: 'empty query' });
  });

  it.each([
    ['2,049 characters', 'a'.repeat(2049)],
    ['2,049 emoji', EMOJI.repeat(2049)],
    ['2,049 characters, the last of which are spaces', `a${' '.repeat(2048)}`],
  ])('is too long with %s', async (_name, query) => {
    expectError(await search(caller, { query }), { status: 400, message: 'query too long' });
  });

  it.each([
    ['absent', {}],
    ['null', { query: null }],
    ['a number', { query: 7 }],
    ['a boolean', { query: true }],
    ['an array', { query: ['sleep'] }],
    ['an object', { query: { text: 'sleep' } }],
  ])('returns 400 when %s and says what was expected', async (_name, body) => {
    const message = /^query: expected a string, got \w+/;
    expectError(await search(caller, body), { status: 400, message });
  });
});

describe('a query is text, never a query language', () => {
  const texts = [
    ...['"', '"sleep', '"sleep" "memory"', "'", '`', '\\', '\\"', '""""'],
    ...['title:sleep', 'title : sleep', '{title abstract} : sleep', '- title : sleep', 'nosuch:x'],
    ...['sleep*', '*', '* sleep', '^sleep', 'sleep ^ memory', 'sleep + memory', '-sleep', '+'],
    ...['NEAR(sleep memory)', 'NEAR(sleep memory, 5)', 'NEAR(', 'NEAR', ')', '(', '()', '((((('],
    ...['AND', 'OR', 'NOT', 'sleep AND', 'NOT sleep', 'sleep OR OR memory', 'a AND (b OR c) NOT d'],
    ...['sleep\u0000memory', '\u0001\u001b[31m', '\ufffd', '\u200bsleep\u2060', '\u202esleep'],
    ...[EMOJI, `sleep ${EMOJI} memory`, '\u{1F468}\u200d\u{1F469}\u200d\u{1F467}', 'e\u0301tude'],
    ...["'; DROP TABLE documents; --", '" OR 1=1 --', 'rank MATCH x', 'x\u0000" OR "y'],
    ...['%', '%s%n', '?', ':name', '@x', '$1', '#', ';', ',', '.', '/', '|', '~', '<b>', '&amp;'],
    ...[
      '[CLS]',
      '[SEP] [MASK] [PAD]',
      '[UNK]',
      '##ing',
      'constructor',
      '__proto__',
      '...',
      '\u0627',
    ],
  ];

  it.each(texts.map((text) => [JSON.stringify(text), text]))('%s', async (_name, query) => {
    expect(expectAnswer(await search(caller, { query })).n).toBe(10);
  });

  it('leaves the index intact', async () => {
    const health = JSON.parse((await send(service.url, { path: '/health' })).text);
    expect(health.documents).toBeGreaterThanOrEqual(150);
    const { results } = expectAnswer(await search(caller, { query: 'keystone predator sea star' }));
    expect(results[0]?.q).toMatch(/Paine|sea star|keystone/);
  });
});

describe('limit', () => {
  it.each([
    ['10 where it is absent', {}, 10],
    ['1', { limit: 1 }, 1],
    ['11', { limit: 11 }, 11],
    ['50', { limit: 50 }, 50],
    ['50 for 51', { limit: 51 }, 50],
    ['50 for 1,000,000', { limit: 1_000_000 }, 50],
    ['50 for a number beyond all integers', { limit: 1e300 }, 50],
    ['1 for -1', { limit: -1 }, 1],
    ['1 for a number below all integers', { limit: -1e300 }, 1],
  ])('is %s', async (_name, fields, n) => {
    const answer = expectAnswer(await search(caller, { query: 'sleep', ...fields }));
    expect(answer.n).toBe(n);
    expect(answer.results).toHaveLength(n);
  });

  it('accepts a whole number in any JSON notation', async () => {
    expect(expectAnswer(await search(caller, '{"query":"sleep","limit":2.0}')).n).toBe(2);
    expect(expectAnswer(await search(caller, '{"query":"sleep","limit":2e0}')).n).toBe(2);
  });

  it.each(['0', '-0', '0.0'])('returns limit_too_small for %s', async (limit) => {
    const got = await search(caller, `{"query":"sleep","limit":${limit}}`);
    expectError(got, { status: 400, message: 'limit must be >= 1' });
  });

  it.each([...['1.5', '0.5', '1e400', '"10"', '""', 'null', 'true', 'false', '[]', '[10]', '{}']])(
    'of %s is refused, saying what was expected',
    async (limit) => {
      const got = await search(caller, `{"query":"sleep","limit":${limit}}`);
      expectError(got, { status: 400, message: /^limit: expected an integer, got \w+/ });
    },
  );
});

describe('fields', () => {
  it.each([
    ['absent', {}, false],
    ['"abstract"', { fields: 'abstract' }, true],
    ['"abstract" with spaces', { fields: ' abstract ' }, true],
    ['"abstract" twice', { fields: 'abstract,abstract' }, true],
  ])('%s decides whether abstracts are returned', async (_name, fields, withAbstract) => {
    const { results } = expectAnswer(await search(caller, { query: 'sleep', ...fields }));
    expect(results.map((result) => 'ab' in result)).toEqual(Array(10).fill(withAbstract));
  });

  it.each([
    ['title', 'title'],
    ['abstract,venue', 'venue'],
    ['venue,abstract', 'venue'],
    ['Abstract', 'Abstract'],
    ['abstract venue', 'abstract venue'],
    ['abstract;venue', 'abstract;venue'],
    ['*', '*'],
  ])('returns 400 for "%s" and names "%s"', async (fields, named) => {
    const got = await search(caller, { query: 'sleep', fields });
    expectError(got, { status: 400, message: /^fields: / });
    expect(got.text).toContain(`"${named}"`);
  });

  it.each([...['null', '1', 'true', '["abstract"]', '{"abstract":true}']])(
    'of %s is refused, saying what was expected',
    async (fields) => {
      const got = await search(caller, `{"query":"sleep","fields":${fields}}`);
      expectError(got, { status: 400, message: /^fields: expected a string .*, got \w+/ });
    },
  );
});
