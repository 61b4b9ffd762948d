import { existsSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { feedOf, paperEntry } from '../support/lanes/arxiv-stub.ts';
import { type StubServer, startStub } from '../support/lanes/stub-server.ts';
import { copySampleIndex, removeDatabase } from '../support/service.ts';
import { runCommand } from '../support/verbatim.ts';

let stub: StubServer;
beforeAll(async () => {
  stub = await startStub();
});
beforeEach(() => stub.answer(feedOf([paperEntry])));
afterAll(() => stub.close());

const environment = (more: Record<string, string> = {}): Record<string, string> => ({
  VERBATIM_LANES: 'arxiv',
  VERBATIM_LANE_CONTACT: 'ops@example.org',
  VERBATIM_ARXIV_URL: stub.url,
  ...more,
});

it('prints the outcome, the time, and the first paper of each lane', async () => {
  const { stdout, stderr } = await runCommand(['lanes', 'check'], { env: environment() });
  expect(stderr).toBe('');
  const [heading, row] = stdout.split('\n').map((line) => line.split(/ {2,}/));
  expect(heading).toEqual(['lane', 'provider', 'status', 'ms', 'papers', 'first paper']);
  expect(row?.slice(0, 3)).toEqual(['arxiv', 'arxiv', 'answered']);
  expect(Number(row?.[3])).toBeGreaterThan(0);
  expect(row?.slice(4)).toEqual(['1', '10.1000/abc', 'Sleep and memory in A & B mice']);
  expect(stub.requests.at(-1)?.headers['user-agent']).toMatch(
    /^verbatim\/\S+ \(mailto:ops@example\.org\)$/,
  );
});

it('prints JSON for programs', async () => {
  const { stdout } = await runCommand(['lanes', 'check', '--json'], { env: environment() });
  expect(JSON.parse(stdout)).toEqual([
    {
      lane: 'arxiv',
      provider: 'arxiv',
      outcome: 'answered',
      reason: '',
      documents: 1,
      milliseconds: expect.any(Number),
      first: { d: '10.1000/abc', t: 'Sleep and memory in A & B mice' },
    },
  ]);
});

it('exits 1 if a lane fails, and names its provider', async () => {
  stub.answer({ status: 429, body: 'Rate exceeded.' });
  const { stdout, stderr } = await runCommand(['lanes', 'check'], { env: environment(), code: 1 });
  expect(stdout).toContain('failed: rate_limited');
  expect(stderr).toContain('no answer from arxiv');
});

it('sends no request if all lanes are off, and says how to turn them on', async () => {
  const before = stub.requests.length;
  const env = environment({ VERBATIM_LANES: '', VERBATIM_LANE_CONTACT: '' });
  const { stdout } = await runCommand(['lanes', 'check'], { env });
  expect(stdout).toMatch(/^no lane is on; .*VERBATIM_LANE_CONTACT/);
  expect(stub.requests.length).toBe(before);
});

it('names the setting that a lane requires', async () => {
  const env = environment({ VERBATIM_LANE_CONTACT: '' });
  const { stderr } = await runCommand(['lanes', 'check'], { env, code: 2 });
  expect(stderr).toContain('arxiv needs VERBATIM_LANE_CONTACT');
});

it('respects the backoffs of a server and creates no database', async () => {
  const database = await copySampleIndex();
  const args = ['lanes', 'check', '--db', database];
  stub.answer({ status: 429, headers: { 'retry-after': '50000' } });
  await runCommand(args, { env: environment(), code: 1 });
  stub.answer(feedOf([paperEntry]));
  const asked = stub.requests.length;
  const { stdout } = await runCommand(args, { env: environment(), code: 1 });
  expect(stdout).toContain('skipped: exhausted');
  expect(stub.requests).toHaveLength(asked);
  await removeDatabase(database);
  await runCommand(args, { env: environment() });
  expect(existsSync(database)).toBe(false);
});
