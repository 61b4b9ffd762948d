/** POST /v1/verify over real sockets: results, prices, and every kind of wrong request. */
import { describe, expect, it } from 'vitest';
import { useService } from '../support/use-service.ts';
import {
  addAccount,
  bearer,
  type Caller,
  expectAudited,
  expectError,
  expectRateHeaders,
  type Got,
  readUsage,
  send,
  takeRequestId,
  untilUsage,
} from './contract.ts';

const PAPER = 'sample:chemistry-haber-bosch-ammonia';
const TITLE = 'Iron-catalysed synthesis of ammonia from nitrogen and hydrogen';
const QUOTE =
  'Raising the temperature speeds it up but shifts the equilibrium towards the elements, so high pressure is needed';
const EXACT = { quote: QUOTE, id: PAPER };

/** A busy machine takes long for the expensive calls of these tests. */
const service = useService({ env: { VERBATIM_REQUEST_TIMEOUT_MS: '120000' } });
let customers = 0;

function newAccount(credits = 100, requestsPerMinute?: number): Caller {
  const email = `verify-${++customers}@example.org`;
  return addAccount(service, {
    email,
    credits,
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
  });
}

function post({ url, secret }: Caller, body: unknown): Promise<Got> {
  return send(url, {
    method: 'POST',
    path: '/v1/verify',
    headers: { ...bearer(secret), 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function verified(caller: Caller, ...items: unknown[]): Promise<Record<string, unknown>[]> {
  const got = await post(caller, { items });
  expect(got.status, got.text).toBe(200);
  const { n, items: results } = JSON.parse(got.text);
  expect(n).toBe(items.length);
  expect(results).toHaveLength(items.length);
  return results;
}

/** Each is twice as long as the one before. */
const MACROS = Array.from(
  { length: 20 },
  (_, at) => `@string{m${at + 1} = ${at === 0 ? '"{a} {b} "' : `m${at} # m${at}`}}\n`,
).join('');

describe('an input that took seconds or minutes', () => {
  const title = `title={${TITLE}}`;
  it.each<[what: string, reference: unknown, verdict: string]>([
    ['deep braces', `@article{a, title={${'{'.repeat(7000)}${'}'.repeat(7000)}}}`, 'not_found'],
    [
      'deep fractions',
      `@article{a, title={$${'\\frac{'.repeat(1500)}${'}'.repeat(1500)}$}}`,
      'not_found',
    ],
    ['blanks in the key', `@article{${' '.repeat(9900)}${'='.repeat(9900)}`, 'unreadable'],
    ['commas', `@article{a, ${title}, author={${','.repeat(19_800)}x}}`, 'match_with_errors'],
    ['hyphens', `@article{a, ${title}, author={${'a-'.repeat(9900)}}}`, 'match_with_errors'],
    ['a name of letters', { title: TITLE, authors: ['a-'.repeat(9900)] }, 'match_with_errors'],
    ['many names', { title: TITLE, authors: Array(10_000).fill('ab') }, 'match_with_errors'],
    ['macros in macros', `${MACROS}@article{a, ${title}, author=m20}`, 'match_with_errors'],
    [
      'a volume of its own',
      `@misc{a, ${title}, ${['xdata', 'crossref'].map((name) => `${name}={${'a,'.repeat(4000)}}`)}}`,
      'match',
    ],
    [
      'chapters of one volume',
      `@book{b, title={${'$x$ '.repeat(1000)}}}${'@inbook{c, crossref=b}\n'.repeat(600)}`,
      'unreadable',
    ],
    ['dots', `some words ${'.'.repeat(19_000)}x. More words`, 'not_found'],
  ])('%s', async (_what, reference, verdict) => {
    const items = Array(typeof reference === 'string' ? 3 : 1).fill({ reference });
    const results = await verified(newAccount(), ...items);
    expect(results.map((result) => result['verdict'])).toEqual(items.map(() => verdict));
  });
});

describe('a call', () => {
  it('answers each item in its place and costs one credit', async () => {
    const caller = newAccount();
    const got = await post(caller, {
      items: [
        EXACT,
        { reference: `@article{a, title = {${TITLE}}, year = {2026}}` },
        { reference: { title: 'A paper that nobody ever wrote about anything', year: 2020 } },
      ],
    });
    expect(got.status, got.text).toBe(200);
    expect(got.headers['content-type']).toBe('application/json');
    expect(got.headers['x-credit-balance']).toBe('99');
    expectRateHeaders(got, true);
    takeRequestId(got);
    const { items } = JSON.parse(got.text);
    expect(items).toMatchObject([
      { kind: 'quote', verdict: 'exact', d: PAPER, t: TITLE, wording: QUOTE, in: 'abstract' },
      { kind: 'reference', verdict: 'match', format: 'bibtex', d: PAPER },
      { kind: 'reference', verdict: 'not_found', format: 'json' },
    ]);
    await untilUsage(caller, { requests: 1, credits: 1, balance: 99 });
    await expectAudited(service.database);
  });

  it('is free if nothing could be said of any item', async () => {
    const caller = newAccount();
    const got = await post(caller, {
      items: [
        { quote: 'no paper in the index has these invented words', id: '10.5555/not-indexed' },
        { quote: 'too short' },
        { reference: '@article{broken, title = {It' },
      ],
    });
    expect(got.status, got.text).toBe(200);
    expect(got.headers['x-credit-balance']).toBe('100');
    const { items } = JSON.parse(got.text);
    expect(items.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      'not_indexed',
      'unreadable',
      'unreadable',
    ]);
    expect(items[1].reason).toContain('at least 3 words');
    expect(await readUsage(caller)).toMatchObject({ credits: 0, balance: 100 });
    await expectAudited(service.database);
  });

  it('many at once cannot spend more than the balance', async () => {
    const caller = newAccount(3);
    const all = await Promise.all(
      Array.from({ length: 8 }, () => post(caller, { items: [EXACT] })),
    );
    expect(all.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(all.filter(({ status }) => status === 402)).toHaveLength(5);
    await untilUsage(caller, { credits: 3, balance: 0 });
    await expectAudited(service.database);
  });
});

it('customers take turns: many expensive calls of one do not hold up another', async () => {
  const authors = 'Ab, B. and '.repeat(1700);
  const expensive = { reference: `@article{a, title={${TITLE}}, author={${authors}}}` };
  const answered: string[] = [];
  const call = async (name: string, caller: Caller, items: unknown[]): Promise<void> => {
    await verified(caller, ...items);
    answered.push(name);
  };
  const [one, another] = [newAccount(), newAccount()];
  const calls = Array.from({ length: 8 }, () => call('one', one, [expensive]));
  await Promise.all([...calls, call('another', another, [EXACT])]);
  // After the call that runs, and perhaps the next one, but not at the end of the line.
  expect(answered.indexOf('another')).toBeLessThan(calls.length / 2);
});

describe('quotes', () => {
  it.each([
    [
      'other quotation marks, dashes and blanks',
      `“${QUOTE.replace(' but ', ' \n but ')}.”`,
      'exact',
    ],
    ['another word', QUOTE.replace('elements', 'products'), 'near'],
    ['another case', QUOTE.replace('Raising', 'raising'), 'near'],
    [
      'half of the words',
      QUOTE.split(' ')
        .filter((_, at) => at % 2)
        .join(' '),
      'not_found',
    ],
  ])('with %s', async (_, quote, verdict) => {
    const [result] = await verified(newAccount(), { quote, id: PAPER });
    expect(result).toMatchObject({ verdict, d: PAPER, coverage: 'title_and_abstract' });
  });

  it('tell what differs, and the wording of the source', async () => {
    const quote = QUOTE.replace('elements', 'products');
    const [result] = await verified(newAccount(), { quote, id: PAPER });
    expect(result).toMatchObject({
      verdict: 'near',
      wording: QUOTE,
      diff: [
        ['=', QUOTE.slice(0, QUOTE.indexOf('elements') - 1)],
        ['-', 'products'],
        ['+', 'elements'],
        ['=', QUOTE.slice(QUOTE.indexOf('elements') + 8)],
      ],
    });
  });

  it('of another paper are elsewhere, and name it', async () => {
    const [result] = await verified(newAccount(), {
      quote: QUOTE,
      id: 'sample:psychology-sleep-and-forgetting',
    });
    expect(result).toMatchObject({ verdict: 'elsewhere', d: PAPER, wording: QUOTE });
  });

  it('are found without an id', async () => {
    const [result] = await verified(newAccount(), { quote: QUOTE });
    expect(result).toMatchObject({ verdict: 'exact', d: PAPER });
  });
});

describe('references', () => {
  it('come back corrected in their own format', async () => {
    const ris = `TY  - JOUR\nTI  - ${TITLE}\nAU  - Nobody, Ned\nPY  - 1901\nER  - `;
    const [result] = await verified(newAccount(), { reference: ris });
    expect(result).toMatchObject({ verdict: 'match_with_errors', format: 'ris', d: PAPER });
    const { corrected } = result as { corrected: string };
    expect(corrected).toContain(`TI  - ${TITLE}\n`);
    expect(corrected).toContain('PY  - 2026\n');
    expect(corrected).not.toContain('Nobody');
  });

  it('with an identifier that no record has say so', async () => {
    const [result] = await verified(newAccount(), {
      reference: { title: TITLE, doi: '10.5555/not-there', year: 2026 },
    });
    expect(result).toMatchObject({ verdict: 'match_unverified', reason: expect.any(String) });
    expect(result?.['fields']).toContainEqual({
      field: 'doi',
      verdict: 'unverified',
      cited: '10.5555/not-there',
    });
  });
});

describe('a wrong request', () => {
  it.each<[what: string, body: unknown, message: string]>([
    ['no JSON', '{', 'expected a JSON object in UTF-8, got a body that is not JSON'],
    ['an array', [], 'expected a JSON object, got an array'],
    ['no items', {}, 'items: expected an array, got nothing'],
    ['empty items', { items: [] }, 'items: expected at least one item, got none'],
    [
      '101 items',
      { items: Array.from({ length: 101 }, () => EXACT) },
      'items: expected at most 100 items, got 101',
    ],
    [
      'an unknown name',
      { items: [EXACT], limit: 5 },
      'the request: unknown field "limit", known are items, include, lanes',
    ],
    [
      'an unknown addition',
      { items: [EXACT], include: 'verdict' },
      'include: unknown name "verdict", expected assessment',
    ],
    ['an item that is text', { items: ['x'] }, 'items[0]: expected an object, got a string'],
    ['an item that is null', { items: [EXACT, null] }, 'items[1]: expected an object, got null'],
    [
      'an empty item',
      { items: [{}] },
      'items[0]: expected quote, reference, or references, got none',
    ],
    [
      'an item with both',
      { items: [{ quote: 'a b c', reference: 'x' }] },
      'items[0]: expected either quote or reference, got both',
    ],
    [
      'an unknown name in an item',
      { items: [{ quote: 'a b c', doi: 'x' }] },
      'items[0]: unknown field "doi", known are quote, id',
    ],
    [
      'an unknown name in a reference',
      { items: [{ reference: { title: 'x', journal: 'y' } }] },
      'items[0].reference: unknown field "journal", known are title, authors, year, venue, doi, arxiv, pmid, pmcid, acl, openalex, s2',
    ],
    [
      'a quote of another type',
      { items: [{ quote: 5 }] },
      'items[0].quote: expected a string, got the number 5',
    ],
    [
      'an empty quote',
      { items: [{ quote: ' ' }] },
      'items[0].quote: expected text, got an empty string',
    ],
    [
      'a long quote',
      { items: [{ quote: 'a '.repeat(2001) }] },
      'items[0].quote: expected at most 4000 characters',
    ],
    [
      'an id of another type',
      { items: [{ quote: 'a', id: {} }] },
      'items[0].id: expected a string, got an object',
    ],
    [
      'a reference of another type',
      { items: [{ reference: [1] }] },
      'items[0].reference: expected a string or an object, got an array',
    ],
    [
      'authors of another type',
      { items: [{ reference: { authors: 'x' } }] },
      'items[0].reference.authors: expected an array of strings, got a string',
    ],
    [
      'a year of another type',
      { items: [{ reference: { year: 20.5 } }] },
      'items[0].reference.year: expected a year as a number or four digits, got the number 20.5',
    ],
    [
      'a title of another type',
      { items: [{ reference: { title: null } }] },
      'items[0].reference.title: expected a string, got null',
    ],
  ])('with %s names it and is free', async (_, body, message) => {
    const caller = newAccount();
    expectError(await post(caller, body), { status: 400, code: 'bad_request', message });
    expect(await readUsage(caller)).toMatchObject({ credits: 0, balance: 100 });
  });

  it('that is too large gets a 413', async () => {
    const got = await post(newAccount(), { items: [{ quote: 'a'.repeat(1024 * 1024) }] });
    expect(got.status).toBe(413);
  });

  it('without a key, credit, or rate is told so', async () => {
    const { url } = newAccount();
    const wrong = await post({ url, secret: 'sk_live_wrong' }, { items: [EXACT] });
    expectError(wrong, {
      status: 401,
      message: 'invalid or revoked api key',
      authenticated: false,
      headers: { 'www-authenticate': /^Bearer/ },
    });
    expectError(await post(newAccount(0), { items: [EXACT] }), {
      status: 402,
      message: 'insufficient credit balance — top up to continue',
      headers: { 'x-credit-balance': '0' },
    });
    const slow = newAccount(5, 1);
    expect((await post(slow, { items: [EXACT] })).status).toBe(200);
    expect((await post(slow, { items: [EXACT] })).status).toBe(429);
    const got = await send(url, { path: '/v1/verify', headers: bearer(slow.secret) });
    expect(got.status).toBe(405);
  });

  it('with lone surrogates, controls, or deep nesting is answered like any other', async () => {
    const caller = newAccount();
    const items = [
      { quote: '\ud800 xqa xqb xqc \udfff', id: '\ud800' },
      { quote: '\0\u0001\u202e xqa xqb xqc' },
      { reference: '\ud800 '.repeat(50) },
      { reference: '@article{\ud800, title = {\udfff}}' },
      { reference: `@article{k, title = {${'{'.repeat(500)}a${'}'.repeat(500)}}}` },
      { reference: { type: 'article', title: 'x', author: [null, 5, { family: 5 }], issued: {} } },
      { reference: '('.repeat(19_000) },
      { reference: `${'A. B. '.repeat(3_000)}` },
    ];
    const results = await verified(caller, ...items);
    for (const { verdict } of results)
      expect(['not_indexed', 'unreadable', 'not_found', 'possible_match']).toContain(verdict);
  });
});
