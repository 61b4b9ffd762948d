/** `verbatim customer show`: the facts about a customer that operators need. */
import { Command } from 'commander';
import { sessionLimits } from '../accounts/create-accounts.ts';
import type { Settings } from '../config.ts';
import { isRevoked } from '../store/accounts/api-keys.ts';
import { type Customer, findCustomer } from '../store/accounts/customers.ts';
import { listOwnKeys, type OwnKey } from '../store/accounts/own-keys.ts';
import { loginOf } from '../store/accounts/passwords.ts';
import { countSessions } from '../store/accounts/sessions.ts';
import type { Connection } from '../store/database/connection.ts';
import {
  type CommonOptions,
  settingsOf,
  withStoreForReading,
  withStoreOptions,
} from './cli/options.ts';
import { formatNumber, formatTime, print, printable, printJson, printTable } from './cli/output.ts';
import { describeLanes } from './parse-lanes.ts';

interface ShownCustomer extends Customer {
  hasPassword: boolean;
  sessions: number;
  keys: OwnKey[];
}

export function customerShowCommand(): Command {
  return withStoreOptions(new Command('show'))
    .description('show a customer: balance, state, sessions, keys and their usage')
    .argument('<email>', 'the customer')
    .action((email: string, options: CommonOptions) => {
      const settings = settingsOf(options);
      const shown = withStoreForReading(settings, (db) => readCustomer(db, settings, email));
      if (options.json) printJson(shown);
      else printCustomer(shown);
    });
}

function readCustomer(db: Connection, settings: Settings, email: string): ShownCustomer {
  // One consistent snapshot, whatever a server writes in the meantime.
  return db.transaction(() => {
    const now = Date.now();
    const customer = findCustomer(db, email);
    const limits = sessionLimits(settings);
    return {
      ...customer,
      hasPassword: typeof loginOf(db, customer.id)?.passwordHash === 'string',
      sessions: countSessions(db, { customerId: customer.id, limits, now }),
      keys: listOwnKeys(db, { customerId: customer.id, now }),
    };
  })();
}

function printCustomer(customer: ShownCustomer): void {
  const { disabledAt, lowBalance } = customer;
  const facts = {
    customer: customer.email,
    'added (UTC)': formatTime(customer.createdAt),
    state: disabledAt === null ? 'enabled' : `disabled ${formatTime(disabledAt)}`,
    balance: formatNumber(customer.balance),
    'warn below': lowBalance === null ? 'never' : formatNumber(lowBalance),
    lanes: describeLanes(customer.lanes),
    password: customer.hasPassword ? 'chosen' : 'not chosen yet',
    sessions: formatNumber(customer.sessions),
  };
  for (const [name, value] of Object.entries(facts)) print(`${name.padEnd(14)}${value}`);
  print('');
  printTable(
    [
      ...[
        'key',
        'name',
        'credits this month',
        'cap',
        'lanes',
        'requests to date',
        'credits to date',
      ],
      ...['last used (UTC)', 'state'],
    ],
    customer.keys.map((key) => [
      ...[key.prefix, printable(key.name), key.thisMonth.credits],
      ...[key.creditsPerMonthMax === null ? 'none' : formatNumber(key.creditsPerMonthMax)],
      describeLanes(key.lanes),
      ...[key.toDate.requests, key.toDate.credits, formatTime(key.lastUsedAt)],
      isRevoked(key, Date.now()) ? 'revoked' : 'valid',
    ]),
  );
}
