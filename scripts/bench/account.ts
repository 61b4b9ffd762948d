/** A customer with a key for the load, and the check of their ledger afterwards. */
import { runVerbatim, runVerbatimJson } from './processes.ts';

const EMAIL = 'bench@localhost';
/** More than any run needs, because credit and limits are not what is measured. */
const CREDITS = 1_000_000_000;
const REQUESTS_PER_MINUTE = 1_000_000_000;
const IN_FLIGHT = 10_000;

/** Adds the customer and a key. Returns the key's secret. */
export async function createAccount(database: string): Promise<string> {
  const store = ['--db', database];
  await runVerbatim(['customer', 'add', EMAIL, '--credits', String(CREDITS), ...store]);
  const caps = ['--requests-per-minute', String(REQUESTS_PER_MINUTE)];
  const created = await runVerbatimJson<{ secret: string }>([
    ...['key', 'create', EMAIL, ...caps, '--in-flight', String(IN_FLIGHT), ...store],
  ]);
  return created.secret;
}

/** Returns what is wrong, given the number of answers. Call it after the server has stopped. */
export async function auditAccount(database: string, answers: number): Promise<string[]> {
  const store = ['--db', database];
  const customers = await runVerbatimJson<{ email: string; balance: number }[]>([
    ...['customer', 'list', ...store],
  ]);
  const balance = customers.find(({ email }) => email === EMAIL)?.balance ?? 0;
  // The audit exits 1, and so throws, if the ledger does not add up.
  const { held } = await runVerbatimJson<{ held: number }>(['credit', 'audit', ...store]);
  const debits = CREDITS - balance;
  return [
    ...(debits === answers ? [] : [`${answers} searches were answered, ${debits} debited`]),
    ...(held === 0 ? [] : [`${held} credits are still held`]),
  ];
}
