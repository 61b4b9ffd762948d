/**
 * `verbatim start`: serves, after making on the first run whatever is missing for it: an index of
 * the sample documents, a customer with a key, 1,000 credits and a link to the dashboard.
 */
import { Command } from 'commander';
import { linkExpiry, linkUrl } from '../accounts/links.ts';
import { samplePath } from '../bundle.ts';
import type { Settings } from '../config.ts';
import { addCustomer, listCustomers } from '../store/customers.ts';
import { readTotals } from '../store/index-facts.ts';
import { createKey } from '../store/keys.ts';
import { topUp } from '../store/ledger.ts';
import { createLink } from '../store/links.ts';
import type { Store } from '../store/open.ts';
import { withStore } from './options.ts';
import { print } from './output.ts';
import { type ServeOptions, serve, serveSettings, withServeOptions } from './serve.ts';

const FIRST_CUSTOMER = 'first-customer@localhost';
const FIRST_CREDITS = 1000;

export function startCommand(): Command {
  return withServeOptions(new Command('start'))
    .description('serve; on the first run with a sample index, a customer, a key and credit')
    .action(async (options: ServeOptions) => {
      const settings = serveSettings(options);
      await createIndexIfMissing(settings);
      const first = withStore(settings, (db) => addFirstCustomer(db, settings));
      await serve(settings, (port) => printInvitation({ ...settings, port }, first));
    });
}

async function createIndexIfMissing(settings: Settings): Promise<void> {
  const { documents } = withStore(settings, readTotals);
  if (documents > 0) return;
  print('no index yet: building one of the sample documents');
  const { addToIndex } = await import('./add-to-index.ts');
  await addToIndex([samplePath()], { settings, report: 'text' });
}

/** What the first customer comes in by, with programs and with a browser. */
interface FirstCustomer {
  secret: string;
  linkToken: string;
}

/** Undefined where there are customers already. */
function addFirstCustomer(db: Store, settings: Settings): FirstCustomer | undefined {
  return db
    .transaction(() => {
      if (listCustomers(db).length > 0) return undefined;
      const now = Date.now();
      const customerId = addCustomer(db, { email: FIRST_CUSTOMER, now }).id;
      topUp(db, { customerId, credits: FIRST_CREDITS, note: 'first run', now });
      const caps = { requestsPerMinute: null, inFlightMax: null };
      const { secret } = createKey(db, { customerId, name: 'first run', ...caps, now });
      const expiresAt = linkExpiry(settings, now);
      return { secret, linkToken: createLink(db, { customerId, expiresAt }).token };
    })
    .immediate();
}

function printInvitation(settings: Settings, first: FirstCustomer | undefined): void {
  const { port, linkHoursMax } = settings;
  print(`\nVerbatim serves on http://localhost:${port}`);
  if (first === undefined) {
    print('Keys are made with: verbatim key create EMAIL');
    print('A customer gets into the dashboard with: verbatim customer link EMAIL');
    return;
  }
  const { secret, linkToken } = first;
  print(`
This key has ${FIRST_CREDITS} credits. It is shown once and not kept:

  ${secret}

Try it:

  curl -s http://localhost:${port}/v1/search \\
    -H 'Authorization: Bearer ${secret}' \\
    -H 'Content-Type: application/json' \\
    -d '{"query": "does sleep help memory", "limit": 3}'

The dashboard of its customer, by a link that works once within ${linkHoursMax} hours:

  ${linkUrl(settings, linkToken)}
`);
}
