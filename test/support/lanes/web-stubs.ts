/** Faults that any provider of the web lane, or a proxy before it, may have. */
import { htmlPage, type StubAnswer } from './stub-server.ts';

/** Responses without papers, with the expected outcome. */
export const commonFaults: readonly [what: string, StubAnswer, outcome: string][] = [
  ['500', { status: 500, body: 'oops' }, 'failed: server_error'],
  ['503 with a page', { status: 503, body: htmlPage }, 'failed: server_error'],
  [
    '503 with Retry-After',
    { status: 503, headers: { 'retry-after': '5' } },
    'failed: rate_limited',
  ],
  ['a page with status 200', { body: htmlPage }, 'failed: bad_answer'],
  ['an empty body', { body: '' }, 'failed: bad_answer'],
  ['null', { body: 'null' }, 'failed: bad_answer'],
  ['JSON that breaks off', { body: '{"status":"ok","message":{"items":[{' }, 'failed: bad_answer'],
  ['JSON of another kind', { body: '{"hello":"world"}' }, 'failed: bad_answer'],
  ['silence', { fault: 'hang' }, 'failed: timeout'],
  ['an answer that stops in the middle', { body: '{"res', fault: 'stall' }, 'failed: timeout'],
  ['a connection that is dropped', { fault: 'reset' }, 'failed: unreachable'],
  ['an answer of megabytes', { body: ' '.repeat(2 * 1024 * 1024) }, 'failed: too_large'],
];
