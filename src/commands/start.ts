/**
 * `verbatim start`: serves. On the first run it also creates what is missing: an index of the
 * sample documents, and a customer with a key, 1,000 credits and a link to the dashboard.
 */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { addFirstCustomer, FIRST_CUSTOMER } from '../accounts/first-customer.ts';
import { linkExpiry } from '../accounts/links.ts';
import { samplePath } from '../bundle.ts';
import type { Settings } from '../config.ts';
import { listCustomers } from '../store/accounts/customers.ts';
import { createLink } from '../store/accounts/sign-in-links.ts';
import type { Connection } from '../store/database/connection.ts';
import { lockForServing } from '../store/database/process-lock.ts';
import { readTotals } from '../store/index/index-facts.ts';
import { migrateStore } from '../store/migrate-store.ts';
import { storeOptions, withStore } from './cli/options.ts';
import { print } from './cli/output.ts';
import { programName } from './cli/program-command.ts';
import { openLog } from './cli/terminal-log.ts';
import { type FirstCustomer, firstInvitation, nextInvitation } from './invitation.ts';
import { logMigration } from './log-migration.ts';
import { type ServeOptions, serve, serveSettings, withServeOptions } from './serve.ts';

export function startCommand(): Command {
  return withServeOptions(new Command('start'))
    .description('serve; the first run creates a sample index, a customer, a key and credit')
    .action(async (options: ServeOptions) => {
      const settings = serveSettings(options);
      await migrateIfThere(settings);
      await createIndexIfMissing(settings);
      const first = withStore(settings, (db) => addCustomerWithLink(db, settings));
      await serve(settings, (port) => print(invite({ ...settings, port }, first)));
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
  const { documents } = withStore(settings, readTotals);
  if (documents > 0) return;
  const { addToIndex } = await import('./index/add-to-index.ts');
  await addToIndex([samplePath()], { settings, report: 'line' });
}

/** Adds the first customer and a link. Returns undefined if there are customers already. */
function addCustomerWithLink(db: Connection, settings: Settings): FirstCustomer | undefined {
  return db
    .transaction(() => {
      const added = addFirstCustomer(db);
      if (added === undefined) return undefined;
      const expiresAt = linkExpiry(settings, Date.now());
      const linkToken = createLink(db, { customerId: added.id, expiresAt }).token;
      return { secret: added.secret, linkToken, credits: added.credits };
    })
    .immediate();
}

/** Returns the text printed when the service is ready. */
function invite(settings: Settings, first: FirstCustomer | undefined): string {
  const options = { settings, program: programName() };
  if (first !== undefined) return firstInvitation(first, options);
  const isThere = withStore(settings, (db) =>
    listCustomers(db).some(({ email }) => email === FIRST_CUSTOMER),
  );
  return nextInvitation(isThere ? FIRST_CUSTOMER : 'EMAIL', options);
}
