/**
 * A server on a file in which pages of `documents` are overwritten. Whatever it still quotes is what was
 * written, and other documents take the place of those that are left out.
 */
import { decodeHTML } from 'entities';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { damagePages } from '../support/damage.ts';
import { addKey, addSomeone, inStore } from '../support/history.ts';
import { callTool, connectOverHttp } from '../support/mcp.ts';
import { signedInClient } from '../support/pages.ts';
import { scrape } from '../support/scrape.ts';
import {
  CUSTOMER,
  copySampleIndex,
  postSearch,
  removeDatabase,
  type Service,
  startService,
} from '../support/service.ts';
import { runCommand } from '../support/verbatim.ts';

interface Cited {
  d: string;
  t: string;
  y: number;
  a: string[];
  q: string;
}

interface Row {
  id: string;
  title: string;
  abstract: string;
  year: number;
  authors: string;
  spans: Buffer;
}

interface Answer {
  n: number;
  results: Cited[];
}

const LIMIT = 10;
const ROWS_SQL = 'SELECT *, sentence_spans AS spans FROM documents';

let database: string;
let key: ReturnType<typeof addKey>;
let service: Service | undefined;
let written: Map<string, Row>;

beforeEach(async () => {
  database = await copySampleIndex();
  const { customerId } = addSomeone(database, { email: CUSTOMER, credits: 1_000 });
  key = addKey(database, customerId, 'default');
  const rows = inStore(database, (db) => db.prepare(ROWS_SQL).all()) as Row[];
  written = new Map(rows.map((row) => [row.id, row]));
});
afterEach(async () => {
  await service?.end();
  service = undefined;
  await removeDatabase(database);
});

/** Flips a bit of the byte at `offset` from a needle. Leaves pages without the needle as they are. */
function flip(needle: Buffer, offset: number): void {
  const change = (page: Buffer): void => {
    const at = page.indexOf(needle);
    if (at !== -1) page[at + offset] = (page[at + offset] as number) ^ 1;
  };
  damagePages(database, 'documents', { change });
}

function search(query: string): Promise<Response> {
  const body = { query, limit: LIMIT };
  return postSearch((service as Service).url, key.secret, { body });
}

/** Calls another path with the key. */
async function call(path: string, body?: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(`${(service as Service).url}${path}`, {
    headers: { Authorization: `Bearer ${key.secret}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** Asks for the titles of documents, and expects whole answers with what was written. */
async function expectWritten(titles: readonly string[]): Promise<Set<string>> {
  const cited = new Set<string>();
  for (const query of titles) {
    const response = await search(query);
    const text = await response.text();
    expect(response.status, text).toBe(200);
    for (const id of expectWhole(JSON.parse(text))) cited.add(id);
  }
  return cited;
}

/** Expects an answer to be whole and as it was written. Returns the ids in it. */
function expectWhole(answer: unknown): string[] {
  const { n, results } = answer as Answer;
  expect(n).toBe(LIMIT);
  return results.map(({ d, t, y, a, q }) => {
    const row = written.get(d) as Row;
    expect([t, y]).toEqual([row.title, row.year]);
    expect((JSON.parse(row.authors) as string[]).slice(0, a.length)).toEqual(a);
    expect([row.title, ...sentencesOf(row)]).toContain(q);
    return d;
  });
}

function sentencesOf({ abstract, spans }: Row): string[] {
  return Array.from({ length: spans.length >> 3 }, (_, at) =>
    abstract.slice(spans.readUInt32LE(8 * at), spans.readUInt32LE(8 * at + 4)),
  );
}

async function expectNamed(): Promise<void> {
  const { url, metricsUrl, log } = service as Service;
  const health = await fetch(`${url}/health`);
  expect(health.status).toBe(200);
  expect(await health.json()).toMatchObject({ damaged: [{ part: 'documents' }] });
  const { text } = await scrape(metricsUrl);
  expect(text).toMatch(/verbatim_documents_left_out_total [1-9]/);
  const logged = log.filter(({ event }) => event === 'document_left_out');
  const documents = logged.map(({ document }) => document);
  expect(documents.length).toBeGreaterThan(0);
  expect(new Set(documents).size).toBe(documents.length);
}

/** Ask for papers in other ways than by a search. */
const otherWays: Record<string, (rows: readonly Row[]) => Promise<void>> = {
  async 'a batch'(rows) {
    const questions = rows.map(({ title }) => ({ query: title, limit: LIMIT }));
    const { text } = await call('/v1/search/batch', { questions });
    const { outcomes } = JSON.parse(text) as { outcomes: { status: number; answer: Answer }[] };
    expect(outcomes.map(({ status }) => status)).toEqual(rows.map(() => 200));
    for (const { answer } of outcomes) expectWhole(answer);
  },
  async 'similar papers'(rows) {
    for (const { id } of rows) {
      const { status, text } = await call(`/v1/similar?id=${encodeURIComponent(id)}`);
      expect(status).toBe(isChanged(id) ? 404 : 200);
      if (status === 200) expectWhole(JSON.parse(text));
    }
  },
  async 'the tool fetch'(rows) {
    const client = await connectOverHttp((service as Service).url, key.secret);
    for (const { id, title, abstract, authors } of rows) {
      const { isError = false, structuredContent } = await callTool(client, 'fetch', { id });
      const asWritten = { title, text: abstract, authors: JSON.parse(authors) };
      if (isError) expect(isChanged(id)).toBe(true);
      else expect(structuredContent).toMatchObject(asWritten);
    }
    await client.close();
  },
  async 'the page Try it'(rows) {
    const client = await signedInClient((service as Service).url, CUSTOMER);
    for (const { title: query } of rows) {
      const fields = { query, limit: String(LIMIT), key: key.key.prefix };
      const { headers } = await client.submit('/dashboard/try', fields);
      const { status, text } = await client.get(String(headers.location));
      expect(status).toBe(200);
      const [, response = ''] = /<code id="response">(.+?)<\/code>/s.exec(text) ?? [];
      expectWhole(JSON.parse(decodeHTML(response)));
    }
  },
};

const half = (leaves: number[]): number[] => leaves.filter((_, at) => at % 2 === 0);

describe('overwritten pages of documents', () => {
  const garble = (page: Buffer): void => void page.write('\u0001\u001b[31m', 3000);
  it.each([
    ['ff', (page: Buffer) => void page.fill(0xff)],
    ['random bytes in texts', garble],
  ])('with %s are left out, in every answer', async (_, change) => {
    damagePages(database, 'documents', { choose: half, change });
    service = await startService(database);
    const titles = [...written.values()].filter((_, at) => at % 8 === 0).map(({ title }) => title);
    await expectWritten(titles);
    await expectNamed();
  });

  it.each(Object.entries(otherWays))('are never shown by %s', async (_, ask) => {
    damagePages(database, 'documents', { choose: half, change: garble });
    service = await startService(database);
    const rows = [...written.values()];
    const changed = rows.filter(({ id }) => isChanged(id)).slice(0, 8);
    expect(changed).toHaveLength(8);
    await ask([...changed, ...rows.filter((_, at) => at % 20 === 0)]);
    await expectNamed();
  });

  it('with one changed byte each are left out: abstract, spans, authors, year', async () => {
    const all = [...written.values()].filter(
      ({ abstract, authors, year }) =>
        abstract.length > 300 && abstract.length < 1_200 && authors.length > 20 && year > 0,
    );
    const [first, second, third, fourth] = [2, 4, 6, 8].map((at) => all[at] as Row) as [
      Row,
      Row,
      Row,
      Row,
    ];
    // Another letter, so that it is valid UTF-8.
    flip(Buffer.from(first.abstract.slice(20, 60)), 10);
    flip(second.spans, 4);
    // After the abstract come two bytes of the year, and the authors.
    const endOf = ({ abstract }: Row): Buffer => Buffer.from(abstract.slice(-40));
    flip(endOf(third), endOf(third).length + 5);
    flip(endOf(fourth), endOf(fourth).length + 1);
    const damaged = [first, second, third, fourth].filter(({ id }) => isChanged(id));
    expect(damaged.map(({ id }) => id)).toEqual([first, second, third, fourth].map(({ id }) => id));
    service = await startService(database);
    const cited = await expectWritten(damaged.map(({ title }) => title));
    for (const { id } of damaged) expect(cited).not.toContain(id);
    await expectNamed();
    await expectNoEvidence(first);
    await expectCommandsToTell(damaged.length);
  });
});

function isChanged(id: string): boolean {
  const now = inStore(database, (db) => db.prepare(`${ROWS_SQL} WHERE id = ?`).get(id));
  return JSON.stringify(now) !== JSON.stringify(written.get(id));
}

async function expectNoEvidence({ id, abstract }: Row): Promise<void> {
  const verified = await call('/v1/verify', { items: [{ quote: abstract.slice(0, 200), id }] });
  expect(JSON.parse(verified.text)).toMatchObject({ items: [{ verdict: 'not_indexed' }] });
  expect((await call(`/v1/paper?id=${encodeURIComponent(id)}`)).status).toBe(404);
}

async function expectCommandsToTell(damaged: number): Promise<void> {
  const where = ['--db', database];
  const exported = await runCommand(['index', 'export', ...where], { code: 1 });
  expect(exported.stdout.trim().split('\n')).toHaveLength(written.size - (damaged - 1));
  expect(exported.stderr).toContain('are damaged and were left out');
  const verified = await runCommand(['index', 'verify', ...where], { code: 1 });
  expect(verified.stdout).toContain('its fields do not match its hash');
  await service?.end();
  const checked = await runCommand(['restore', database, '--check'], { code: 1 });
  expect(checked.stdout.match(/is not what was written/g)).toHaveLength(damaged);
}
