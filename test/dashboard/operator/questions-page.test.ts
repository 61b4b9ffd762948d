/** The page Questions: counts always, and texts only where the operator wants them. */
import { expect, it } from 'vitest';
import { addKey, addSomeone, inStore } from '../../support/history.ts';
import { createClient, useServer } from '../../support/pages.ts';
import { PATIENT } from '../../support/patient.ts';
import { postSearch } from '../../support/service.ts';

const PATH = '/operator/questions';
const NOT_CLOSE = 'zebrafish qwertz submarine treaties <b>';
const keeping = { VERBATIM_OPERATOR: 'true', VERBATIM_KEEP_QUESTIONS: 'true' };
let secret: string;
const server = useServer(
  (database) => {
    const { customerId } = addSomeone(database, { email: 'ada@example.org', credits: 50 });
    secret = addKey(database, customerId, 'Notebook').secret;
  },
  { VERBATIM_OPERATOR: 'true' },
);

const questionsPage = async (query = ''): Promise<string> =>
  (await createClient(server.service.operatorUrl).get(`${PATH}${query}`)).text;
const figures = async (): Promise<string[]> =>
  [...(await questionsPage()).matchAll(/<dd class="figure">([^<]+)</g)].map(
    ([, figure = '']) => figure,
  );
const keptTexts = (): unknown[] =>
  inStore(server.database, (db) => db.prepare('SELECT text FROM kept_questions').pluck().all());
const ask = async (query: string): Promise<void> => {
  expect((await postSearch(server.url, secret, { body: { query } })).status).toBe(200);
};

it('says that nothing was asked yet, and that texts are not kept', async () => {
  const text = await questionsPage();
  expect(text).toContain('No searches yet');
  expect(text).toContain('They are not kept.');
});

it('counts searches by what came of them, and keeps no text', async () => {
  await ask('does sleep help memory');
  await ask(NOT_CLOSE);
  await expect.poll(figures, PATIENT).toEqual(['2', '50%', '0%']);
  const text = await questionsPage();
  expect(text).toContain('No lane is on');
  expect(text).not.toContain('zebrafish');
  expect(keptTexts()).toEqual([]);
});

it('keeps the counts over the death of the server', async () => {
  await server.restart(keeping, { signal: 'SIGKILL' });
  expect(await figures()).toEqual(['2', '50%', '0%']);
});

it('shows texts where the operator keeps them, as they are', async () => {
  await ask('does sleep help memory');
  await ask(NOT_CLOSE);
  await expect.poll(keptTexts, PATIENT).toEqual([NOT_CLOSE]);
  const text = await questionsPage();
  expect(text).toContain('zebrafish qwertz submarine treaties &lt;b>');
  expect(text).not.toContain('ada@example.org');
  expect(await questionsPage('?before=1')).toContain('No older ones.');
});

it.each(['0', '-1', 'x', "1' OR '1'='1", '99999999999999999'])(
  'refuses to begin before %s',
  async (before) => {
    const query = `?before=${encodeURIComponent(before)}`;
    const got = await createClient(server.service.operatorUrl).get(`${PATH}${query}`);
    expect(got.status).toBe(400);
    expect(got.text).toContain('is not the number of a question');
  },
);

it('deletes the texts when the operator no longer keeps them', async () => {
  await server.restart({ VERBATIM_OPERATOR: 'true' });
  await expect.poll(keptTexts, PATIENT).toEqual([]);
  expect(await questionsPage()).not.toContain('zebrafish');
  expect(await figures()).toEqual(['4', '50%', '0%']);
});
