/** Secrets, and what SQLite's reader of keys asks. What keys are worth is in ../conformance/keys.ts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type CreatedKey,
  isWellFormed,
  revokeKey,
  rotateKey,
} from '../../../src/accounts/sql/api-keys.ts';
import { addCustomer } from '../../../src/accounts/sql/customers.ts';
import { createKeyReader } from '../../../src/accounts/sqlite/ledger/key-reader.ts';
import { openStore } from '../../../src/database/open.ts';
import { createChangeWatch, type KeptOptions } from '../../../src/database/sqlite/change-watch.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { changeOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { addKey, NOW, openMemoryStore, temporaryFolder } from '../../support/accounts.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

let db: Connection;
let customerId: number;

beforeEach(() => {
  db = openMemoryStore();
  customerId = changeOnSqlite(db, addCustomer({ email: 'ada@example.org', now: NOW })).id;
});

const kept = (watched: Connection, keptMax = 10): KeptOptions => ({
  watch: createChangeWatch(watched),
  keptMax,
});

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
    const owner = changeOnSqlite(store, addCustomer({ email: 'ada@example.org', now: NOW })).id;
    const created = Array.from({ length: 20 }, () => addKey(store, owner));
    created.push(
      changeOnSqlite(store, rotateKey({ prefix: prefixOf(created[0]), graceEnds: NOW, now: NOW })),
    );
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

describe('a reader of keys', () => {
  it('does not query the database for a malformed secret', () => {
    const { secret } = addKey(db, customerId);
    const reader = createKeyReader(db, kept(db));
    db.close();
    expect(reader.authenticate(`${secret}a`, NOW)).toBeUndefined();
    expect(() => reader.authenticate(secret, NOW)).toThrow();
  });

  it('rejects a key that it has seen when another connection revokes it', async () => {
    const path = join(temporaryFolder(), 'keys.db');
    const [own, other] = [0, 1].map(() => openStore({ path, lockWaitMs: 1_000 })) as [
      Connection,
      Connection,
    ];
    const { id } = changeOnSqlite(other, addCustomer({ email: 'ada@example.org', now: NOW }));
    const [first, second] = [addKey(other, id), addKey(other, id)];
    // One fits in the cache, and the other is read each time.
    const reader = createKeyReader(own, kept(own, 1));
    for (const { secret } of [first, second, first, second]) {
      expect(reader.authenticate(secret, NOW)).toBeDefined();
    }
    for (const { key, secret } of [first, second]) {
      changeOnSqlite(other, revokeKey({ prefix: key.prefix, at: NOW }));
      await nextTurn();
      expect(reader.authenticate(secret, NOW)).toBeUndefined();
    }
    own.close();
    other.close();
  });
});
