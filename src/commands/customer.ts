/** `verbatim customer add|list`. */
import { Command } from 'commander';
import { addCustomer, listCustomers } from '../store/customers.ts';
import { topUp } from '../store/ledger.ts';
import {
  type CommonOptions,
  parseCount,
  settingsOf,
  withStore,
  withStoreForReading,
  withStoreOptions,
} from './options.ts';
import { formatNumber, formatTime, print, printJson, printTable } from './output.ts';

interface AddOptions extends CommonOptions {
  credits?: number;
}

export function customerCommand(): Command {
  return new Command('customer')
    .description('who owns keys and credit')
    .addCommand(addCommand())
    .addCommand(listCommand());
}

function addCommand(): Command {
  return withStoreOptions(new Command('add'))
    .description('add a customer')
    .argument('<email>', 'address of the customer')
    .option('--credits <n>', 'credits to start with', parseCount)
    .action((email: string, options: AddOptions) => {
      const now = Date.now();
      const customer = withStore(settingsOf(options), (db) =>
        // Both or neither: a customer who is there already cannot be added again.
        db
          .transaction(() => {
            const added = addCustomer(db, { email, now });
            const { credits } = options;
            if (credits === undefined) return added;
            return { ...added, balance: topUp(db, { customerId: added.id, credits, now }) };
          })
          .immediate(),
      );
      if (options.json) printJson(customer);
      else print(`added ${customer.email} with ${formatNumber(customer.balance)} credits`);
    });
}

function listCommand(): Command {
  return withStoreOptions(new Command('list'))
    .description('list the customers and their balances')
    .action((options: CommonOptions) => {
      const customers = withStoreForReading(settingsOf(options), listCustomers);
      if (options.json) {
        printJson(customers);
        return;
      }
      printTable(
        ['customer', 'balance', 'added (UTC)'],
        customers.map(({ email, balance, createdAt }) => [email, balance, formatTime(createdAt)]),
      );
    });
}
