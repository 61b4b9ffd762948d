/** `verbatim customer add|link|list|show|lanes|disable|enable`. */
import { Command } from 'commander';
import { VerbatimError } from '../errors.ts';
import type { LaneChoice } from '../lane-choice.ts';
import {
  addCustomer,
  type Customer,
  findCustomer,
  listCustomers,
  setNamedCustomerLanes,
} from '../store/accounts/customers.ts';
import { disableCustomer, enableCustomer } from '../store/accounts/disable-customer.ts';
import { topUp } from '../store/accounts/ledger.ts';
import type { Connection } from '../store/database/connection.ts';
import {
  type CommonOptions,
  parseCreditCount,
  settingsOf,
  withExistingStore,
  withStore,
  withStoreForReading,
  withStoreOptions,
} from './cli/options.ts';
import { formatNumber, formatTime, print, printJson, printTable } from './cli/output.ts';
import { customerShowCommand } from './customer-show.ts';
import { createLinkMaker, printLink } from './hand-out-link.ts';
import { describeLanes, LANES_ARGUMENT, parseLanes } from './parse-lanes.ts';

interface AddOptions extends CommonOptions {
  credits?: number;
}

export function customerCommand(): Command {
  return new Command('customer')
    .description('manage customers, who own keys and credit')
    .addCommand(addCommand())
    .addCommand(linkCommand())
    .addCommand(listCommand())
    .addCommand(customerShowCommand())
    .addCommand(lanesCommand())
    .addCommand(disableCommand())
    .addCommand(enableCommand());
}

function addCommand(): Command {
  return withStoreOptions(new Command('add'))
    .description('add a customer; mail or print a one-time link to choose a password')
    .argument('<email>', "the customer's e-mail address")
    .option('--credits <n>', 'credits to start with', parseCreditCount)
    .action(async (email: string, options: AddOptions) => {
      const settings = settingsOf(options);
      const links = createLinkMaker(settings);
      const now = Date.now();
      const { customer, link } = withStore(settings, (db) =>
        // All or nothing, since a customer cannot be added twice.
        db
          .transaction(() => {
            const added = addCustomer(db, { email, now });
            const link = links.create(db, added.id);
            const { credits } = options;
            if (credits === undefined) return { customer: added, link };
            const balance = topUp(db, { customerId: added.id, credits, now });
            return { customer: { ...added, balance }, link };
          })
          .immediate(),
      );
      const handedOut = await links.handOut({ email: customer.email, ...link });
      if (options.json) {
        printJson({ ...customer, link: handedOut });
        return;
      }
      print(`added ${customer.email} with ${formatNumber(customer.balance)} credits`);
      printLink(customer.email, handedOut);
    });
}

function linkCommand(): Command {
  return withStoreOptions(new Command('link'))
    .description('mail or print a new one-time link for a customer who is locked out')
    .argument('<email>', 'the customer')
    .action(async (email: string, options: CommonOptions) => {
      const settings = settingsOf(options);
      const links = createLinkMaker(settings);
      const { customer, link } = withExistingStore(settings, (db) =>
        db
          .transaction(() => {
            const found = findCustomer(db, email);
            if (found.disabledAt !== null) {
              throw new VerbatimError('usage', `the customer ${found.email} is disabled`);
            }
            return { customer: found, link: links.create(db, found.id) };
          })
          .immediate(),
      );
      const handedOut = await links.handOut({ email: customer.email, ...link });
      if (options.json) printJson({ email: customer.email, link: handedOut });
      else printLink(customer.email, handedOut);
    });
}

function listCommand(): Command {
  return withStoreOptions(new Command('list'))
    .description('list customers and their balances')
    .action((options: CommonOptions) => {
      const customers = withStoreForReading(settingsOf(options), listCustomers);
      if (options.json) {
        printJson(customers);
        return;
      }
      printTable(
        ['customer', 'balance', 'added (UTC)', 'state'],
        customers.map(({ email, balance, createdAt, disabledAt }) => [
          ...[email, balance, formatTime(createdAt)],
          disabledAt === null ? 'enabled' : `disabled ${formatTime(disabledAt)}`,
        ]),
      );
    });
}

function lanesCommand(): Command {
  return withStoreOptions(new Command('lanes'))
    .description("set the lanes that may receive a customer's questions")
    .argument('<email>', 'the customer')
    .argument('<lanes>', LANES_ARGUMENT, parseLanes)
    .action((email: string, lanes: LaneChoice, options: CommonOptions) => {
      const customer = withExistingStore(settingsOf(options), (db) =>
        setNamedCustomerLanes(db, { email, lanes }),
      );
      if (options.json) printJson(customer);
      else print(`lanes of ${customer.email}: ${describeLanes(customer.lanes)}`);
    });
}

function disableCommand(): Command {
  return withStoreOptions(new Command('disable'))
    .description('disable a customer immediately: keys get 401, sessions end')
    .argument('<email>', 'the customer')
    .action((email: string, options: CommonOptions) => {
      change(options, (db) => disableCustomer(db, { email, now: Date.now() }), 'disabled');
    });
}

function enableCommand(): Command {
  return withStoreOptions(new Command('enable'))
    .description('enable a disabled customer')
    .argument('<email>', 'the customer')
    .action((email: string, options: CommonOptions) => {
      change(options, (db) => enableCustomer(db, { email }), 'enabled');
    });
}

function change(options: CommonOptions, work: (db: Connection) => Customer, done: string): void {
  const customer = withExistingStore(settingsOf(options), work);
  if (options.json) printJson(customer);
  else print(`${done} ${customer.email}`);
}
