import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type ApiKey,
  type CreatedKey,
  createKey,
  createKeyReader,
  isWellFormed,
  listKeys,
  listKeysOf,
  revokeKey,
  rotateKey,
} from '../../../src/accounts/sql/api-keys.ts';
import { addCustomer } from '../../../src/accounts/sql/customers.ts';
import { openStore } from '../../../src/database/open.ts';
import { createChangeWatch, type KeptOptions } from '../../../src/database/sqlite/change-watch.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { addKey, NOW, openMemoryStore, temporaryFolder } from '../../support/accounts.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const HOUR = 3_600_000;

let db: Connection;
let customerId: number;

beforeEach(() => {
  db = openMemoryStore();
  customerId = addCustomer(db, { email: 'ada@example.org', now: NOW }).id;
});

const kept = (watched: Connection, keptMax = 10): KeptOptions => ({
  watch: createChangeWatch(watched),
  keptMax,
});
const authenticate = (secret: string, now = NOW): ApiKey | undefined =>
  createKeyReader(db, kept(db)).authenticate(secret, now);

describe('a secret', () => {
  it('is the prefix and 38 characters of base 62, each time another', () => {
    const secrets = Array.from({ length: 200 }, () => addKey(db, customerId).secret);
    expect(new Set(secrets).size).toBe(200);
    for (const secret of secrets) {
      expect(secret).toMatch(/^sk_live_[0-9A-Za-z]{38}$/);
      expect(isWellFormed(secret)).toBe(true);
    }
    const used = new Set(secrets.flatMap((secret) => [...secret.slice(8)]));
    expect([...used].toSorted()).toEqual([...ALPHABET].toSorted());
  });

  it('keeps the same checksum, so that issued keys stay valid', () => {
    expect(isWellFormed('sk_live_00000000000000000000000000000000' + '2UYg5A')).toBe(true);
  });

  it('is not well-formed with any one character changed', () => {
    const { secret } = addKey(db, customerId);
    fc.assert(
      fc.property(
        fc.nat(secret.length - 1),
        fc.oneof(fc.constantFrom(...ALPHABET), fc.string({ unit: 'grapheme', minLength: 1 })),
        (position, character) => {
          fc.pre(character !== secret[position]);
          const changed = secret.slice(0, position) + character + secret.slice(position + 1);
          expect(isWellFormed(changed)).toBe(false);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('is not well-formed with two neighbours swapped, one left out or one more', () => {
    const { secret } = addKey(db, customerId);
    const changed = [...secret].flatMap((character, i) => [
      secret.slice(0, i) + secret[i + 1] + character + secret.slice(i + 2),
      secret.slice(0, i) + secret.slice(i + 1),
      secret.slice(0, i) + character + secret.slice(i),
    ]);
    // Equal neighbours swapped are no change.
    const others = changed.filter((text) => text !== secret);
    expect(others.filter(isWellFormed)).toEqual([]);
  });

  const malformed: [what: string, change: (secret: string) => string][] = [
    ['nothing', () => ''],
    ['the prefix alone', () => 'sk_live_'],
    ['without the prefix', (secret) => secret.slice(8)],
    ['with another prefix', (secret) => secret.replace('live', 'test')],
    ['in capitals', (secret) => secret.toUpperCase()],
    ['with a space before', (secret) => ` ${secret}`],
    ['with a line end', (secret) => `${secret}\n`],
    ['with NUL', (secret) => `${secret}\0`],
    ['twice', (secret) => secret + secret],
    ['very long', (secret) => secret + 'a'.repeat(100_000)],
  ];
  it.each(malformed)('is not well-formed: %s', (_what, change) => {
    expect(isWellFormed(change(addKey(db, customerId).secret))).toBe(false);
  });

  it('is in no file of the database, only its hash is', () => {
    const folder = temporaryFolder();
    const store = openStore({ path: join(folder, 'keys.db'), lockWaitMs: 0 });
    const owner = addCustomer(store, { email: 'ada@example.org', now: NOW }).id;
    const created = Array.from({ length: 20 }, () => addKey(store, owner));
    created.push(rotateKey(store, { prefix: prefixOf(created[0]), graceEnds: NOW, now: NOW }));
    const bytes = (): Buffer =>
      Buffer.concat(readdirSync(folder).map((file) => readFileSync(join(folder, file))));
    const whileOpen = bytes();
    store.close();
    for (const files of [whileOpen, bytes()]) {
      expect(files.includes('sk_live_')).toBe(false);
      for (const { key, secret } of created) {
        // Neither whole, nor the random part, nor a half of it; but the row itself is there.
        expect(files.includes(secret.slice(8, 40))).toBe(false);
        expect(files.includes(secret.slice(8, 24))).toBe(false);
        expect(files.includes(secret.slice(24, 40))).toBe(false);
        expect(files.includes(key.prefix)).toBe(true);
      }
    }
  });
});

function prefixOf(created: CreatedKey | undefined): string {
  if (created === undefined) throw new Error('no key');
  return created.key.prefix;
}

describe('authentication', () => {
  it('finds the key of a secret, with its customer and caps', () => {
    const caps = { requestsPerMinute: 30, inFlightMax: 2 };
    const { key, secret } = createKey(db, { customerId, name: 'laptop', ...caps, now: NOW });
    expect(authenticate(secret)).toEqual(key);
    expect(key).toMatchObject({ customer: 'ada@example.org', customerId, name: 'laptop', ...caps });
    expect(key.prefix).toMatch(/^[0-9a-f]{10}$/);
  });

  it('rejects secrets of other services', () => {
    const { secret } = addKey(openStoreWithCustomer(), 1);
    expect(isWellFormed(secret)).toBe(true);
    expect(authenticate(secret)).toBeUndefined();
  });

  it('accepts neither a hash nor a prefix as a secret', () => {
    const { key, secret } = addKey(db, customerId);
    expect(authenticate(key.prefix)).toBeUndefined();
    expect(authenticate(`sk_live_${key.prefix}`)).toBeUndefined();
    expect(authenticate(secret)).toBeDefined();
  });

  it('does not query the database for a malformed secret', () => {
    const { secret } = addKey(db, customerId);
    const reader = createKeyReader(db, kept(db));
    db.close();
    expect(reader.authenticate(`${secret}a`, NOW)).toBeUndefined();
    expect(() => reader.authenticate(secret, NOW)).toThrow();
  });
});

function openStoreWithCustomer(): Connection {
  const store = openMemoryStore();
  addCustomer(store, { email: 'bob@example.org', now: NOW });
  return store;
}

describe('a prefix', () => {
  it('finds its key, in full or as far as it is unique', () => {
    const [first, second] = [addKey(db, customerId), addKey(db, customerId)];
    let length = 1;
    while (prefixOf(first).slice(0, length) === prefixOf(second).slice(0, length)) length++;
    const short = prefixOf(second).slice(0, length);
    expect(revokeKey(db, { prefix: short, at: NOW }).prefix).toBe(prefixOf(second));
    expect(revokeKey(db, { prefix: prefixOf(first), at: NOW }).prefix).toBe(prefixOf(first));
  });

  const unknown = ['', ' ', '%', '_', 'zzzz', "' OR 1 = 1 --", '\0'];
  it.each(unknown)('rejects %j', (prefix) => {
    addKey(db, customerId);
    const error = `there is no key with the prefix "${prefix}"`;
    expect(() => revokeKey(db, { prefix, at: NOW })).toThrow(error);
    expect(() => rotateKey(db, { prefix, graceEnds: NOW, now: NOW })).toThrow(error);
    expect(listKeys(db).map(({ revokedAt }) => revokedAt)).toEqual([null]);
  });

  it('longer than the stored one finds no key', () => {
    const prefix = `${prefixOf(addKey(db, customerId))}0`;
    expect(() => revokeKey(db, { prefix, at: NOW })).toThrow('there is no key');
  });

  it('that matches several keys is rejected', () => {
    // 17 keys, 16 first digits.
    const firsts = Array.from({ length: 17 }, () => prefixOf(addKey(db, customerId)).charAt(0));
    const prefix = firsts.find((digit, index) => firsts.indexOf(digit) !== index) ?? '';
    const error = `more than one key starts with "${prefix}"`;
    expect(() => revokeKey(db, { prefix, at: NOW })).toThrow(error);
    expect(() => rotateKey(db, { prefix, graceEnds: NOW, now: NOW })).toThrow(error);
    expect(listKeys(db).filter(({ revokedAt }) => revokedAt !== null)).toEqual([]);
  });
});

describe('a revoked key', () => {
  it('is rejected from that moment on, and no sooner', () => {
    const { key, secret } = addKey(db, customerId);
    revokeKey(db, { prefix: key.prefix, at: NOW + HOUR });
    const times = [NOW, NOW + HOUR - 1, NOW + HOUR, NOW + HOUR + 1];
    expect(times.map((now) => authenticate(secret, now) !== undefined)).toEqual([
      ...[true, true, false, false],
    ]);
  });

  it('is rejected by a reader that has seen it', async () => {
    const { key, secret } = addKey(db, customerId);
    const reader = createKeyReader(db, kept(db));
    expect(reader.authenticate(secret, NOW)).toBeDefined();
    revokeKey(db, { prefix: key.prefix, at: NOW });
    await nextTurn();
    expect(reader.authenticate(secret, NOW)).toBeUndefined();
  });

  it('is rejected by a reader that has seen it, when another connection revokes it', async () => {
    const path = join(temporaryFolder(), 'keys.db');
    const [own, other] = [0, 1].map(() => openStore({ path, lockWaitMs: 1_000 })) as [
      Connection,
      Connection,
    ];
    const { id } = addCustomer(other, { email: 'ada@example.org', now: NOW });
    const [first, second] = [addKey(other, id), addKey(other, id)];
    // One fits in the cache, and the other is read each time.
    const reader = createKeyReader(own, kept(own, 1));
    for (const { secret } of [first, second, first, second]) {
      expect(reader.authenticate(secret, NOW)).toBeDefined();
    }
    for (const { key, secret } of [first, second]) {
      revokeKey(other, { prefix: key.prefix, at: NOW });
      await nextTurn();
      expect(reader.authenticate(secret, NOW)).toBeUndefined();
    }
    own.close();
    other.close();
  });

  const ends: [first: number, second: number, end: number][] = [
    [NOW, NOW + HOUR, NOW],
    [NOW + HOUR, NOW, NOW],
    [NOW, NOW, NOW],
  ];
  it.each(ends)('ended at %i and again at %i has ended at %i', (first, second, end) => {
    const { prefix } = addKey(db, customerId).key;
    revokeKey(db, { prefix, at: first });
    expect(revokeKey(db, { prefix, at: second }).revokedAt).toBe(end);
  });

  it('does not affect other keys of the customer', () => {
    const [first, second] = [addKey(db, customerId), addKey(db, customerId)];
    revokeKey(db, { prefix: prefixOf(first), at: NOW });
    expect(authenticate(second.secret)).toBeDefined();
  });
});

describe('rotation', () => {
  it('creates a new secret with the same customer, name and caps', () => {
    const caps = { requestsPerMinute: 7, inFlightMax: 3 };
    const old = createKey(db, { customerId, name: 'cluster', ...caps, now: NOW });
    const rotated = rotateKey(db, { prefix: old.key.prefix, graceEnds: NOW + 5, now: NOW + 5 });
    expect(rotated.secret).not.toBe(old.secret);
    expect(rotated.key).toEqual({
      ...old.key,
      id: 2,
      prefix: rotated.key.prefix,
      createdAt: NOW + 5,
      revokedAt: null,
    });
    expect(authenticate(rotated.secret)).toEqual(rotated.key);
  });

  const graces: [what: string, graceMs: number][] = [
    ['without grace', 0],
    ['with an hour of grace', HOUR],
  ];
  it.each(graces)('%s ends the old key at its end', (_what, graceMs) => {
    const { key, secret } = addKey(db, customerId);
    const graceEnds = NOW + graceMs;
    const { secret: newSecret } = rotateKey(db, { prefix: key.prefix, graceEnds, now: NOW });
    const isTaken = (text: string, now: number): boolean => authenticate(text, now) !== undefined;
    expect([isTaken(secret, graceEnds - 1), isTaken(secret, graceEnds)]).toEqual([true, false]);
    expect(isTaken(newSecret, graceEnds + HOUR)).toBe(true);
  });

  it('of a key in its grace period never extends that period', () => {
    const { prefix } = addKey(db, customerId).key;
    rotateKey(db, { prefix, graceEnds: NOW + HOUR, now: NOW });
    rotateKey(db, { prefix, graceEnds: NOW + 9 * HOUR, now: NOW + 1 });
    expect(listKeys(db).map(({ revokedAt }) => revokedAt)).toEqual([NOW + HOUR, null, null]);
  });

  it('of a revoked key is rejected', () => {
    const { prefix } = addKey(db, customerId).key;
    revokeKey(db, { prefix, at: NOW });
    expect(() => rotateKey(db, { prefix, graceEnds: NOW + HOUR, now: NOW })).toThrow(
      `the key ${prefix} is already revoked`,
    );
    expect(listKeys(db).map(({ revokedAt }) => revokedAt)).toEqual([NOW]);
  });
});

describe('the list of keys', () => {
  it('has all of them, or those of one customer, oldest first', () => {
    const bob = addCustomer(db, { email: 'bob@example.org', now: NOW }).id;
    const prefixes = [customerId, bob, customerId].map((owner) => prefixOf(addKey(db, owner)));
    const listed = (owner?: number): string[] =>
      (owner === undefined ? listKeys(db) : listKeysOf(db, owner)).map(({ prefix }) => prefix);
    expect(listed()).toEqual(prefixes);
    expect(listed(customerId)).toEqual([prefixes[0], prefixes[2]]);
    expect(listed(bob)).toEqual([prefixes[1]]);
    expect(listed(99)).toEqual([]);
  });

  it('is empty for an unknown customer', () => {
    expect(() => addKey(db, 99)).toThrow('FOREIGN KEY');
  });
});
