/** The cards of sources on the page Index, with real runs beside a real server. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/accounts.ts';
import { createClient, useServer } from '../../support/pages.ts';
import { PATIENT } from '../../support/patient.ts';
import { runCommand, runCommandJson } from '../../support/verbatim.ts';

const PATH = '/operator/index';
const folder = temporaryFolder();
const server = useServer(() => {}, {
  VERBATIM_OPERATOR: 'true',
  VERBATIM_SOURCE_UPDATE_HOURS: '3',
});

const page = async (): Promise<string> =>
  (await createClient(server.service.operatorUrl).get(PATH)).text;

async function runSource(name: string) {
  const client = createClient(server.service.operatorUrl);
  return client.post(`${PATH}/update`, { ...(await client.hidden(PATH)), path: `source:${name}` });
}

it('show what is fetched, and run it', async () => {
  const start = await page();
  expect(start).toContain('verbatim source add');
  const papers = join(folder, 'papers');
  mkdirSync(papers);
  const record = { id: '10.5555/p1', title: 'A study of tides at harbor 1', year: 2024 };
  writeFileSync(join(papers, 'a.jsonl'), JSON.stringify({ ...record, abstract: 'It rises.' }));
  const place = ['--db', server.database];
  await runCommand(['source', 'add', papers, '--name', 'ours', '--yes', '--later', ...place]);
  const added = await page();
  expect(added).toContain('id="source-ours"');
  expect(added).toMatch(/The next run of all sources starts at/);
  expect(added).toContain('Run ours');
  expect((await runSource('theirs')).text).toContain('There is no such source');
  expect((await runSource('ours')).status).toBe(303);
  await expect.poll(page, PATIENT).toMatch(/badge good">done.*1 paper, 100 % with an abstract/s);
  const trail = await runCommandJson<{ action: string; details: string }[]>([
    ...['operator', 'trail', ...place],
  ]);
  expect(trail).toMatchObject([{ action: 'source update', details: 'ours' }]);
  const metrics = await (await fetch(`${server.service.metricsUrl}/metrics`)).text();
  expect(metrics).toMatch(/verbatim_source_last_success_timestamp_seconds\{source="ours"\} \d/);
  expect(metrics).toContain('verbatim_source_failures{source="ours"} 0');
});
