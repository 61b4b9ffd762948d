/** The whole service with real lanes, whose providers are stubs on loopback. */
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { setKeyLanes } from '../../src/accounts/sql/api-keys.ts';
import { setNamedCustomerLanes } from '../../src/accounts/sql/customers.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { readTotals } from '../../src/index/index-facts.ts';
import { openLaneStore } from '../../src/lanes/records/lane-store.ts';
import { readSettings, type Settings } from '../../src/settings/config.ts';
import type { Answer } from '../../src/types.ts';
import { addAccount, expectAudited, type Got, ledger, search } from '../http/contract.ts';
import { inStore } from '../support/history.ts';
import { feedOf } from '../support/lanes/arxiv-stub.ts';
import { openLanes } from '../support/lanes/ask-lanes.ts';
import { works } from '../support/lanes/crossref-stub.ts';
import { type StubServer, startStub } from '../support/lanes/stub-server.ts';
import {
  copySampleIndex,
  createCustomer,
  removeDatabase,
  startService,
} from '../support/service.ts';
import { runCommandJson } from '../support/verbatim.ts';
import { type Running, serveWith, useServiceWithLanes } from './serve-with-lanes.ts';

const OUT_OF_DOMAIN = 'how do sourdough starters resist spoilage moulds';
const QUOTE = 'Sourdough starters resist spoilage moulds by making acetic acid.';
const CUSTOMERS = 40;

/** A Crossref work about sourdough. */
function workOf(name: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    DOI: `10.5555/${name}`,
    type: 'journal-article',
    title: [`Sourdough and ${name}`],
    author: [{ given: 'Ada', family: 'Berg' }],
    published: { 'date-parts': [[2020]] },
    'container-title': ['Bread'],
    abstract: `<jats:p>Of ${name}. ${QUOTE}</jats:p>`,
    ...fields,
  };
}

let crossref: StubServer;
let arxiv: StubServer;
beforeEach(async () => {
  crossref = await startStub(works([workOf('moulds'), workOf('acids')]));
  arxiv = await startStub(feedOf([]));
  return async () => {
    await crossref.close();
    await arxiv.close();
  };
});

/** Enough time on a busy machine. */
const patient: Partial<Settings> = {
  requestTimeoutMs: 120_000,
  laneTimeoutMs: 60_000,
  laneWaitMsMax: 60_000,
};

const stubbed = (): Partial<Settings> => ({
  ...patient,
  lanes: 'arxiv,web',
  webProvider: 'crossref',
  arxivUrl: arxiv.url,
  crossrefUrl: crossref.url,
});

async function serve(overrides: Partial<Settings> = {}): Promise<Running> {
  const database = await copySampleIndex();
  const settings = { ...stubbed(), ...overrides, database };
  const store = openLaneStore({ path: database, lockWaitMs: 5_000 }, readSettings(settings, {}));
  const { cache, records } = store;
  const running = await serveWith(openLanes(settings, { cache, records }), {
    ...patient,
    ...overrides,
    database,
  });
  onTestFinished(() => store.close());
  return running;
}

const asked = (): number => crossref.requests.length + arxiv.requests.length;

function answerOf(got: Got): Answer {
  expect(got.status, got.text).toBe(200);
  return JSON.parse(got.text) as Answer;
}

const outcomeOf = ({ headers }: Got): string => String(headers['x-lanes']).replace(/;.*/, '');

describe('the same question from 40 customers at once', () => {
  it('has one answer for all and takes one request to each provider', async () => {
    const running = await serve({
      laneScoringsPerThreadMax: 1,
      laneThreads: 1,
      laneSearchesMax: 1,
    });
    const customers = Array.from({ length: CUSTOMERS }, (_, i) =>
      addAccount(running, { email: `customer-${i}@example.org`, credits: 1 }),
    );
    const all = await Promise.all(
      customers.map((customer, i) =>
        // The limits of the searches differ.
        search(customer, { query: OUT_OF_DOMAIN, ...(i % 2 === 0 ? {} : { limit: 1 + (i % 3) }) }),
      ),
    );
    expect(all.map(outcomeOf)).toEqual(Array(CUSTOMERS).fill('served'));
    const [first] = all.map(answerOf);
    for (const [i, got] of all.entries()) {
      const { results } = answerOf(got);
      expect(results).toEqual(first?.results.slice(0, i % 2 === 0 ? 10 : 1 + (i % 3)));
    }
    expect([crossref.requests.length, arxiv.requests.length]).toEqual([1, 1]);
    await expectAudited(running.database);
  });
});

describe('a paper that raised concern', () => {
  it('is shown and learned with the notice', async () => {
    const updated = { 'date-parts': [[2022, 3, 4]] };
    const concern = { DOI: '10.5555/n', type: 'expression_of_concern', updated };
    crossref.answer(works([workOf('moulds', { 'updated-by': [concern] })]));
    const running = await serve({ learn: true });
    const asked = { query: OUT_OF_DOMAIN, limit: 50, include: 'retraction' };
    const { results } = answerOf(await search(running, asked));
    const notice = { kind: 'expression_of_concern', date: '2022-03-04', id: '10.5555/n' };
    const found = results.find(({ d }) => d === '10.5555/moulds');
    expect(found?.retraction).toEqual(notice);
    await running.stop();
    const learned = await runCommandJson(['paper', '10.5555/moulds', '--db', running.database]);
    expect(JSON.stringify(learned)).toContain(JSON.stringify([notice]));
  });
});

describe('a paper that was retracted', () => {
  const rows: [what: string, items: Record<string, unknown>[]][] = [
    ['a mark in the title', [workOf('gone', { title: ['RETRACTED: Sourdough and gone'] })]],
    ['another mark in the title', [workOf('gone', { title: ['WITHDRAWN: Sourdough and gone'] })]],
    [
      'an update to it',
      [workOf('gone', { 'updated-by': [{ type: 'retraction', DOI: '10.5555/n' }] })],
    ],
    [
      'a separate notice',
      [workOf('gone'), workOf('n', { 'update-to': [{ type: 'retraction', DOI: '10.5555/GONE' }] })],
    ],
    [
      'its own work, which became the notice',
      [workOf('gone', { 'update-to': [{ type: 'retraction', DOI: '10.5555/gone' }] })],
    ],
  ];

  it.each(rows)('is neither shown nor learned, recognized by %s', async (_, items) => {
    crossref.answer(works([...items, workOf('moulds')]));
    const running = await serve({ learn: true });
    const { results } = answerOf(await search(running, { query: OUT_OF_DOMAIN, limit: 50 }));
    const ids = results.filter(({ src }) => src !== 'corpus').map(({ d }) => d);
    expect(ids).toEqual(['10.5555/moulds']);
    await running.stop();
    expect(learnedIn(running.database)).toEqual(['10.5555/moulds']);
  });

  it('is recognized by what another lane says about it', async () => {
    crossref.answer(works([workOf('gone', { title: ['RETRACTED: Sourdough and gone'] })]));
    arxiv.answer(
      feedOf([
        {
          id: 'http://arxiv.org/abs/2001.00001v1',
          title: 'A preprint',
          summary: QUOTE,
          more: '<arxiv:doi>10.5555/gone</arxiv:doi>',
        },
      ]),
    );
    const running = await serve({ learn: true });
    const got = await search(running, { query: OUT_OF_DOMAIN });
    expect(outcomeOf(got)).toBe('nothing');
    expect(answerOf(got).results.every(({ src }) => src === 'corpus')).toBe(true);
    await running.stop();
    expect(learnedIn(running.database)).toEqual([]);
  });
});

describe('a question is sent', () => {
  const serveShared = useServiceWithLanes(patient);

  it('only after its credit is held, and not if the hold fails', async () => {
    // In a process of its own, because SQLite's locks do not apply within one process.
    const database = await copySampleIndex();
    const { secret } = createCustomer(database);
    const service = await startService(database, {
      VERBATIM_LANE_CONTACT: 'ops@example.org',
      VERBATIM_LANES: 'arxiv,web',
      VERBATIM_ARXIV_URL: arxiv.url,
      VERBATIM_CROSSREF_URL: crossref.url,
      VERBATIM_LOCK_WAIT_MS: '50',
      VERBATIM_REQUEST_TIMEOUT_MS: '120000',
    });
    const other = new Database(database);
    onTestFinished(async () => {
      other.close();
      await service.end();
      await removeDatabase(database);
    });
    const caller = { url: service.url, secret };
    other.exec('BEGIN IMMEDIATE');
    const got = await search(caller, { query: OUT_OF_DOMAIN });
    expect(got.status).toBe(503);
    other.exec('ROLLBACK');
    expect(asked()).toBe(0);
    // The question is not held back for another reason.
    const outcome = async (): Promise<string> =>
      outcomeOf(await search(caller, { query: OUT_OF_DOMAIN }));
    await expect.poll(outcome, { timeout: 60_000 }).toBe('served');
    expect(asked()).toBe(2);
  });

  it('only after its credit is held, and not if another search takes the last credit', async () => {
    const running = serveShared(openLanes(stubbed()));
    const poor = addAccount(running, { email: 'poor@example.org', credits: 1 });
    const questions = Array.from({ length: 4 }, (_, i) => `${OUT_OF_DOMAIN} in year ${i}`);
    const all = await Promise.all(questions.map((query) => search(poor, { query })));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 402, 402, 402]);
    expect([crossref.requests.length, arxiv.requests.length]).toEqual([1, 1]);
  });

  let eves = 0;

  type Choices = { customer?: string; key?: string; request?: string };
  it.each<[Choices, crossref: number, arxiv: number, outcome: string]>([
    [{}, 1, 1, 'served'],
    [{ customer: 'none' }, 0, 0, 'not_allowed'],
    [{ key: 'none' }, 0, 0, 'not_allowed'],
    [{ request: 'none' }, 0, 0, 'not_allowed'],
    [{ request: 'web' }, 1, 0, 'served'],
    [{ request: 'arxiv, web' }, 1, 1, 'served'],
    [{ customer: 'web', key: 'arxiv' }, 0, 0, 'not_allowed'],
    [{ customer: 'arxiv,web', key: 'web', request: 'arxiv,web' }, 1, 0, 'served'],
    // This lane is off.
    [{ request: 'semantic_scholar' }, 0, 0, 'not_allowed'],
    [{ customer: 'none', request: 'arxiv,web' }, 0, 0, 'not_allowed'],
  ])('only if all choices allow it (%j)', async (choices, toCrossref, toArxiv, outcome) => {
    const { customer, key, request } = choices;
    const running = serveShared(openLanes(stubbed()));
    const email = `eve-${++eves}@example.org`;
    const eve = addAccount(running, { email, credits: 2 });
    inStore(running.database, (db) => {
      if (customer !== undefined)
        changeOnSqlite(db, setNamedCustomerLanes({ email, lanes: customer }));
      if (key !== undefined) changeOnSqlite(db, setKeyLanes({ prefix: eve.prefix, lanes: key }));
    });
    const body = { query: OUT_OF_DOMAIN, ...(request === undefined ? {} : { lanes: request }) };
    const got = await search(eve, body);
    expect(outcomeOf(got)).toBe(outcome);
    expect(answerOf(got).n).toBeGreaterThan(0);
    expect([crossref.requests.length, arxiv.requests.length]).toEqual([toCrossref, toArxiv]);
    const kinds = (): string[] => ledger(running.database, email).map(({ kind }) => kind);
    await expect.poll(kinds, { timeout: 20_000 }).toEqual(['settle', 'hold', 'topup']);
  });

  it.each(['', 'all', 'scholar', 'none,web', 7, null, ['web'], {}])(
    'never if the choice of lanes is unclear (%j)',
    async (lanes) => {
      const running = serveShared(openLanes(stubbed()));
      const got = await search(running, { query: OUT_OF_DOMAIN, lanes });
      expect([got.status, got.text]).toEqual([400, expect.stringMatching(/^lanes: expected /)]);
      expect(asked()).toBe(0);
    },
  );

  it('without email addresses and telephone numbers', async () => {
    const running = serveShared(openLanes(stubbed()));
    const contacts = 'write to bo&#64;example.org, BO@Example.org or call +46 8 123 456 78';
    const got = await search(running, { query: `${OUT_OF_DOMAIN}? ${contacts}` });
    expect(outcomeOf(got)).toBe('served');
    const sent = JSON.stringify(
      [crossref.requests, arxiv.requests].flat().map(({ query }) => query),
    );
    expect(sent).toContain('sourdough starters resist');
    expect(sent).not.toMatch(/bo@|bo%40|&#64;|123|456|78/i);
  });
});

describe('a learned document', () => {
  it('keeps the identifiers of all its copies, and its provider', async () => {
    crossref.answer(works([workOf('moulds')]));
    arxiv.answer(
      feedOf([
        {
          id: 'http://arxiv.org/abs/2001.00001v1',
          title: 'A preprint',
          summary: 'Old.',
          more: '<arxiv:doi>10.5555/moulds</arxiv:doi>',
        },
      ]),
    );
    const running = await serve({ learn: true });
    await search(running, { query: OUT_OF_DOMAIN });
    await running.stop();
    const why = await runCommandJson<unknown[]>([
      ...['index', 'why', '10.5555/moulds', '--db', running.database],
    ]);
    expect(why).toMatchObject([
      {
        identifiers: { doi: '10.5555/moulds', arxiv: '2001.00001' },
        sources: [{ format: 'lane', file: expect.stringMatching(/^(arxiv|crossref)$/) }],
      },
    ]);
  });

  it('has no sentence that is too long', async () => {
    const table = `Rye 1.5 and wheat 2.5, ${'and so on '.repeat(130)}to the end.`;
    crossref.answer(works([workOf('moulds', { abstract: `<p>${table} ${QUOTE}</p>` })]));
    const running = await serve({ learn: true });
    const before = inStore(running.database, readTotals).sentences;
    const { results } = answerOf(await search(running, { query: OUT_OF_DOMAIN }));
    expect(results[0]).toMatchObject({ d: '10.5555/moulds', q: QUOTE });
    await running.stop();
    expect(inStore(running.database, readTotals).sentences).toBe(before + 1);
  });
});

/** The ids that are in the index but not in the sample. */
function learnedIn(database: string): string[] {
  return inStore(
    database,
    (db) =>
      db
        .prepare("SELECT id FROM documents WHERE id NOT LIKE 'sample:%' ORDER BY id")
        .pluck()
        .all() as string[],
  );
}
