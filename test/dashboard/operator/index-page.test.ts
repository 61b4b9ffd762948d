/** The page Index: what is in the index, and updates with a real build beside a real server. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/accounts.ts';
import { useBrowser } from '../../support/browser.ts';
import { type Client, createClient, useServer } from '../../support/pages.ts';
import { PATIENT } from '../../support/patient.ts';
import { runCommandJson } from '../../support/verbatim.ts';

const PATH = '/operator/index';
const folder = temporaryFolder();
const env = { VERBATIM_OPERATOR: 'true', VERBATIM_UPDATE_FOLDER: folder };
const browser = useBrowser();
const server = useServer(() => {
  writeRecords('glaciers', 3);
  writeRecords('rivers', 40_000);
  mkdirSync(join(folder, 'linked'));
  symlinkSync('/etc', join(folder, 'linked', 'out'));
}, env);

/** Records that take the build some time. */
function writeRecords(name: string, count: number): void {
  const records = Array.from({ length: count }, (_, number) => ({
    id: `https://example.org/${name}/${number}`,
    title: `A study of ${name} and the number ${number}`,
    abstract: `We measured ${number} times how ${name} changes. It changed in every case.`,
    year: 1990 + (number % 30),
    // Of the first file, two records name a language, and one a field.
    ...(name === 'glaciers' && number < 2 ? { language: 'deu' } : {}),
    ...(name === 'glaciers' && number < 1 ? { field: 'Earth science' } : {}),
  }));
  writeFileSync(
    join(folder, `${name}.jsonl`),
    records.map((record) => JSON.stringify(record)).join('\n'),
  );
}

const operator = (): Client => createClient(server.service.operatorUrl);
const indexPage = async (): Promise<string> => (await operator().get(PATH)).text;
const trail = () =>
  runCommandJson<{ action: string; actor: string; details: string }[]>([
    ...['operator', 'trail', '--db', server.database],
  ]);

/** The first two cells of a row. */
const firstTwo = (row: string): string[] => row.split(/\s*\t\s*|\n+/).slice(0, 2);

async function start(path: string) {
  const client = operator();
  return client.post(`${PATH}/update`, { ...(await client.hidden(PATH)), path });
}

/** The outcomes of all updates, latest first. */
async function outcomes(): Promise<string[]> {
  const [, table = ''] = (await indexPage()).split('Updates that were started here');
  const rows = table.split('</table>')[0] ?? '';
  return [...rows.matchAll(/data-label="Outcome"><span>(?:<span[^>]*>)?([^<]+)/g)].map(
    ([, outcome = '']) => outcome,
  );
}

describe('the page Index', () => {
  it('shows what is in the index, and its builds', async () => {
    const text = await indexPage();
    for (const part of ['Papers by year', 'Sources', 'Builds, latest first', 'astronomy.jsonl']) {
      expect(text).toContain(part);
    }
    expect(text).toContain('No record names a field of study.');
    expect(text).toContain('No record names a language.');
    expect(text).toContain(`Within ${folder}`);
  });

  it.each(['../', '/etc/passwd', 'nothing', 'linked/out', 'a\nb', '..%2f..', "'; DROP TABLE x"])(
    'starts nothing for the path %j',
    async (path) => {
      const got = await start(path);
      expect(got.status).toBe(422);
      expect(got.text).toContain('id="path-wrong"');
      expect(await outcomes()).toEqual([]);
      expect(await trail()).toEqual([]);
    },
  );

  it('adds a file once for a form that is sent twice at once, and the trail knows who', async () => {
    const client = operator();
    const fields = { ...(await client.hidden(PATH)), path: 'glaciers.jsonl' };
    const sent = await Promise.all([1, 2].map(() => client.post(`${PATH}/update`, fields)));
    expect(sent.map(({ status }) => status).sort()).toEqual([303, 422]);
    await expect.poll(outcomes, PATIENT).toEqual(['done']);
    const again = await client.post(`${PATH}/update`, fields);
    expect(again.headers.location).toBe(`${PATH}?done=repeated`);
    expect(await outcomes()).toEqual(['done']);
    expect(await trail()).toMatchObject([
      { action: 'index add', actor: 'loopback', details: 'glaciers.jsonl' },
    ]);
    expect(await indexPage()).toContain('glaciers.jsonl');
  });

  it('counts papers by field of study and by language, as their records name them', async () => {
    const { page } = await browser.visit(server.service.operatorUrl, { isWithoutScript: true });
    await page.goto(PATH);
    const rowsOf = (name: string) =>
      page.getByRole('region', { name }).locator('tbody tr').allInnerTexts();
    expect((await rowsOf('Fields of study')).map(firstTwo)).toEqual([
      ['Earth science', '1'],
      ['Not known', '216'],
    ]);
    expect((await rowsOf('Languages')).map(firstTwo)).toEqual([
      ['German', '2'],
      ['Not known', '215'],
    ]);
  });

  it('fails where a link in a folder leads out, and says so', async () => {
    expect((await start('linked')).status).toBe(303);
    await expect.poll(outcomes, PATIENT).toEqual(['failed', 'done']);
    expect(await indexPage()).toContain('leads out of');
  });

  it('goes on after the death of the server, and can be stopped without JavaScript', async () => {
    expect((await start('rivers.jsonl')).status).toBe(303);
    await expect.poll(indexPage, PATIENT).toContain('An update is running');
    await server.restart(env, { signal: 'SIGKILL' });
    expect(await indexPage()).toContain('An update is running');
    const { page } = await browser.visit(server.service.operatorUrl, { isWithoutScript: true });
    await page.goto(PATH);
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect
      .poll(outcomes, PATIENT)
      .toEqual([expect.stringMatching(/^stopped$/), 'failed', 'done']);
    expect((await trail())[0]).toMatchObject({ action: 'index stop', details: 'rivers.jsonl' });
  });
});

it('an update reads the settings file that the server was given', async () => {
  const file = join(folder, 'v.conf');
  const lines = Object.entries({ ...env, VERBATIM_EMBED_DEVICE: 'cuda' });
  writeFileSync(file, lines.map(([name, value]) => `${name}=${value}\n`).join(''));
  writeRecords('deserts', 3);
  await server.restart({}, { options: ['--config', file] });
  expect((await start('deserts.jsonl')).status).toBe(303);
  await expect.poll(async () => (await outcomes())[0], PATIENT).toBe('failed');
  // dist/ has none of the libraries of a GPU.
  expect(await indexPage()).toContain('VERBATIM_EMBED_DEVICE=cuda needs');
});

it('a server without the folder, or with copies of an index, starts nothing', async () => {
  await server.restart({ VERBATIM_OPERATOR: 'true' });
  const text = await indexPage();
  expect(text).toContain('VERBATIM_UPDATE_FOLDER');
  expect(text).not.toContain('name="path"');
});
