/**
 * What the operator does with accounts: from the command line, beside servers that run, and on the pages
 * of a server. A customer is named by an address in any case, and a key by the beginning of its hash
 * prefix.
 *
 * The rules of account-store.ts hold. Each method is all or nothing. A change is made together with its
 * entry in the trail, and rejects with `already_submitted` if a change with the same submission was made
 * before, and with `signed_out` if the session of who makes it has ended. A method that names a customer
 * rejects with `unknown_customer`, and one that names a key with `unknown_key`, also if more than one
 * begins like that.
 */
import type { LaneChoice } from '../../settings/lane-choice.ts';
import type { OutcomeReport, OutcomesRequest } from '../sql/answer-outcomes.ts';
import type { ApiKey, CreatedKey, NewKey, RotatedKey } from '../sql/api-keys.ts';
import type { AuditReport } from '../sql/audit.ts';
import type { CustomerSearch, FoundCustomers } from '../sql/customer-search.ts';
import type { Customer } from '../sql/customers.ts';
import type { AddedCustomer, FirstCustomer } from '../sql/insert-first-customer.ts';
import type { AuditToKeep, KeptAudit } from '../sql/kept-audits.ts';
import type { LedgerEntry, SearchRefund, TopUp } from '../sql/ledger.ts';
import type { ListedMember } from '../sql/member-rows.ts';
import type { MoneyReport } from '../sql/money-sums.ts';
import type { CustomerName } from '../sql/operator-reads.ts';
import type { OperatorAction, OperatorIdentity } from '../sql/operator-trail.ts';
import type { LinkedOperator, ListedOperator, Operator } from '../sql/operators.ts';
import type { OwnKey } from '../sql/own-keys.ts';
import type { EventResult, PaymentEvent } from '../sql/payment-decisions.ts';
import type { ListedPayment, StrayEvent } from '../sql/payments.ts';
import type { PaymentsToReview } from '../sql/payments-to-review.ts';
import type { SessionLimits } from '../sql/session-rows.ts';
import type { CreatedLink } from '../sql/sign-in-links.ts';
import type { IndexChange } from '../sql/trail-entries.ts';

/** A customer with a new one-time link of a member. */
export interface LinkedCustomer {
  customer: Customer;
  /** The address of the member whom the link is for. */
  email: string;
  link: CreatedLink;
}

/** A customer as operators see them. All of one moment. */
export interface ShownCustomer extends Customer {
  members: ListedMember[];
  /** Active ones, of all members. */
  sessions: number;
  keys: OwnKey[];
}

export interface OperatorStore {
  /**
   * Adds a customer with credit and a link. Rejects with `usage` for an invalid address, and with
   * `already_exists` for a known one.
   */
  addCustomer(input: {
    email: string;
    credits?: number | undefined;
    linkExpiresAt: number;
    now: number;
  }): Promise<LinkedCustomer>;
  /**
   * Adds a customer with credit, a key, and, if `linkExpiresAt` is given, a link. Resolves to undefined, and changes nothing, if there
   * are customers already: so it may be repeated.
   */
  addFirstCustomer(input: FirstCustomer): Promise<AddedCustomer | undefined>;
  /**
   * Creates a link for the member with this address; an earlier one ends. Rejects with `usage` for a
   * disabled customer.
   */
  createLink(input: { email: string; expiresAt: number }): Promise<LinkedCustomer>;
  listCustomers(): Promise<Customer[]>;
  /** Finds customers by a part of their address and by their state, in pages. */
  searchCustomers(input: CustomerSearch): Promise<FoundCustomers>;
  showCustomer(
    input: CustomerName & {
      limits: SessionLimits;
      now: number;
    },
  ): Promise<ShownCustomer>;
  /** Sets or clears (null) the lanes of a customer. May be repeated. */
  setCustomerLanes(input: { email: string; lanes: LaneChoice }): Promise<Customer>;
  /**
   * Disables a customer at once: sessions and links end, and keys are rejected. May be repeated, and
   * keeps the earliest time.
   */
  disableCustomer(input: { email: string; now: number }): Promise<Customer>;
  /**
   * Lets a customer sign in and search again. Ended sessions stay ended. May be repeated. Rejects with
   * `usage` for a customer who was deleted.
   */
  enableCustomer(input: { email: string }): Promise<Customer>;
  /**
   * Removes the second factor of an address, so that its password or a link is enough. Resolves to
   * whether there was one. May be repeated.
   */
  removeSecondFactor(input: { email: string }): Promise<boolean>;
  /** Creates a key, whose secret is in the result and nowhere else: a repeat makes another key. */
  createKey(input: Omit<NewKey, 'customerId'> & { email: string }): Promise<CreatedKey>;
  /** Lists all keys, or those of one customer, oldest first. */
  listKeys(input: { email?: string | undefined }): Promise<ApiKey[]>;
  /** Finds the key with this whole prefix; undefined if there is none. */
  findKey(input: { prefix: string }): Promise<ApiKey | undefined>;
  /** Sets or clears (null) the monthly cap of a key. May be repeated. */
  capKey(input: { prefix: string; creditsPerMonthMax: number | null }): Promise<ApiKey>;
  /** Sets or clears (null) the lanes of a key. May be repeated. */
  setKeyLanes(input: { prefix: string; lanes: LaneChoice }): Promise<ApiKey>;
  /** Sets a key's rate and its searches in flight, or gives it the defaults (null). May be repeated. */
  setKeyRates(input: {
    prefix: string;
    requestsPerMinute: number | null;
    inFlightMax: number | null;
  }): Promise<ApiKey>;
  /** Revokes a key at `at`. May be repeated, and keeps an earlier end. */
  revokeKey(input: { prefix: string; at: number }): Promise<ApiKey>;
  /**
   * Replaces a key with a new one of the same name, caps, and lanes. The old one works until
   * `graceEnds`. Rejects with `unknown_key` also for a revoked key and for that of an OAuth client, so a
   * repeat after the grace period fails.
   */
  rotateKey(input: { prefix: string; graceEnds: number; now: number }): Promise<RotatedKey>;
  /**
   * Adds credit. Resolves to the balance. Rejects with `already_exists` if the reference was counted
   * before, so a payment with a reference counts once, and with `usage` for an empty reference.
   */
  topUp(input: Omit<TopUp, 'customerId'> & { email: string }): Promise<number>;
  /**
   * Refunds a settled search once. Rejects with `unknown_request`, also if it is not of the customer who
   * is named, and with `not_refundable` if it was
   * not charged or already refunded.
   */
  refundSearch(input: SearchRefund): Promise<LedgerEntry>;
  /** Lists the newest entries of a customer, newest first. */
  listEntries(input: { email: string; limit: number }): Promise<LedgerEntry[]>;
  /** Recomputes everything from the ledger's entries and compares. Reads one moment. */
  audit(): Promise<AuditReport>;
  /** Keeps what an audit found, in place of the oldest one beyond a maximum. */
  keepAudit(input: AuditToKeep): Promise<void>;
  /** Writes to the trail that an update of the index is started, or stopped. */
  noteIndexChange(input: IndexChange): Promise<void>;
  /** Lists the audits that were kept, latest first. */
  listKeptAudits(input: { limit: number }): Promise<KeptAudit[]>;
  /** Adds up credits and money by day, from a day (`YYYY-MM-DD`) on, and what customers have. */
  readMoney(input: { firstDay: string }): Promise<MoneyReport>;
  /** Counts outcomes of searches by day, and reads a page of the questions that are kept. */
  readOutcomes(input: OutcomesRequest): Promise<OutcomeReport>;
  /** Lists payments with problems, disputes, and failed refunds, at most `limit` of each. */
  listPaymentsToReview(input: { limit: number }): Promise<PaymentsToReview>;
  /** Lists payments, newest first, and events that have a problem and, without `email`, no payment. */
  listPayments(input: {
    email?: string | undefined;
    limit: number;
  }): Promise<{ payments: ListedPayment[]; strays: StrayEvent[] }>;
  /** Applies the events of one payment, or in a dry run says what they would do. May be repeated. */
  recordReconciled(input: {
    events: readonly PaymentEvent[];
    dryRun: boolean;
    now: number;
  }): Promise<EventResult[]>;
  /** Lists what operators changed, newest first: of all customers, or of one. */
  listActions(input: {
    email?: string | undefined;
    /** Only actions before this one. */
    before?: number | undefined;
    limit: number;
  }): Promise<OperatorAction[]>;
  /**
   * Adds an operator with a one-time link. Rejects with `usage` for an invalid address, and with
   * `already_exists` for a known one.
   */
  addOperator(input: {
    email: string;
    linkExpiresAt: number;
    now: number;
  }): Promise<LinkedOperator>;
  /**
   * Makes a one-time link, by which an operator chooses a password and sets up an authenticator app anew.
   * An earlier link ends; password, app, and sessions go on until it is used. Rejects with
   * `unknown_operator`.
   */
  linkOperator(input: { email: string; expiresAt: number }): Promise<LinkedOperator>;
  /**
   * Removes an operator. Their sessions end at once: a change that is made in one of them after this
   * rejects with `signed_out`. Rejects with `unknown_operator`.
   */
  removeOperator(input: { email: string }): Promise<Operator>;
  /** Lists operators, oldest first. */
  listOperators(input: { limits: SessionLimits; now: number }): Promise<ListedOperator[]>;
}

/** What a server offers its operators. */
export interface OperatorAccess {
  /** Returns the store for somebody. Changes are theirs in the trail. */
  asOperator(by: OperatorIdentity): OperatorStore;
}
