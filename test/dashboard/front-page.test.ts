/** The page for visitors: what it says about the index, the price and the operator. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measuredFigures } from '../../src/dashboard/docs/measured-figures.ts';
import { send } from '../http/contract.ts';
import { temporaryFolder } from '../support/accounts.ts';
import { addSomeone, inStore } from '../support/history.ts';
import { withLimits } from '../support/limits.ts';
import { createClient, signedInClient, useServer } from '../support/pages.ts';
import { type Service, startService } from '../support/service.ts';
import { runJson } from '../support/verbatim.ts';

const ADA = 'ada@example.org';
const server = useServer(
  async (database) => {
    addSomeone(database, { email: ADA, credits: 5 });
  },
  {
    VERBATIM_FRONT_PAGE_NOTE: 'Closed on <b>Sundays</b> & holidays',
    VERBATIM_OPERATOR_CONTACT: 'help@example.org',
    ...withLimits({ indexFiguresEveryMs: 1 }),
  },
);

/** What a visitor reads at `/`. */
async function frontPageAt(url: string): Promise<string> {
  const { status, text } = await createClient(url).get('/');
  expect(status).toBe(200);
  return text;
}

describe('the front page', () => {
  it('says what is indexed and quotes a sentence of the index', async () => {
    const page = await frontPageAt(server.url);
    expect(page).toContain('<dt>Papers</dt><dd class="figure">214</dd>');
    expect(page).toContain('<dt>Years</dt><dd class="figure">2026</dd>');
    expect(page).toMatch(/<dt>Last updated<\/dt><dd class="figure">\w+ \d+, \d{4}<\/dd>/);
    expect(page).toContain('<mark>Sleep after learning improves memory:');
    expect(page).toContain('Quoted from this index.');
    expect(page).toContain('A search costs one credit.');
    expect(page).toContain('No record names a field of study.');
    expect(page).toContain('href="/dashboard/sign-in"');
  });

  it('shows the note and the contact of the operator, as text', async () => {
    const page = await frontPageAt(server.url);
    expect(page).toContain('Closed on &lt;b>Sundays&lt;/b> &amp; holidays');
    expect(page).toContain('href="mailto:help@example.org"');
  });

  it('says how good it is by the figures of README, each with what measured it', async () => {
    const page = await frontPageAt(server.url);
    const readme = await readFile('README.md', 'utf8');
    for (const [what = '', figure = '', command = ''] of measuredFigures.rows) {
      for (const text of [what, figure, command.slice(1, -1)]) expect(page).toContain(text);
      expect(readme).toMatch(new RegExp(`(?<![\\d.])${figure}(?![\\d.]\\d)`));
      expect(readme).toContain(command);
    }
  });

  it('sets no cookie', async () => {
    const { headers } = await createClient(server.url).get('/');
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it('leads customers to their dashboard', async () => {
    const { status, headers } = await (await signedInClient(server.url, ADA)).get('/');
    expect([status, headers.location]).toEqual([303, '/dashboard']);
  });

  it('answers HEAD, and no other method', async () => {
    const head = await send(server.url, { method: 'HEAD', path: '/' });
    expect([head.status, head.text]).toEqual([200, '']);
    const post = await send(server.url, { method: 'POST', path: '/' });
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it.each(['', '*/*', 'application/json', 'text/html'])('answers Accept: %j', async (accept) => {
    const { status, headers } = await send(server.url, { path: '/', headers: { accept } });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('describes itself to previews of links, and other pages do not', async () => {
    const page = await frontPageAt(server.url);
    const content = '"Ask a question in plain words. Get the one sentence of each research paper';
    expect(page).toContain(`<meta name="description" content=${content}`);
    expect(page).toContain(`<meta property="og:description" content=${content}`);
    expect(page).toContain('<meta property="og:title" content="Literature search that quotes');
    const signIn = await createClient(server.url).get('/dashboard/sign-in');
    expect(signIn.text).not.toContain('og:');
  });

  it('counts again when the index has changed', async () => {
    const records = join(server.database, '../more.jsonl');
    const paper = { id: '10.5555/tides', title: 'Tides', year: 1998, abstract: 'Tides rise.' };
    await writeFile(records, JSON.stringify({ ...paper, field: 'Earth science' }));
    await runJson(['index', 'add', records, '--db', server.database]);
    await expect.poll(() => frontPageAt(server.url)).toContain('<dd class="figure">215</dd>');
    await expect.poll(() => frontPageAt(server.url)).toContain('1998–2026');
    await expect.poll(() => frontPageAt(server.url)).toContain('1998: 1 paper');
    await expect.poll(() => frontPageAt(server.url)).toContain('Earth science');
  });
});

describe('the front page of another operator', () => {
  const folder = temporaryFolder();
  let empty: Service;
  let off: Service;
  beforeAll(async () => {
    for (const name of ['empty.db', 'off.db']) inStore(join(folder, name), () => {});
    empty = await startService(join(folder, 'empty.db'), {
      VERBATIM_SELF_REGISTRATION: '1',
      VERBATIM_FRONT_PAGE_QUESTION: 'why do tides rise',
      VERBATIM_WELCOME_CREDITS: '20',
      VERBATIM_KEEP_QUESTIONS: '1',
      VERBATIM_KEPT_QUESTION_DAYS_MAX: '9',
      VERBATIM_LANES: 'arxiv,web',
      VERBATIM_LANE_CONTACT: 'help@example.org',
    });
    off = await startService(join(folder, 'off.db'), { VERBATIM_FRONT_PAGE: '0' });
  });
  afterAll(async () => {
    await Promise.all([empty, off].map((service) => service?.end()));
  });

  it('says that nothing is indexed, and that its example is from the sample', async () => {
    const page = await frontPageAt(empty.url);
    expect(page).toContain('Nothing is indexed yet.');
    expect(page).toContain('does sleep help memory');
    expect(page).toContain('not from this index');
  });

  it('says that no question is kept or leaves the server, unless the operator chose so', async () => {
    const page = await frontPageAt(server.url);
    expect(page).toContain('Questions are not kept, unless you turn that on');
    expect(page).toContain('No question leaves this server.');
    const open = await frontPageAt(empty.url);
    expect(open).toContain('are kept for 9 days, so that the operator sees what is missing.');
    expect(open).toContain('may be sent to arXiv and the web, without e-mail addresses');
  });

  it('leads to registration if visitors may register', async () => {
    const page = await frontPageAt(empty.url);
    expect(page).toContain('href="/dashboard/register"');
    expect(page).toContain('You start with 20 credits.');
    expect(page).toContain('This service has an operator of its own, who names no address here.');
  });

  it('leads to the sign-in page if it is switched off', async () => {
    const visitor = createClient(off.url);
    const { status, headers } = await visitor.get('/');
    expect([status, headers.location]).toEqual([303, '/dashboard']);
    expect((await visitor.get('/dashboard')).headers.location).toContain('/dashboard/sign-in');
  });
});
