/** `verbatim customer show`: the facts about a customer that operators need. */
import { Command } from 'commander';
import { sessionLimits } from '../accounts/create-accounts.ts';
import { isRevoked } from '../accounts/sql/api-keys.ts';
import type { Customer } from '../accounts/sql/customers.ts';
import type { ShownCustomer } from '../accounts/sql/operator-reads.ts';
import { formatNumber } from '../text/format-number.ts';
import { readAccounts } from './cli/accounts.ts';
import { type CommonOptions, settingsOf, withStoreOptions } from './cli/options.ts';
import { formatTime, print, printable, printJson, printTable } from './cli/output.ts';
import { describeLanes } from './parse-lanes.ts';

export function customerShowCommand(): Command {
  return withStoreOptions(new Command('show'))
    .description('show a customer: balance, state, members, sessions, keys and their usage')
    .argument('<email>', 'the customer')
    .action(async (email: string, options: CommonOptions) => {
      const settings = settingsOf(options);
      const limits = sessionLimits(settings);
      const shown = await readAccounts(settings, (accounts) =>
        accounts.showCustomer({ email, limits, now: Date.now() }),
      );
      if (options.json) printJson(shown);
      else printCustomer(shown);
    });
}

/** Says whether a customer is enabled, disabled, or has never confirmed the address. */
export function stateOf({
  disabledAt,
  unconfirmedSince,
}: Pick<Customer, 'disabledAt' | 'unconfirmedSince'>): string {
  if (disabledAt !== null) return `disabled ${formatTime(disabledAt)}`;
  return unconfirmedSince === null ? 'enabled' : 'unconfirmed';
}

function printCustomer(customer: ShownCustomer): void {
  const { lowBalance } = customer;
  const facts = {
    customer: customer.email,
    ...(customer.name === '' ? {} : { name: printable(customer.name) }),
    'added (UTC)': formatTime(customer.createdAt),
    state: stateOf(customer),
    balance: formatNumber(customer.balance),
    'warn below': lowBalance === null ? 'never' : formatNumber(lowBalance),
    lanes: describeLanes(customer.lanes),
    sessions: formatNumber(customer.sessions),
    ...(customer.note === '' ? {} : { note: printable(customer.note) }),
  };
  for (const [name, value] of Object.entries(facts)) print(`${name.padEnd(14)}${value}`);
  print('');
  printTable(
    ['member', 'role', 'password', 'two-step sign-in', 'last seen (UTC)'],
    customer.members.map(({ email, role, hasPassword, hasSecondFactor, seenAt }) => [
      ...[email, role, hasPassword ? 'chosen' : 'not chosen yet', hasSecondFactor ? 'on' : 'off'],
      formatTime(seenAt),
    ]),
  );
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
