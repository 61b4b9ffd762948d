/** Builds the dependencies of customer accounts. */
import { randomBytes } from 'node:crypto';
import { messageOf, VerbatimError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings/config.ts';
import type { AccountDeps } from './account-deps.ts';
import { type AttemptCounts, createAttemptCounts } from './attempt-counts.ts';
import { createBackground } from './background.ts';
import { baseUrl } from './base-url.ts';
import { createMailer } from './mail.ts';
import { readContact } from './operator-contact.ts';
import { createPasswordHasher } from './password-hash.ts';
import type { AccountStore } from './ports/account-store.ts';
import type { SessionLimits } from './sql/session-rows.ts';
import { createThrottle, type Throttle } from './throttle.ts';

export interface AccountsOptions {
  settings: Settings;
  store: AccountStore;
  log: Log;
  now?: () => number;
}

const KEY_BYTES = 32;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Throws `usage` for invalid mail, address or contact settings, before anything starts. */
export function assertAccountSettings(settings: Settings): void {
  createMailer(settings);
  baseUrl(settings);
  readContact(settings);
}

/** Builds the dependencies. Throws like `assertAccountSettings`. */
export function createAccounts(options: AccountsOptions): AccountDeps {
  const { settings, store, log, now = Date.now } = options;
  assertAccountSettings(settings);
  const windowMs = settings.throttleMinutes * MINUTE_MS;
  const throttle = (count: string, attemptsMax: number): Throttle =>
    createThrottle({ store, count, attemptsMax, windowMs, now });
  const attemptsOf = (count: string, perAccountMax: number): AttemptCounts =>
    createAttemptCounts({
      ofAddress: throttle(`${count} by address`, settings.triesPerAddressMax),
      ofAccountAndAddress: throttle(
        `${count} by account and address`,
        settings.triesPerAccountAndAddressMax,
      ),
      ofAccount: throttle(`${count} by account`, perAccountMax),
      ofBrowser: throttle(`${count} by browser`, settings.triesPerBrowserMax),
    });
  return {
    settings,
    store,
    now,
    log,
    hasher: createPasswordHasher(settings),
    sendMail: createMailer(settings),
    background: createBackground({
      tasksMax: settings.backgroundTasksMax,
      onFailure: (task, error) => {
        // The log already has the cause.
        if (error instanceof VerbatimError && error.code === 'degraded') return;
        log.error('background_task_failed', { task, reason: messageOf(error) });
      },
    }),
    signIns: attemptsOf('sign-ins', settings.triesPerAccountMax),
    codes: attemptsOf('codes', settings.codesPerAccountMax),
    linkRequests: createAttemptCounts({
      ofAddress: throttle('links by address', settings.linksPerAddressMax),
      ofAccountAndAddress: throttle(
        'links by account and address',
        settings.linksPerAccountAndAddressMax,
      ),
      ofAccount: throttle('links by account', settings.linksPerAccountMax),
      ofBrowser: throttle('links by browser', settings.linksPerBrowserMax),
    }),
    throttles: {
      confirmations: throttle('confirmations', settings.triesPerBrowserMax),
      invitations: throttle('invitations', settings.invitationsPerCustomerMax),
      securityMails: throttle('mails about security', settings.securityMailsPerAddressMax),
      registrationsOfAddress: throttle(
        'registrations by address',
        settings.registrationsPerAddressMax,
      ),
      registrations: throttle('registrations', settings.registrationsMax),
    },
    pendingKey: randomBytes(KEY_BYTES),
    sessionLimits: sessionLimits(settings),
    operators: {
      signIns: attemptsOf('sign-ins of operators', settings.triesPerAccountMax),
      codes: attemptsOf('codes of operators', settings.codesPerAccountMax),
      confirmations: throttle('confirmations of operators', settings.triesPerBrowserMax),
      sessionLimits: operatorSessionLimits(settings),
    },
  };
}

export function sessionLimits(
  settings: Pick<Settings, 'sessionHoursMax' | 'sessionIdleHoursMax' | 'sessionsPerMemberMax'>,
): SessionLimits {
  return {
    lifetimeMs: settings.sessionHoursMax * HOUR_MS,
    idleMs: settings.sessionIdleHoursMax * HOUR_MS,
    perMemberMax: settings.sessionsPerMemberMax,
  };
}

export function operatorSessionLimits(
  settings: Pick<
    Settings,
    'operatorSessionHoursMax' | 'operatorSessionIdleMinutesMax' | 'sessionsPerMemberMax'
  >,
): SessionLimits {
  return {
    lifetimeMs: settings.operatorSessionHoursMax * HOUR_MS,
    idleMs: settings.operatorSessionIdleMinutesMax * MINUTE_MS,
    perMemberMax: settings.sessionsPerMemberMax,
  };
}
