/**
 * `verbatim start`: serves. On the first run it also creates what is missing: an index of the
 * sample documents, and a customer with a key, 1,000 credits and a link to the dashboard.
 */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { FIRST_CREDITS, FIRST_CUSTOMER } from '../accounts/first-customer.ts';
import { linkExpiry } from '../accounts/links.ts';
import { migrateStore } from '../database/migrate-store.ts';
import { lockForServing } from '../database/sqlite/process-lock.ts';
import { readTotals } from '../index/index-facts.ts';
import { isOnPostgres } from '../index/open/index-place.ts';
import { samplePath } from '../settings/bundle.ts';
import type { Settings } from '../settings/config.ts';
import { createAccounts } from './cli/accounts.ts';
import { storeOptions, withStore } from './cli/options.ts';
import { print } from './cli/output.ts';
import { programName } from './cli/program-command.ts';
import { openLog } from './cli/terminal-log.ts';
import { withOperatorIndex } from './cli/with-operator-index.ts';
import { type FirstCustomer, firstInvitation, nextInvitation } from './invitation.ts';
import { logMigration } from './log-migration.ts';
import { type ServeOptions, serve, settingsToServe, withServeOptions } from './serve.ts';

export function startCommand(): Command {
  return withServeOptions(new Command('start'))
    .description('serve; the first run creates a sample index, a customer, a key and credit')
    .action(async (options: ServeOptions) => {
      const settings = settingsToServe(options);
      await migrateIfThere(settings);
      await createIndexIfMissing(settings);
      const customers = await prepareCustomers(settings);
      await serve(settings, options, (port) => print(invite({ ...settings, port }, customers)));
    });
}

/** Migrates an older database, which the next steps could not open. */
async function migrateIfThere(settings: Settings): Promise<void> {
  if (!existsSync(settings.database)) return;
  const unlock = await lockForServing(settings.database);
  try {
    const onEvent = logMigration(openLog(settings));
    await migrateStore({ store: storeOptions(settings), withCopy: true, onEvent });
  } finally {
    unlock();
  }
}

async function createIndexIfMissing(settings: Settings): Promise<void> {
  // Creates the database, too, which has the accounts.
  const inFile = withStore(settings, readTotals);
  const { documents } = isOnPostgres(settings)
    ? await withOperatorIndex(settings, (index) => index.stats())
    : inFile;
  if (documents > 0) return;
  const { addToIndex } = await import('./index/add-to-index.ts');
  await addToIndex([samplePath()], { settings, report: 'line' });
}

/** Who may search with the server that starts. */
interface Customers {
  /** Undefined if there were customers already. */
  first: FirstCustomer | undefined;
  /** Whether the customer of a first run is there. */
  hasFirst: boolean;
}

/** Adds the first customer with a link if there are no customers. */
async function prepareCustomers(settings: Settings): Promise<Customers> {
  return await createAccounts(settings, async (accounts) => {
    const now = Date.now();
    const linkExpiresAt = linkExpiry(settings, now);
    const input = { email: FIRST_CUSTOMER, credits: FIRST_CREDITS, linkExpiresAt, now };
    const added = await accounts.addFirstCustomer(input);
    const customers = await accounts.listCustomers();
    return {
      first: added?.link && { ...added, linkToken: added.link.token },
      hasFirst: customers.some(({ email }) => email === FIRST_CUSTOMER),
    };
  });
}

/** Returns the text printed when the service is ready. */
function invite(settings: Settings, { first, hasFirst }: Customers): string {
  const options = { settings, program: programName() };
  if (first !== undefined) return firstInvitation(first, options);
  return nextInvitation(hasFirst ? FIRST_CUSTOMER : 'EMAIL', options);
}
