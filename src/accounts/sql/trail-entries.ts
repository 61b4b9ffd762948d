/** What the trail says of each change that an operator can make. Pure. */
import type { LaneChoice } from '../../settings/lane-choice.ts';
import { formatNumber } from '../../text/format-number.ts';
import { formatCredits } from '../amounts/credits.ts';
import type { AlertSetting } from './alert-rows.ts';
import type { ApiKey } from './api-keys.ts';
import type { Customer } from './customers.ts';
import type { AuditToKeep } from './kept-audits.ts';
import type { LinkedOperator, Operator } from './operators.ts';
import type { EventResult } from './payment-decisions.ts';
import type { FactorProof } from './second-factor-rows.ts';
import type { SessionOrigin } from './session-rows.ts';

export interface TrailEntry {
  /** As the command is called. */
  action: string;
  /** Whose: one of both, or none if it is nobody's. */
  customerId?: number | undefined;
  email?: string | undefined;
  subject?: string | null | undefined;
  details?: string | null | undefined;
}

/** What an operator does to the index. Only the trail is written with it. */
export interface IndexChange {
  action: 'index add' | 'index stop' | 'source update';
  /** Within the folder for updates; '' for all of it. */
  path: string;
}

/** A change whose reason is for the trail. */
export interface Reasoned {
  reason?: string | undefined;
}

interface Noted {
  note?: string | undefined;
}

interface Credited {
  customerId: number;
  credits: number;
}

type OfKey = Pick<ApiKey, 'customerId' | 'prefix'>;

const ofCustomer = (action: string, { id }: Pick<Customer, 'id'>): TrailEntry => ({
  action,
  customerId: id,
});
const ofKey = (action: string, { customerId, prefix }: OfKey): TrailEntry => ({
  action,
  customerId,
  subject: prefix,
});
const ofOperator = (action: string, { email }: Operator): TrailEntry => ({
  action: `operator ${action}`,
  details: email,
});
/** Joins what is known of a change. */
const joined = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(', ');
const orDefault = (limit: number | null): string => (limit === null ? 'default' : String(limit));
const describeLanes = (lanes: LaneChoice): string => (lanes === null ? 'all' : lanes || 'none');

const ofCredit = (
  action: string,
  { customerId, credits }: Credited,
  subject: string | null,
  note: string | undefined,
): TrailEntry => ({
  action: `credit ${action}`,
  customerId,
  subject,
  details: joined(formatCredits(credits), note),
});

/** By the change, of its input and its result. Undefined: nothing changed. */
export const trailEntries = {
  addCustomer: (
    { credits }: { credits?: number | undefined },
    { customer }: { customer: Pick<Customer, 'id'> },
  ) => ({
    ...ofCustomer('customer add', customer),
    details: credits === undefined ? null : formatCredits(credits),
  }),
  addFirstCustomer: (
    { credits }: { credits: number },
    added: Pick<Customer, 'id'> | undefined,
  ): TrailEntry | undefined =>
    added && {
      ...ofCustomer('customer add', added),
      details: `${formatCredits(credits)}, first run`,
    },
  createLink: (_input: unknown, { customer }: { customer: Pick<Customer, 'id'> }) =>
    ofCustomer('customer link', customer),
  setCustomerLanes: ({ lanes }: { lanes: LaneChoice }, customer: Pick<Customer, 'id'>) => ({
    ...ofCustomer('customer lanes', customer),
    details: describeLanes(lanes),
  }),
  disableCustomer: ({ reason }: Reasoned, customer: Pick<Customer, 'id'>) => ({
    ...ofCustomer('customer disable', customer),
    details: reason ?? null,
  }),
  enableCustomer: ({ reason }: Reasoned, customer: Pick<Customer, 'id'>) => ({
    ...ofCustomer('customer enable', customer),
    details: reason ?? null,
  }),
  // Without its text, which is deleted with the account.
  setCustomerNote: ({ note }: { note: string }, customer: Pick<Customer, 'id'>) => ({
    ...ofCustomer('customer note', customer),
    details: note === '' ? 'removed' : `${note.length} characters`,
  }),
  removeSecondFactor: ({ email }: { email: string }, removed: boolean): TrailEntry | undefined =>
    removed ? { action: 'customer remove-second-factor', email } : undefined,
  // Without its name, which may be that of a person, and the trail outlives a deleted account.
  createKey: (_input: unknown, { key }: { key: OfKey }) => ofKey('key create', key),
  capKey: ({ creditsPerMonthMax }: { creditsPerMonthMax: number | null }, key: OfKey) => ({
    ...ofKey('key cap', key),
    details: creditsPerMonthMax === null ? 'none' : `${formatCredits(creditsPerMonthMax)} a month`,
  }),
  setKeyLanes: ({ lanes }: { lanes: LaneChoice }, key: OfKey) => ({
    ...ofKey('key lanes', key),
    details: describeLanes(lanes),
  }),
  setKeyRates: (
    input: { requestsPerMinute: number | null; inFlightMax: number | null },
    key: OfKey,
  ) => ({
    ...ofKey('key rates', key),
    details: `requests a minute: ${orDefault(input.requestsPerMinute)}, in flight: ${orDefault(input.inFlightMax)}`,
  }),
  revokeKey: ({ reason }: Reasoned, key: OfKey) => ({
    ...ofKey('key revoke', key),
    details: reason ?? null,
  }),
  rotateKey: ({ prefix }: { prefix: string }, { key }: { key: OfKey }) => ({
    ...ofKey('key rotate', key),
    details: `replaces ${prefix}`,
  }),
  topUp: (input: {
    email: string;
    credits: number;
    reference?: string | undefined;
    note?: string | undefined;
  }): TrailEntry => ({
    action: 'credit add',
    email: input.email,
    details: joined(formatCredits(input.credits), input.reference, input.note),
  }),
  takeBackCredit: ({ entryId, note }: { entryId: number } & Noted, taken: Credited) =>
    ofCredit('take-back', taken, `entry ${entryId}`, note),
  refundSearch: ({ requestId, note }: { requestId: string } & Noted, refund: Credited) =>
    ofCredit('refund', refund, requestId, note),
  refundRequests: (
    { filter, note }: { filter: string } & Noted,
    done: Credited & { requests: number },
  ) =>
    done.requests === 0
      ? undefined
      : ofCredit('refund-many', done, null, joined(`${done.requests} requests`, filter, note)),
  recordReconciled: (
    { dryRun }: { dryRun: boolean },
    results: readonly EventResult[],
  ): TrailEntry | undefined => {
    const changed = results.filter(({ outcome }) => !['duplicate', 'foreign'].includes(outcome));
    const [first] = changed;
    if (dryRun || first === undefined) return undefined;
    const payment = first.paymentId === undefined ? 'unknown' : String(first.paymentId);
    return {
      action: 'payment reconcile',
      subject: payment,
      details: changed.map(({ outcome }) => outcome).join(', '),
    };
  },
  noteIndexChange: ({ action, path }: IndexChange): TrailEntry => ({
    action,
    details: path === '' ? 'the whole folder' : path,
  }),
  keepAudit: ({ report: { entries, differences } }: Pick<AuditToKeep, 'report'>): TrailEntry => ({
    action: 'credit audit',
    details: `${formatNumber(entries)} entries, ${differences.length} differences`,
  }),
  setAlerts: ({ settings }: { settings: readonly AlertSetting[] }): TrailEntry => ({
    action: 'alerts set',
    details: settings
      .map(({ kind, isOn, threshold }) => `${kind} ${isOn ? threshold || 'on' : 'off'}`)
      .join(', '),
  }),
  addOperator: (_input: unknown, { operator }: LinkedOperator) => ofOperator('add', operator),
  linkOperator: (_input: unknown, { operator }: LinkedOperator) => ofOperator('link', operator),
  removeOperator: (_input: unknown, operator: Operator) => ofOperator('remove', operator),
};

const from = ({ device, address }: SessionOrigin): string =>
  [device, address].filter((part) => part !== undefined && part !== '').join(', ');

/** What the trail says of what operators do with their own accounts. */
export const ownActions = {
  enroll: (origin: SessionOrigin): TrailEntry => ({
    action: 'operator enroll',
    details: from(origin),
  }),
  signIn: (origin: SessionOrigin, proof: FactorProof): TrailEntry => ({
    action: 'sign in',
    details: 'step' in proof ? from(origin) : `${from(origin)}, recovery code`,
  }),
  changePassword: (origin: SessionOrigin): TrailEntry => ({
    action: 'operator password',
    details: from(origin),
  }),
  replaceFactor: (origin: SessionOrigin): TrailEntry => ({
    action: 'operator second factor',
    details: from(origin),
  }),
  renewCodes: (origin: SessionOrigin): TrailEntry => ({
    action: 'operator recovery codes',
    details: from(origin),
  }),
};
