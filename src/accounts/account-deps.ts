/** What the functions of this folder stand on; create-accounts.ts puts it together. */
import type { Settings } from '../config.ts';
import type { SessionLimits } from '../store/accounts/sessions.ts';
import type { Connection } from '../store/database/connection.ts';
import type { WriteAccounts } from '../workers/ledger-writer.ts';
import type { Background } from './background.ts';
import type { SendMail } from './mail.ts';
import type { PasswordHasher } from './password-hash.ts';
import type { Throttle } from './throttle.ts';
import type { TryCounts } from './try-counts.ts';

export interface AccountDeps {
  settings: Settings;
  /** Reads only, each a few rows by an index: this is the main thread. */
  db: Connection;
  /** Everything that is written, in the ledger's thread. */
  write: WriteAccounts;
  hasher: PasswordHasher;
  /** undefined: there is no mail server, the operator hands links out. */
  sendMail: SendMail | undefined;
  background: Background;
  /** Passwords of those who sign in. */
  signIns: TryCounts;
  /** Links that were asked for. */
  linkRequests: TryCounts;
  throttles: {
    /** Passwords of those who are signed in, by session: strangers have no part in it. */
    confirmations: Throttle;
    /** New customers, by network address. */
    registrationsOfAddress: Throttle;
    /** New customers from everywhere. */
    registrations: Throttle;
  };
  sessionLimits: SessionLimits;
  now: () => number;
}
