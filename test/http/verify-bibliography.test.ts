/** A bibliography as one text in POST /v1/verify. */
import { expect, it } from 'vitest';
import { useService } from '../support/use-service.ts';
import { addAccount, bearer, expectError, type Got, send } from './contract.ts';

const PAPER = 'sample:chemistry-haber-bosch-ammonia';
const TITLE = 'Iron-catalysed synthesis of ammonia from nitrogen and hydrogen';
const IDENTIFIER = '10.5555/not-there';

const service = useService();
let customers = 0;

function verify(...items: unknown[]): Promise<Got> {
  const email = `bibliography-${++customers}@example.org`;
  const { url, secret } = addAccount(service, { email, credits: 100 });
  return send(url, {
    method: 'POST',
    path: '/v1/verify',
    headers: { ...bearer(secret), 'content-type': 'application/json' },
    body: JSON.stringify({ items }),
  });
}

it('gets a result for each of its references, with its place', async () => {
  const references = `References 😀:\n\n1. ${TITLE}. 2026.\n2. ${IDENTIFIER}`;
  const { n, items } = JSON.parse((await verify({ references })).text);
  expect(n).toBe(2);
  expect(items).toMatchObject([{ verdict: 'match', d: PAPER }, { verdict: 'not_found' }]);
  const characters = [...references];
  const placed = items.map(({ start, end }: { start: number; end: number }) =>
    characters.slice(start, end).join(''),
  );
  expect(placed).toEqual([`${TITLE}. 2026.`, IDENTIFIER]);
});

it.each<[what: string, items: unknown[], message: string]>([
  [
    'without references',
    [{ references: '# References' }],
    'items[0].references: expected references, found none',
  ],
  [
    'of 101 references',
    [{ references: `${IDENTIFIER}\n`.repeat(101) }],
    'items[0].references: expected at most 100, found 101',
  ],
  [
    'of 100 references beside another item',
    [{ reference: TITLE }, { references: `${IDENTIFIER}\n`.repeat(100) }],
    'items: expected at most 100 items, got 101',
  ],
])('is refused %s', async (_, items, message) => {
  expectError(await verify(...items), { status: 400, code: 'bad_request', message });
});
