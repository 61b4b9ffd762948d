/** A server answers searches while its index is moved to another model, with other dimensions. */
import { cpSync, renameSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  copySampleIndex,
  createCustomer,
  postSearch,
  removeDatabase,
  type Service,
  startService,
} from '../../support/service.ts';
import { runCommand } from '../../support/verbatim.ts';

const MODEL = resolve(import.meta.dirname, '../../fixtures/models/bert-dense');
const QUERIES = ['does sleep help memory', 'sourdough', 'how do glaciers move'];

type Found = Record<string, string>;

it('changes over in one moment, and each answer is of one model, also after a restart', async () => {
  const database = await copySampleIndex();
  onTestFinished(() => removeDatabase(database));
  const model = join(dirname(database), 'tiny');
  cpSync(MODEL, model, { recursive: true });
  await runCommand(['model', 'add', model, '--db', database]);
  const { secret } = createCustomer(database, { credits: 100_000 });
  const started: Service[] = [];
  const start = async (env: Record<string, string> = {}): Promise<Service> => {
    const service = await startService(database, {
      VERBATIM_SEARCH_THREADS: '2',
      VERBATIM_REQUESTS_PER_MINUTE: '1000000',
      ...env,
    });
    started.push(service);
    onTestFinished(async () => {
      await service.end('SIGKILL');
    });
    return service;
  };
  const ask = async (service: Service, query: string): Promise<string> => {
    const response = await postSearch(service.url, secret, { body: { query } });
    expect(response.status).toBe(200);
    const { c, results } = await response.json();
    return JSON.stringify({ c, results });
  };
  const askAll = async (service: Service): Promise<Found> => {
    const found: Found = {};
    for (const query of QUERIES) found[query] = await ask(service, query);
    return found;
  };

  const service = await start();
  const before = await askAll(service);
  let isMoving = true;
  const client = async (query: string): Promise<string[]> => {
    const answers: string[] = [];
    while (isMoving) answers.push(await ask(service, query));
    // What begins after the change is answered by the new model.
    return [...answers, await ask(service, query)];
  };
  const clients = [...QUERIES, ...QUERIES].map(client);
  const { stdout } = await runCommand(['index', 'reembed', '--db', database, '--model', model]);
  isMoving = false;
  expect(stdout).toContain('have vectors of tiny');
  const after = await askAll(service);
  for (const [at, answers] of (await Promise.all(clients)).entries()) {
    const query = QUERIES[at % QUERIES.length] ?? '';
    expect(after[query]).not.toBe(before[query]);
    const change = answers.indexOf(after[query] ?? '');
    expect(change).toBeGreaterThan(0);
    const expected = answers.map((_, n) => (n < change ? before[query] : after[query]));
    expect(answers).toEqual(expected);
  }
  const health = async (of: Service) => (await fetch(`${of.url}/health`)).json();
  expect(await health(service)).toMatchObject({ status: 'ok', model: 'tiny' });
  await service.end();

  // VERBATIM_MODEL names the model of before.
  const restarted = await start();
  expect(await askAll(restarted)).toEqual(after);
  expect(restarted.log).toContainEqual(
    expect.objectContaining({
      event: 'index_of_other_model',
      advice: `set VERBATIM_MODEL=${model}`,
    }),
  );
  await restarted.end();
  const named = await start({ VERBATIM_MODEL: model });
  expect(await askAll(named)).toEqual(after);
  expect(named.log.map(({ event }) => event)).not.toContain('index_of_other_model');
  await named.end();
  renameSync(model, `${model}-gone`);
  await expect(start()).rejects.toThrow('cannot use the model in');
});
