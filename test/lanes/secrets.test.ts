/** A key reaches its own provider and nobody else. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import { askOne, onlySemanticScholar, onlyWeb, openLanes } from '../support/lanes/ask-lanes.ts';
import {
  htmlPage,
  type StubAnswer,
  type StubServer,
  startStub,
} from '../support/lanes/stub-server.ts';
import { runVerbatim } from '../support/verbatim.ts';

const SECRET = 'k-3c9f0b7d55';
let stub: StubServer;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(() => stub.close());

/** Responses that echo the request, and others that cause a failure. */
const answers: readonly [what: string, StubAnswer][] = [
  [
    'an echo',
    { status: 403, body: `{"message":"your key ${SECRET}","error":{"code":"${SECRET}"}}` },
  ],
  ['JSON that breaks off', { body: `{"key":"${SECRET}` }],
  ['a page', { body: `${htmlPage}${SECRET}` }],
  ['500', { status: 500, body: SECRET }],
  ['429', { status: 429, headers: { 'retry-after': SECRET } }],
  ['a redirect', { status: 302, headers: { location: `http://127.0.0.1:1/?key=${SECRET}` } }],
  ['silence', { fault: 'hang' }],
  ['a dropped connection', { fault: 'reset' }],
];
const lanesOf = {
  semantic_scholar: () => onlySemanticScholar(stub.url, SECRET),
  openalex: () => ({ ...onlyWeb('openalex', stub.url), openalexKey: SECRET }),
  brave: () => ({ ...onlyWeb('brave', stub.url), braveKey: SECRET }),
};

describe.each(Object.entries(lanesOf))('the key of %s', (_name, settings) => {
  it.each(answers)('is in no report, state, log, or address after %s', async (_what, answer) => {
    stub.answer(answer);
    stub.requests.length = 0;
    const lines: string[] = [];
    const limit = answer.fault === 'hang' ? { laneTimeoutMs: 400 } : {};
    const log = createLog((line) => lines.push(line));
    const lanes = openLanes({ ...settings(), ...limit }, { log });
    const asked = await askOne(lanes);
    const states = lanes.states();
    await lanes.close();
    expect(stub.requests.length).toBeGreaterThan(0);
    expect(JSON.stringify(stub.requests[0]?.headers)).toContain(SECRET);
    const addresses = stub.requests.map(({ path, query }) => [path, query]);
    expect(JSON.stringify({ asked, states, lines, addresses })).not.toContain(SECRET);
  });
});

it('a key is in nothing that a check prints', async () => {
  stub.answer({ status: 403, body: SECRET });
  const env = {
    VERBATIM_LANES: 'semantic_scholar,web',
    VERBATIM_WEB_PROVIDER: 'brave',
    VERBATIM_SEMANTIC_SCHOLAR_URL: stub.url,
    VERBATIM_SEMANTIC_SCHOLAR_KEY: SECRET,
    VERBATIM_BRAVE_URL: stub.url,
    VERBATIM_BRAVE_KEY: SECRET,
    // This process, which answers, may be busy for longer than the default of five seconds.
    VERBATIM_LANE_TIMEOUT_MS: '30000',
  };
  const { stdout, stderr } = await runVerbatim(['lanes', 'check'], { env, code: 1 });
  expect(stderr).toBe('verbatim: no answer from semantic_scholar, brave\n');
  expect(stdout).toContain('failed: refused');
  expect(stdout).not.toContain(SECRET);
});

it('a malformed key is not shown in the error', async () => {
  const env = { VERBATIM_LANES: 'none', VERBATIM_BRAVE_KEY: `${SECRET} x` };
  const { stderr } = await runVerbatim(['lanes', 'check'], { env, code: 2 });
  expect(stderr).toBe('verbatim: VERBATIM_BRAVE_KEY must be printable characters without spaces\n');
});
