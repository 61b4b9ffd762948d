/** What the functions of this folder stand on; create-accounts.ts puts it together. */
import type { Settings } from '../config.ts';
import type { Store } from '../store/open.ts';
import type { SessionLimits } from '../store/sessions.ts';
import type { WriteAccounts } from '../workers/ledger-writer.ts';
import type { Background } from './background.ts';
import type { SendMail } from './mail.ts';
import type { PasswordHasher } from './password-hash.ts';
import type { Throttle } from './throttle.ts';

export interface AccountParts {
  settings: Settings;
  /** Reads only, each a few rows by an index: this is the main thread. */
  db: Store;
  /** Everything that is written, in the ledger's thread. */
  write: WriteAccounts;
  hasher: PasswordHasher;
  /** undefined: there is no mail server, the operator hands links out. */
  sendMail: SendMail | undefined;
  background: Background;
  throttles: {
    /** Wrong passwords. */
    account: Throttle;
    /** Wrong passwords and links. */
    address: Throttle;
    /** Links asked for. */
    linksOfAccount: Throttle;
    linksOfAddress: Throttle;
    registrations: Throttle;
  };
  sessionLimits: SessionLimits;
  now: () => number;
}
