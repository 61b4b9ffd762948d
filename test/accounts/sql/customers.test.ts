import { beforeEach, describe, expect, it } from 'vitest';
import {
  addCustomer,
  findCustomer,
  listCustomers,
  readBalance,
} from '../../../src/accounts/sql/customers.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { NOW, openMemoryStore } from '../../support/accounts.ts';

let db: Connection;

beforeEach(() => {
  db = openMemoryStore();
});

const add = (email: string): string => addCustomer(db, { email, now: NOW }).email;

/** An address of so many characters. */
const long = (length: number): string =>
  `${'a'.repeat(length - '@example.org'.length)}@example.org`;

describe('an address', () => {
  const accepted: [given: string, kept: string][] = [
    ['ada@example.org', 'ada@example.org'],
    ['Ada.Lovelace@Example.ORG', 'ada.lovelace@example.org'],
    ['  ada@example.org\n', 'ada@example.org'],
    ['ada+search@mail.example.org', 'ada+search@mail.example.org'],
    ['ada@localhost', 'ada@localhost'],
    ['ädä@exämple.org', 'ädä@exämple.org'],
    [long(254), long(254)],
  ];
  it.each(accepted)('%j is stored as %j', (given, kept) => {
    expect(add(given)).toBe(kept);
    expect(findCustomer(db, given)).toEqual({
      id: 1,
      email: kept,
      balance: 0,
      lowBalance: null,
      lanes: null,
      createdAt: NOW,
      disabledAt: null,
    });
  });

  const refused = [
    ...['', ' ', 'ada', '@', 'ada@', '@example.org', 'ada@example@org', 'ada lovelace@example.org'],
    ...['ada@example.org bob@example.org', 'ada@exam\nple.org', long(255)],
    // A mail would go to others too.
    ...['ada@example.org,bob@example.org', 'ada;bob@example.org', 'Ada<ada@example.org>'],
  ];
  it.each(refused)('%j is rejected', (given) => {
    expect(() => add(given)).toThrow(`"${given}" is not an e-mail address`);
    expect(listCustomers(db)).toEqual([]);
  });
});

describe('a customer', () => {
  it.each(['ada@example.org', 'ADA@EXAMPLE.ORG', ' Ada@Example.org '])(
    'is there once, and not again as %j',
    (again) => {
      add('ada@example.org');
      expect(() => add(again)).toThrow('the customer ada@example.org already exists');
      expect(listCustomers(db)).toHaveLength(1);
    },
  );

  it('is found in any case, but not by part of the address', () => {
    add('ada@example.org');
    expect(findCustomer(db, 'ADA@example.ORG').id).toBe(1);
    for (const unknown of ['ada', 'ada@example.or', '%', '', "' OR 1 = 1 --"]) {
      expect(() => findCustomer(db, unknown)).toThrow(`there is no customer ${unknown}`);
    }
  });

  it('is listed in the order of creation', () => {
    for (const name of ['zoe', 'ada', 'mia']) add(`${name}@example.org`);
    expect(listCustomers(db).map(({ email }) => email.slice(0, 3))).toEqual(['zoe', 'ada', 'mia']);
  });

  it('that does not exist has a balance of 0', () => {
    expect(readBalance(db, 99)).toBe(0);
  });
});
