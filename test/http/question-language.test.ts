/** The header that tells of a question in a language that the model does not read. */
import { expect, it } from 'vitest';
import { createCustomer } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { type Caller, search } from './contract.ts';

let caller: Caller;
useService({
  fill: (database) => createCustomer(database),
  ready: ({ url }, { secret }) => {
    caller = { url, secret };
  },
});

it.each([
  ['Hilft Schlaf dem Gedächtnis, und wie lange?', 'de; model=en'],
  ['睡眠有助于记忆吗', 'zh; model=en'],
  ['помогает ли сон памяти', 'und; model=en'],
  ['does sleep help memory', undefined],
  ['癌', 'zh; model=en'],
  ['x', undefined],
])('%s: %s', async (query, expected) => {
  const { status, headers } = await search(caller, { query });
  expect([status, headers['x-question-language']]).toEqual([200, expected]);
});
