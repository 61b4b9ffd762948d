/** An OAuth client of a customer, for tests of the store. */
import { expect } from 'vitest';
import type {
  AccountWriteName,
  createLedgerHandler,
} from '../../src/accounts/ledger-thread/ledger-worker.ts';
import {
  type GrantLimits,
  isKnownCode,
  isTokenOfGrant,
  keyOfRefreshToken,
  type NewCode,
} from '../../src/accounts/sql/client-grants.ts';
import { createAccessTokenReader } from '../../src/accounts/sqlite/ledger/access-tokens.ts';
import { createChangeWatch } from '../../src/database/sqlite/change-watch.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';

export const newCode = (customerId: number, now: number): NewCode => ({
  customerId,
  clientId: 'https://c.example/c',
  clientName: 'C',
  redirectUri: '',
  codeChallenge: '',
  creditsPerMonthMax: 5,
  expiresAt: now + 60_000,
  codesMax: 5,
  now,
});

/** Connects a client as the ledger's thread does: its refresh token, and a second code for it. */
export function connectClient(
  db: Connection,
  handle: ReturnType<typeof createLedgerHandler>,
  { customerId, now }: { customerId: number; now: number },
) {
  const limits: GrantLimits = {
    accessTokenMs: 60_000,
    refreshTokenMs: 60_000,
    refreshGraceMs: 0,
    tokensPerGrantMax: 2,
    keysMax: 9,
    keysEverMax: 9,
  };
  const client = { clientId: 'https://c.example/c', limits, now };
  const write = (name: AccountWriteName, input: unknown): never => {
    const [result] = handle([{ kind: 'account', name, input }]);
    expect(result, name).toHaveProperty('value');
    return (result as { value: never }).value;
  };
  const first: string = write('addCode', newCode(customerId, now));
  const redeemed = { ...client, code: first, redirectUri: '', codeChallenge: '' };
  const refused: string = write('addCode', newCode(customerId, now));
  expect(write('redeemCode', { ...redeemed, code: refused, clientId: 'https://d.example/d' })).toBe(
    undefined,
  );
  const tokens: { access: string; refresh: string } = write('redeemCode', redeemed);
  expect(runOnSqlite(db, isKnownCode(first))).toBe(true);
  for (const token of [tokens.access, tokens.refresh]) {
    expect(runOnSqlite(db, isTokenOfGrant(token))).toBe(true);
  }
  expect(runOnSqlite(db, keyOfRefreshToken(tokens.refresh))?.client).toBe(client.clientId);
  const kept = { watch: createChangeWatch(db), keptMax: 9 };
  const reader = createAccessTokenReader(db, kept);
  expect(reader.authenticate(tokens.access, now)?.client).toBe(client.clientId);
  const code: string = write('addCode', newCode(customerId, now));
  return { client, code, refresh: tokens.refresh };
}
