/** The dependencies of this folder. create-accounts.ts builds them. */

import type { Log } from '../log.ts';
import type { Settings } from '../settings/config.ts';
import type { AttemptCounts } from './attempt-counts.ts';
import type { Background } from './background.ts';
import type { SendMail } from './mail.ts';
import type { PasswordHasher } from './password-hash.ts';
import type { AccountStore } from './ports/account-store.ts';
import type { SessionLimits } from './sql/session-rows.ts';
import type { Throttle } from './throttle.ts';

export interface AccountDeps {
  settings: Settings;
  store: AccountStore;
  hasher: PasswordHasher;
  /** undefined: no mail server; the operator hands out links. */
  sendMail: SendMail | undefined;
  background: Background;
  log: Log;
  /** Limits sign-in attempts. */
  signIns: AttemptCounts;
  /** Limits codes of the second step. */
  codes: AttemptCounts;
  /** Limits link requests. */
  linkRequests: AttemptCounts;
  throttles: {
    /** Password checks of signed-in customers, by session, so strangers cannot use them up. */
    confirmations: Throttle;
    /** Invitations of members, by customer. */
    invitations: Throttle;
    /** Mails about security, by address. Beyond the limit they are not sent. */
    securityMails: Throttle;
    /** New customers per network address. */
    registrationsOfAddress: Throttle;
    /** New customers in total. */
    registrations: Throttle;
  };
  /** Signs what a browser holds between the two steps of a sign-in. Another one in each process. */
  pendingKey: Uint8Array;
  sessionLimits: SessionLimits;
  /** The limits of operators, whose attempts count apart from those of customers. */
  operators: {
    signIns: AttemptCounts;
    codes: AttemptCounts;
    /** Password checks of operators who are signed in, by session. */
    confirmations: Throttle;
    sessionLimits: SessionLimits;
  };
  now: () => number;
}
