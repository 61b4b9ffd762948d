/** Puts together what customers' accounts stand on. */
import type { Settings } from '../config.ts';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/open.ts';
import type { SessionLimits } from '../store/sessions.ts';
import type { WriteAccounts } from '../workers/ledger-writer.ts';
import { createBackground } from './background.ts';
import { baseUrl } from './links.ts';
import { createMailer } from './mail.ts';
import type { AccountParts } from './parts.ts';
import { createPasswordHasher } from './password-hash.ts';
import { createThrottle, type Throttle } from './throttle.ts';

export interface AccountsOptions {
  settings: Settings;
  /** For reading. */
  db: Store;
  write: WriteAccounts;
  log: Log;
  now?: () => number;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Throws `usage` for settings of mail or addresses that can't be, before anything is started. */
export function assertAccountSettings(settings: Settings): void {
  createMailer(settings);
  baseUrl(settings);
}

/** Throws what `assertAccountSettings` does. */
export function createAccounts(options: AccountsOptions): AccountParts {
  const { settings, db, write, log, now = Date.now } = options;
  assertAccountSettings(settings);
  const windowMs = settings.throttleMinutes * MINUTE_MS;
  const throttle = (triesMax: number): Throttle =>
    createThrottle({ triesMax, windowMs, namesMax: settings.throttledMax, now });
  return {
    ...{ settings, db, write, now },
    hasher: createPasswordHasher(settings),
    sendMail: createMailer(settings),
    background: createBackground({
      tasksMax: settings.backgroundTasksMax,
      onFailure: (task, error) => {
        log.error('background_task_failed', { task, reason: messageOf(error) });
      },
    }),
    throttles: {
      account: throttle(settings.triesPerAccountMax),
      address: throttle(settings.triesPerAddressMax),
      linksOfAccount: throttle(settings.linksPerAccountMax),
      linksOfAddress: throttle(settings.linksPerAddressMax),
      registrations: throttle(settings.registrationsMax),
    },
    sessionLimits: sessionLimits(settings),
  };
}

export function sessionLimits(
  settings: Pick<Settings, 'sessionHoursMax' | 'sessionIdleHoursMax' | 'sessionsPerCustomerMax'>,
): SessionLimits {
  return {
    lifetimeMs: settings.sessionHoursMax * HOUR_MS,
    idleMs: settings.sessionIdleHoursMax * HOUR_MS,
    perCustomerMax: settings.sessionsPerCustomerMax,
  };
}
