/** Customers and members on PostgreSQL: what decides when two of their transactions meet at any statement. */
import { describe, expect, it } from 'vitest';
import { rotateKey } from '../../../src/accounts/sql/api-keys.ts';
import {
  addCode,
  redeemCode,
  refreshGrant,
  revokeToken,
} from '../../../src/accounts/sql/client-grants.ts';
import { deleteCustomer } from '../../../src/accounts/sql/delete-customer.ts';
import { disableCustomer } from '../../../src/accounts/sql/disable-customer.ts';
import {
  inviteMember,
  removeMember,
  renewInvitation,
  setMemberRole,
} from '../../../src/accounts/sql/member-rows.ts';
import { operatorChanges } from '../../../src/accounts/sql/operator-changes.ts';
import { createOwnKey, rotateOwnSecret } from '../../../src/accounts/sql/own-keys.ts';
import {
  replacePassword,
  setPasswordByLink,
  startSession,
} from '../../../src/accounts/sql/passwords.ts';
import {
  disableSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../../../src/accounts/sql/second-factor-rows.ts';
import { NOW } from '../../support/accounts.ts';
import {
  addPerson,
  codeOf,
  DAY_MS,
  outcomesOf,
  type Person,
} from '../conformance/accounts-under-test.ts';
import { atEachStatement, useAccounts } from './meetings.ts';

const HASH = '$scrypt$member';
const limits = { lifetimeMs: DAY_MS, idleMs: DAY_MS, perMemberMax: 9 };
const linkExpiresAt = NOW + 1_000;
const get = useAccounts();

const find = (token: string) => get().store.findSession({ token, limits, now: NOW });
const accept = (token: string) =>
  get().store.setPasswordByLink({ token, passwordHash: HASH, limits, now: NOW });

/** A customer whose owner has a password. */
async function addOwner(): Promise<Person> {
  const person = await addPerson(get());
  const { memberId } = person;
  const { token } = await get().store.createLink({ memberId, expiresAt: linkExpiresAt });
  await accept(token);
  return person;
}

let invited = 0;
function newInvitation({ customerId }: Person) {
  const email = `invited-${++invited}@example.org`;
  return { customerId, email, role: 'owner' as const, membersMax: 2, linkExpiresAt, now: NOW };
}

function newKey({ customerId }: Person) {
  const keyLimits = { keysMax: 2, keysEverMax: 9, creditsPerMonthMax: null };
  return { customerId, name: 'own', ...keyLimits, now: NOW };
}

/** Both owners of a customer. Each has a password. */
async function addTwoOwners() {
  const owner = await addOwner();
  const { customerId, memberId } = owner;
  const { member, link } = await get().store.inviteMember(newInvitation(owner));
  await accept(link.token);
  return { one: { customerId, memberId }, other: { customerId, memberId: member.id } };
}

describe('members', () => {
  it('are not invited beyond the number', async () => {
    await atEachStatement(get().database, async (meet) => {
      const owner = await addPerson(get());
      const invite = () => inviteMember(newInvitation(owner));
      const both = await meet(invite, invite);
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['bad_request'] });
    });
  });

  it('who remove each other leave an owner', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { one, other } = await addTwoOwners();
      const both = await meet(
        () => removeMember(one),
        () => removeMember(other),
      );
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['last_owner'] });
    });
  });

  it('who demote each other leave an owner', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { one, other } = await addTwoOwners();
      const both = await meet(
        () => setMemberRole({ ...one, role: 'billing' }),
        () => setMemberRole({ ...other, role: 'billing' }),
      );
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['last_owner'] });
    });
  });

  it('accept an invitation, or get another one', async () => {
    await atEachStatement(get().database, async (meet) => {
      const owner = await addPerson(get());
      const { customerId } = owner;
      const { member, link } = await get().store.inviteMember(newInvitation(owner));
      const both = await meet(
        () => renewInvitation({ customerId, memberId: member.id, expiresAt: linkExpiresAt }),
        () => setPasswordByLink({ token: link.token, passwordHash: HASH, limits, now: NOW }),
      );
      expect((await outcomesOf(both)).resolved).toBe(1);
    });
  });
});

describe('passwords and sessions', () => {
  it('are set by a link once', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { memberId } = await addPerson(get());
      const { token } = await get().store.createLink({ memberId, expiresAt: linkExpiresAt });
      const redeem = () => setPasswordByLink({ token, passwordHash: HASH, limits, now: NOW });
      const both = await meet(redeem, redeem);
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['link_over'] });
    });
  });

  it('start or change with the password that was checked', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { memberId } = await addOwner();
      const checked = { memberId, passwordHash: HASH, limits, now: NOW };
      const [started, replaced] = await meet(
        () => startSession(checked),
        () => replacePassword({ ...checked, newHash: 'new' }),
      );
      const token = await started.then((session) => session.token).catch(() => '');
      expect(await find(token)).toBeUndefined();
      expect(await find((await replaced).token)).toBeDefined();
    });
  });

  it('end when the customer is disabled', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { memberId, email } = await addOwner();
      const [started, disabled] = await meet(
        () => startSession({ memberId, passwordHash: HASH, limits, now: NOW }),
        () => disableCustomer({ email, now: NOW }),
      );
      const token = await started.then((session) => session.token).catch(() => '');
      expect((await disabled).disabledAt).toBe(NOW);
      await get().operator.enableCustomer({ email });
      expect(await find(token)).toBeUndefined();
    });
  });

  it('have no link after the customer is disabled', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { email } = await addOwner();
      const [linked, disabled] = await meet(
        () => operatorChanges.createLink({ email, expiresAt: linkExpiresAt }),
        () => disableCustomer({ email, now: NOW }),
      );
      const token = await linked.then(({ link }) => link.token).catch(() => '');
      await disabled;
      await get().operator.enableCustomer({ email });
      expect(await codeOf(get().store.findLink({ token, now: NOW }))).toBe('link_over');
    });
  });
});

describe('a second factor', () => {
  const hashOf = (text: string) => Buffer.alloc(32, text);
  const byCode = { proof: { recoveryHash: hashOf('a') }, recoveryHashes: [hashOf('x')] };
  const byStep = { proof: { step: 6 }, recoveryHashes: [hashOf('y')] };
  const addFactor = async () => {
    const { email } = await addPerson(get());
    const secret = Buffer.alloc(20, 7);
    const factor = {
      email,
      secret,
      step: 5,
      recoveryHashes: ['a', 'b', 'c'].map(hashOf),
      now: NOW,
    };
    await get().store.enableSecondFactor(factor);
    return { email, find: () => get().store.findSecondFactor(email) };
  };

  it('has the recovery codes of one renewal', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { email, find } = await addFactor();
      const [, renewed] = await meet(
        () => renewRecoveryCodes({ email, ...byCode }),
        () => renewRecoveryCodes({ email, ...byStep }),
      );
      await renewed;
      expect((await find())?.recoveryCodesLeft).toBe(1);
    });
  });

  it('is turned off, or has new recovery codes', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { email, find } = await addFactor();
      const both = await meet(
        () => disableSecondFactor({ email, proof: byCode.proof }),
        () => renewRecoveryCodes({ email, ...byStep }),
      );
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['wrong_code'] });
      const isOn = (await codeOf(both[0])) !== undefined;
      expect((await find())?.recoveryCodesLeft).toBe(isOn ? 1 : undefined);
    });
  });

  it('is removed with new recovery codes, too', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { email, find } = await addFactor();
      const [removed] = await meet(
        () => removeSecondFactor(email),
        () => renewRecoveryCodes({ email, ...byStep }),
      );
      expect(await removed).toBe(true);
      expect(await find()).toBeUndefined();
    });
  });
});

describe('keys', () => {
  it('are made no more often than there is room for', async () => {
    await atEachStatement(get().database, async (meet) => {
      const input = newKey(await addPerson(get()));
      const create = () => createOwnKey(input);
      const both = await meet(create, create);
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['bad_request'] });
    });
  });

  it('are made once by a form', async () => {
    await atEachStatement(get().database, async (meet) => {
      const input = { ...newKey(await addPerson(get())), keysMax: 9, idempotencyKey: 'copy' };
      const create = () => createOwnKey(input);
      const both = await meet(create, create);
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['form_sent'] });
    });
  });

  it('get one new secret of a form', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { customerId, key } = await addPerson(get());
      const { prefix } = key;
      const rotate = () => rotateOwnSecret({ customerId, prefix, graceEnds: NOW + 9, now: NOW });
      const both = await meet(rotate, rotate);
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['form_sent'] });
    });
  });

  it('are replaced by the operator once', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { prefix } = (await addPerson(get())).key;
      const rotate = () => rotateKey({ prefix, graceEnds: NOW, now: NOW });
      const both = await meet(rotate, rotate);
      expect(await outcomesOf(both)).toEqual({ resolved: 1, codes: ['unknown_key'] });
    });
  });
});

describe('clients', () => {
  const clientId = 'https://agent.example/client.json';
  const redirectUri = 'https://agent.example/';
  const codeChallenge = 'x'.repeat(43);
  const client = { clientId, redirectUri, codeChallenge };
  const limits = {
    accessTokenMs: 1_000,
    refreshTokenMs: DAY_MS,
    refreshGraceMs: 10,
    tokensPerGrantMax: 4,
    keysMax: 9,
    keysEverMax: 9,
  };
  const newCode = ({ customerId }: Person) => {
    const bounds = { creditsPerMonthMax: 9, expiresAt: linkExpiresAt, codesMax: 1, now: NOW };
    return { customerId, clientName: 'Agent', ...client, ...bounds };
  };
  const newRedemption = async (person: Person) => {
    const code = await get().store.addCode(newCode(person));
    return { code, ...client, limits, now: NOW };
  };
  const connect = async () => {
    const person = await addPerson(get());
    const tokens = await get().store.redeemCode(await newRedemption(person));
    if (tokens === undefined) throw new Error('the code was refused');
    return { ...person, refreshing: { token: tokens.refresh, clientId, limits, now: NOW } };
  };

  it('have no more codes than they may', async () => {
    await atEachStatement(get().database, async (meet) => {
      const input = newCode(await addPerson(get()));
      const add = () => addCode(input);
      const codes = await meet(add, add);
      const known = codes.map(async (code) => await get().store.isKnownCode(await code));
      expect((await Promise.all(known)).sort()).toEqual([false, true]);
    });
  });

  it('get tokens for a code once', async () => {
    await atEachStatement(get().database, async (meet) => {
      const redemption = await newRedemption(await addPerson(get()));
      const redeem = () => redeemCode(redemption);
      const issued = await Promise.all(await meet(redeem, redeem));
      expect(issued.filter((tokens) => tokens !== undefined)).toHaveLength(1);
    });
  });

  it('have no tokens of a deleted account', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { customerId, memberId, refreshing } = await connect();
      const [refreshed, removed] = await meet(
        () => refreshGrant(refreshing),
        () => deleteCustomer({ customerId, memberId, creditsForfeited: 0, now: NOW }),
      );
      await removed;
      const { access = '' } = (await refreshed) ?? {};
      expect(await get().store.isTokenOfGrant(access)).toBe(false);
    });
  });

  // No lock decides this: the key is revoked, whichever comes first.
  it('have no access after they gave it up', async () => {
    await atEachStatement(get().database, async (meet) => {
      const { refreshing } = await connect();
      const [refreshed, revoked] = await meet(
        () => refreshGrant(refreshing),
        () => revokeToken(refreshing),
      );
      await revoked;
      const { access = '', refresh = '' } = (await refreshed) ?? {};
      const admission = { secret: access, acceptsTokens: true, now: NOW };
      expect(await get().store.admit(admission)).toBeUndefined();
      const again = { ...refreshing, token: refresh };
      expect(await get().store.refreshGrant(again)).toBeUndefined();
    });
  });
});
