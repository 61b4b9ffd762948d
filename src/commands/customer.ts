/** `verbatim customer add|link|list|show|lanes|disable|enable|remove-second-factor`. */
import { Command } from 'commander';
import type { OperatorStore } from '../accounts/ports/operator-store.ts';
import type { Customer } from '../accounts/sql/customers.ts';
import type { LaneChoice } from '../settings/lane-choice.ts';
import { formatNumber } from '../text/format-number.ts';
import { changeAccounts, createAccounts, readAccounts } from './cli/accounts.ts';
import {
  type CommonOptions,
  parseCreditCount,
  settingsOf,
  withStoreOptions,
} from './cli/options.ts';
import { formatTime, print, printJson, printTable } from './cli/output.ts';
import { customerShowCommand, stateOf } from './customer-show.ts';
import { createLinkMaker, printLink } from './link-maker.ts';
import { describeLanes, LANES_ARGUMENT, parseLanes } from './parse-lanes.ts';
import { removeSecondFactorCommand } from './remove-second-factor.ts';

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
    .addCommand(enableCommand())
    .addCommand(removeSecondFactorCommand());
}

function addCommand(): Command {
  return withStoreOptions(new Command('add'))
    .description('add a customer; mail or print a one-time link to choose a password')
    .argument('<email>', "the customer's e-mail address")
    .option('--credits <n>', 'credits to start with', parseCreditCount)
    .action(async (email: string, options: AddOptions) => {
      const settings = settingsOf(options);
      const links = createLinkMaker(settings);
      const { customer, link } = await createAccounts(settings, (accounts) =>
        accounts.addCustomer({
          email,
          credits: options.credits,
          linkExpiresAt: links.expiresAt(),
          now: Date.now(),
        }),
      );
      const delivered = await links.deliver({ email: customer.email, ...link });
      if (options.json) {
        printJson({ ...customer, link: delivered });
        return;
      }
      print(`added ${customer.email} with ${formatNumber(customer.balance)} credits`);
      printLink(customer.email, delivered);
    });
}

function linkCommand(): Command {
  return withStoreOptions(new Command('link'))
    .description('mail or print a new one-time link for a member who is locked out')
    .argument('<email>', "the member's address")
    .action(async (email: string, options: CommonOptions) => {
      const settings = settingsOf(options);
      const links = createLinkMaker(settings);
      const member = await changeAccounts(settings, (accounts) =>
        accounts.createLink({ email, expiresAt: links.expiresAt() }),
      );
      const delivered = await links.deliver({ email: member.email, ...member.link });
      if (options.json) printJson({ email: member.email, link: delivered });
      else printLink(member.email, delivered);
    });
}

function listCommand(): Command {
  return withStoreOptions(new Command('list'))
    .description('list customers and their balances')
    .action(async (options: CommonOptions) => {
      const customers = await readAccounts(settingsOf(options), (accounts) =>
        accounts.listCustomers(),
      );
      if (options.json) {
        printJson(customers);
        return;
      }
      printTable(
        ['customer', 'balance', 'added (UTC)', 'state'],
        customers.map((customer) => [
          ...[customer.email, customer.balance, formatTime(customer.createdAt)],
          stateOf(customer),
        ]),
      );
    });
}

function lanesCommand(): Command {
  return withStoreOptions(new Command('lanes'))
    .description("set the lanes that may receive a customer's questions")
    .argument('<email>', 'the customer')
    .argument('<lanes>', LANES_ARGUMENT, parseLanes)
    .action(async (email: string, lanes: LaneChoice, options: CommonOptions) => {
      const customer = await changeAccounts(settingsOf(options), (accounts) =>
        accounts.setCustomerLanes({ email, lanes }),
      );
      if (options.json) printJson(customer);
      else print(`lanes of ${customer.email}: ${describeLanes(customer.lanes)}`);
    });
}

function disableCommand(): Command {
  return withStoreOptions(new Command('disable'))
    .description('disable a customer immediately: API keys are refused, and sessions end')
    .argument('<email>', 'the customer')
    .option('--reason <text>', 'why, for the trail')
    .action(async (email: string, options: CommonOptions & { reason?: string }) => {
      const input = { email, reason: options.reason, now: Date.now() };
      await change(options, (accounts) => accounts.disableCustomer(input), 'disabled');
    });
}

function enableCommand(): Command {
  return withStoreOptions(new Command('enable'))
    .description('enable a disabled customer')
    .argument('<email>', 'the customer')
    .action(async (email: string, options: CommonOptions) => {
      await change(options, (accounts) => accounts.enableCustomer({ email }), 'enabled');
    });
}

async function change(
  options: CommonOptions,
  work: (accounts: OperatorStore) => Promise<Customer>,
  done: string,
): Promise<void> {
  const customer = await changeAccounts(settingsOf(options), work);
  if (options.json) printJson(customer);
  else print(`${done} ${customer.email}`);
}
