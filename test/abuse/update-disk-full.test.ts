/** The disk is full while an update runs that an operator started: the page says so, and it can be repeated. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Client, createClient, formTokenIn } from '../support/pages.ts';
import { createCustomer, postSearch, type Service, startService } from '../support/service.ts';
import { createSmallDisk, obstacleToSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { runVerbatim } from '../support/verbatim.ts';

const DISK_MEGABYTES = 16;
const RECORDS = 200;
/** Less than the records take. */
const ROOM_BYTES = 750_000;
const PATH = '/operator/index';
const FILE = 'rivers.jsonl';

const obstacle = obstacleToSmallDisk();
const where = obstacle === undefined ? '' : ` (skipped: ${obstacle})`;

describe.skipIf(obstacle !== undefined)(`an update on a full disk${where}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-updates-'));
  let disk: SmallDisk;
  let service: Service;
  let database: string;
  let secret: string;

  beforeAll(async () => {
    const records = Array.from({ length: RECORDS }, (_, number) => ({
      id: `https://example.org/rivers/${number}`,
      title: `A study of rivers and the number ${number}`,
      abstract: `We measured ${number} times how rivers change. They changed in every case.`,
    }));
    writeFileSync(join(folder, FILE), records.map((record) => JSON.stringify(record)).join('\n'));
    disk = await createSmallDisk(DISK_MEGABYTES);
    database = join(disk.folder, 'verbatim.db');
    const filled = join(folder, 'verbatim.db');
    copyFileSync(inject('sampleIndex'), filled);
    ({ secret } = createCustomer(filled));
    copyFileSync(filled, join(disk.seenAs, 'verbatim.db'));
    const env = { VERBATIM_OPERATOR: 'true', VERBATIM_UPDATE_FOLDER: folder };
    service = await startService(database, env, disk.through);
  });
  afterAll(async () => {
    await service.end();
    disk.end();
    rmSync(folder, { recursive: true });
  });

  const operator = (): Client => createClient(service.operatorUrl);
  const page = async (): Promise<string> => (await operator().get(PATH)).text;

  /** Of the update that was started last. */
  async function lastOutcome(): Promise<string | undefined> {
    const [, table = ''] = (await page()).split('Updates that were started here');
    return /data-label="Outcome"><span>(?:<span[^>]*>)?([^<]+)/.exec(table)?.[1];
  }

  async function start(): Promise<void> {
    const client = operator();
    const { text } = await client.get(PATH);
    const [, copy = ''] = /name="form_copy" value="([\w-]+)"/.exec(text) ?? [];
    const fields = { form_token: formTokenIn(text), form_copy: copy, path: FILE };
    expect((await client.post(`${PATH}/update`, fields)).status).toBe(303);
  }

  it('fails with one line, leaves the index as it was, and goes through when there is room', async () => {
    disk.fill(ROOM_BYTES);
    await start();
    await expect.poll(lastOutcome).toBe('failed');
    expect(await page()).toContain('the disk is full');
    disk.empty();
    await expect.poll(async () => (await postSearch(service.url, secret)).status).toBe(200);
    await runVerbatim(['index', 'verify', '--db', database], { through: disk.through });
    await start();
    await expect.poll(lastOutcome).toBe('done');
    const { stdout } = await runVerbatim(['index', 'stats', '--db', database, '--json'], {
      through: disk.through,
    });
    expect(JSON.parse(stdout).documents).toBeGreaterThan(RECORDS);
    await runVerbatim(['index', 'verify', '--db', database], { through: disk.through });
    await runVerbatim(['credit', 'audit', '--db', database], { through: disk.through });
  });
});
