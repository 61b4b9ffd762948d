/**
 * Everything that a server knows of its accounts, behind promises: customers, keys, credit, sessions,
 * grants of clients, and payments. SQLite is one implementation; callers must not know which one they
 * have.
 *
 * Four rules hold for every method:
 *
 * - A write is durable when its promise resolves. If the promise rejects, the write may have been made
 *   or not, unless the error is an expected one, which changes nothing.
 * - A reader sees every write that resolved before it was called. One reader sees one moment: two
 *   readers may see two. Only `admit` may know nothing newer than this turn of the event loop has read:
 *   a request that was sent after a change is handled in a later turn.
 * - Writes of one caller that waits for each are made in that order. Writes that nobody waits for in
 *   between may be made in any order.
 * - A method that takes `now` uses that time, and any other the clock of this process. Only the leases
 *   of nodes use the clock of the database.
 *
 * Every method may reject with `degraded` while the store cannot be written, and a reader with whatever
 * the database threw.
 */

import type { AttemptStore } from './attempt-store.ts';
import type { AutomaticTopUpStore } from './automatic-top-up-store.ts';
import type { BillingStore } from './billing-store.ts';
import type { ClientStore } from './client-store.ts';
import type { DeletionStore } from './deletion-store.ts';
import type { KeyStore } from './key-store.ts';
import type { MemberStore } from './member-store.ts';
import type { NodeStore } from './node-store.ts';
import type { NoticeStore } from './notice-store.ts';
import type { OperatorSignInStore } from './operator-sign-in-store.ts';
import type { PaidCallStore } from './paid-call-store.ts';
import type { PaymentStore } from './payment-store.ts';
import type { ReportStore } from './report-store.ts';
import type { SecondFactorStore } from './second-factor-store.ts';
import type { SignInStore } from './sign-in-store.ts';

export interface AccountStore
  extends PaidCallStore,
    SignInStore,
    SecondFactorStore,
    OperatorSignInStore,
    MemberStore,
    DeletionStore,
    KeyStore,
    ReportStore,
    BillingStore,
    NoticeStore,
    AutomaticTopUpStore,
    ClientStore,
    PaymentStore,
    AttemptStore,
    NodeStore {}
