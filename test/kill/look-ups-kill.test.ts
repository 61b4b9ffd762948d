/** A server is killed while a lane hangs that looks up a reference of a paid call. */
import { expect, it, onTestFinished } from 'vitest';
import { bearer, expectAudited, type Got, ledger, send } from '../http/contract.ts';
import { works } from '../support/lanes/crossref-stub.ts';
import { startStub } from '../support/lanes/stub-server.ts';
import { PATIENT } from '../support/patient.ts';
import {
  copySampleIndex,
  createCustomer,
  removeDatabase,
  type Service,
  startService,
} from '../support/service.ts';

const CREDITS = 20;
const TITLE = 'Antifungal activity of sourdough starters against spoilage moulds';
const work = { DOI: '10.5555/sourdough', type: 'journal-article', title: [TITLE] };

it('a killed server has charged nothing, and the next one answers the repeated request', async () => {
  const crossref = await startStub({ fault: 'hang' });
  const database = await copySampleIndex();
  const { secret } = createCustomer(database, { credits: CREDITS });
  const start = (): Promise<Service> =>
    startService(database, {
      VERBATIM_LANES: 'web',
      VERBATIM_LANE_CONTACT: 'ops@example.org',
      VERBATIM_CROSSREF_URL: crossref.url,
      VERBATIM_LANE_TIMEOUT_MS: '60000',
    });
  let service = await start();
  onTestFinished(async () => {
    await service.end('SIGKILL');
    await removeDatabase(database);
    await crossref.close();
  });
  const body = { items: [{ reference: { title: TITLE } }], lanes: 'web' };
  const key = { 'idempotency-key': 'bread', 'content-type': 'application/json' };
  const post = (): Promise<Got> =>
    send(service.url, {
      method: 'POST',
      path: '/v1/verify',
      headers: { ...bearer(secret), ...key },
      body: JSON.stringify(body),
    });
  const lost = post().catch(() => 'lost');
  await expect.poll(() => crossref.requests.length, PATIENT).toBe(1);
  await service.end('SIGKILL');
  expect(await lost).toBe('lost');
  crossref.answer(works([work]));
  service = await start();
  const got = await post();
  expect(JSON.parse(got.text).items).toMatchObject([{ verdict: 'match', src: 'web' }]);
  expect(got.headers['x-credit-balance']).toBe(String(CREDITS - 2));
  await expectAudited(database);
  const kinds = ledger(database).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'release')).toHaveLength(2);
  expect(kinds.filter((kind) => kind === 'settle')).toHaveLength(2);
});
