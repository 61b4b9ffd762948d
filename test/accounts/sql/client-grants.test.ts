/** What grants to clients are worth, as time passes. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createAccessTokenReader } from '../../../src/accounts/sql/access-tokens.ts';
import { listKeysOf } from '../../../src/accounts/sql/api-keys.ts';
import {
  addCode,
  type GrantLimits,
  type Issued,
  type IssuedTokens,
  redeemCode,
  refreshGrant,
  revokeToken,
} from '../../../src/accounts/sql/client-grants.ts';
import { addCustomer } from '../../../src/accounts/sql/customers.ts';
import { createChangeWatch } from '../../../src/database/sqlite/change-watch.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { NOW, openMemoryStore } from '../../support/accounts.ts';

const CLIENT = 'https://agent.example/client.json';
const REDIRECT = 'https://agent.example/callback';
const CHALLENGE = 'x'.repeat(43);
const MINUTE = 60_000;
const limits: GrantLimits = {
  accessTokenMs: 60 * MINUTE,
  refreshTokenMs: 600 * MINUTE,
  refreshGraceMs: 0,
  tokensPerGrantMax: 2,
  keysMax: 10,
  keysEverMax: 100,
};

let db: Connection;
let ada: number;
let grace: number;

beforeEach(() => {
  db = openMemoryStore();
  ada = addCustomer(db, { email: 'ada@example.org', now: NOW }).id;
  grace = addCustomer(db, { email: 'grace@example.org', now: NOW }).id;
});

function newCode(customerId = ada, changed = {}): string {
  const client = { clientId: CLIENT, clientName: 'Agent', redirectUri: REDIRECT };
  const bounds = { creditsPerMonthMax: 5, expiresAt: NOW + MINUTE, codesMax: 2, now: NOW };
  return addCode(db, { customerId, ...client, codeChallenge: CHALLENGE, ...bounds, ...changed });
}

function redeem(code: string, now = NOW): Issued {
  const client = { clientId: CLIENT, redirectUri: REDIRECT, codeChallenge: CHALLENGE };
  return redeemCode(db, { code, ...client, limits, now });
}

const connect = (customerId = ada): IssuedTokens => redeem(newCode(customerId)) as IssuedTokens;
const refresh = (token: string, now = NOW): Issued =>
  refreshGrant(db, { token, clientId: CLIENT, limits, now });
const callerOf = (token: string, now = NOW): number | undefined =>
  createAccessTokenReader(db, { watch: createChangeWatch(db), keptMax: 10 }).authenticate(
    token,
    now,
  )?.customerId;

describe('what was granted', () => {
  it('ends at its time: the code, the access token, the refresh token', () => {
    expect(redeem(newCode(), NOW + MINUTE)).toBeUndefined();
    const { access, refresh: token } = connect();
    expect(callerOf(access, NOW + limits.accessTokenMs - 1)).toBe(ada);
    expect(callerOf(access, NOW + limits.accessTokenMs)).toBeUndefined();
    expect(refresh(token, NOW + limits.refreshTokenMs)).toBeUndefined();
    const next = refresh(token, NOW + limits.refreshTokenMs - 1) as IssuedTokens;
    expect(callerOf(next.access, NOW + limits.refreshTokenMs)).toBe(ada);
  });

  it('is that of the customer who consented, and of nobody else', () => {
    const [hers, other] = [connect(ada), connect(grace)];
    expect([callerOf(hers.access), callerOf(other.access)]).toEqual([ada, grace]);
    expect([ada, grace].map((id) => listKeysOf(db, id).length)).toEqual([1, 1]);
    revokeToken(db, { token: hers.refresh, clientId: CLIENT, now: NOW });
    expect([callerOf(hers.access), callerOf(other.access)]).toEqual([undefined, grace]);
    expect(refresh(other.refresh)).toBeDefined();
    expect(refresh(hers.refresh)).toBeUndefined();
  });

  it('keeps few codes and few tokens', () => {
    const codes = [1, 2, 3].map((minutes) => newCode(ada, { expiresAt: NOW + minutes * MINUTE }));
    expect(codes.map((code) => redeem(code) !== undefined)).toEqual([false, true, true]);
    const { access, refresh: token } = connect();
    let last = refresh(token) as IssuedTokens;
    for (let count = 1; count < 5; count++)
      last = refresh(last.refresh, NOW + count) as IssuedTokens;
    expect(callerOf(access)).toBeUndefined();
    expect(callerOf(last.access)).toBe(ada);
    const stored = db
      .prepare(
        'SELECT max(count) FROM (SELECT count(*) AS count FROM client_tokens GROUP BY grant_id, kind)',
      )
      .pluck();
    expect(stored.get()).toBe(limits.tokensPerGrantMax);
  });

  it('ends when a code comes back after its time', () => {
    const code = newCode();
    const { access } = redeem(code) as IssuedTokens;
    expect(redeem(code, NOW + 10 * MINUTE)).toBeUndefined();
    expect(callerOf(access)).toBeUndefined();
  });
});
