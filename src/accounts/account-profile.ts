/** What an account is called, and the zone in which its members read times. */
import { VerbatimError } from '../errors.ts';
import type { AccountDeps } from './account-deps.ts';
import { MISLEADING } from './customer-keys.ts';
import type { CustomerProfile } from './sql/customers.ts';

/** The longest name of an account, in characters. */
export const ACCOUNT_NAME_CHARACTERS_MAX = 60;

/** Stores the profile. Throws `bad_request` for an invalid name or an unknown zone. May be repeated. */
export async function saveProfile(
  { store }: AccountDeps,
  { customerId, name: typed, timeZone }: CustomerProfile & { customerId: number },
): Promise<void> {
  const name = typed.trim();
  if ([...name].length > ACCOUNT_NAME_CHARACTERS_MAX || MISLEADING.test(name)) {
    const limit = `${ACCOUNT_NAME_CHARACTERS_MAX} characters, and no control characters`;
    throw new VerbatimError('bad_request', `the name of an account has at most ${limit}`);
  }
  if (!isTimeZone(timeZone)) {
    throw new VerbatimError('bad_request', 'choose one of the time zones');
  }
  await store.saveProfile({ customerId, name, timeZone });
}

/** Lists the time zones that can be chosen, UTC first. Other versions of Node.js may call `chosen` otherwise. */
export function timeZones(chosen: string): string[] {
  return [...new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')])];
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
