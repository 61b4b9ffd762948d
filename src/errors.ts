/**
 * The table of expected errors. Anything that is not a VerbatimError is a defect: it is logged once
 * and answered with a 500 without details. Codes without a status never reach HTTP.
 */

export interface ErrorKind {
  status?: number;
  /** The message for the customer. If absent, the thrower supplies it. */
  message?: string;
  /** The default for `Retry-After`, in seconds. */
  retryAfterSeconds?: number;
}

export const errorTable = {
  empty_query: { status: 400, message: 'empty query' },
  query_too_long: { status: 400, message: 'query too long' },
  limit_too_small: { status: 400, message: 'limit must be >= 1' },
  bad_request: { status: 400 },
  ambiguous_request: { status: 400 },
  weak_password: { status: 400 },
  invalid_signature: { status: 400, message: 'invalid signature' },
  invalid_key: { status: 401, message: 'invalid or revoked api key' },
  insufficient_credit: {
    status: 402,
    message: 'insufficient credit balance — top up to continue',
  },
  key_cap_reached: { status: 402, message: 'monthly credit cap of this key reached' },
  wrong_sign_in: { status: 401, message: 'address or password is wrong' },
  second_factor_needed: {
    status: 401,
    message: 'enter the code of your authenticator app, or a recovery code',
  },
  wrong_code: {
    status: 401,
    message: 'this code is wrong, has expired, or was used; wait for the next one',
  },
  wrong_new_code: { status: 401, message: 'this is not the code that the app shows now' },
  sign_in_over: { status: 410, message: 'this sign-in took too long; start again' },
  address_taken: {
    status: 409,
    message: 'this address has an account at this service; an address belongs to one account',
  },
  last_owner: {
    status: 409,
    message: 'an account needs an owner with a password; make another member an owner first',
  },
  /** An account cannot be deleted now. The thrower says why. */
  account_kept: { status: 409 },
  credit_changed: {
    status: 409,
    message: 'the credit of the account has changed; look at it again',
  },
  role_forbidden: {
    status: 403,
    message: 'your role in this account does not include this page; ask an owner of the account',
  },
  second_factor_on: { status: 409, message: 'two-step sign-in is on already' },
  signed_out: { status: 401, message: 'sign in first' },
  customer_disabled: { status: 403, message: 'this account is disabled; ask the operator' },
  foreign_origin: {
    status: 403,
    message: 'a web page of another site must not call this address',
  },
  foreign_form: { status: 403, message: 'this form has expired; load the page again' },
  form_sent: {
    status: 409,
    message: 'this was done before, once; if you have not seen the new secret, rotate the key',
  },
  not_found: { status: 404, message: 'not found' },
  unknown_paper: { status: 404, message: 'no paper in the index has this id' },
  not_acceptable: { status: 406 },
  method_not_allowed: { status: 405, message: 'method not allowed' },
  idempotency_in_flight: {
    status: 409,
    message: 'a request with this Idempotency-Key is in flight, retry shortly',
    retryAfterSeconds: 1,
  },
  link_over: { status: 410, message: 'this link has expired or was used; ask for a new one' },
  cursor_over: {
    status: 410,
    message: 'this cursor is of an index that was replaced or restored; start again with since',
  },
  secret_shown: { status: 410, message: 'a secret is shown once, right after its key was created' },
  body_timeout: { status: 408, message: 'request body not received in time' },
  body_too_large: { status: 413 },
  media_type: {
    status: 415,
    message: 'Expected request with `Content-Type: application/json`',
  },
  content_encoding: { status: 415 },
  invalid_field: { status: 422 },
  idempotency_key_reused: {
    status: 422,
    message: 'this Idempotency-Key was used with another request',
  },
  rate_limited: { status: 429, message: 'rate limit exceeded' },
  too_many_in_flight: { status: 429, message: 'rate limit exceeded' },
  too_many_tries: { status: 429 },
  too_many_downloads: {
    status: 429,
    message: 'other downloads are still running; try again when they have ended',
    retryAfterSeconds: 5,
  },
  too_many_answers: {
    status: 429,
    message:
      'too many answers are stored for Idempotency-Key; wait until some expire, or send no key',
    retryAfterSeconds: 60,
  },
  internal: { status: 500, message: 'internal error' },
  top_up_off: {
    status: 503,
    message: 'top-up is not set up here: ask the operator to add credit',
  },
  checkout_failed: {
    status: 503,
    message:
      'the payment page cannot be reached; you were not charged, and the order waits under Payments',
  },
  checkout_unusable: {
    status: 502,
    message:
      'Stripe sent an answer that cannot be used; you were not charged, and the order waits under Payments',
  },
  /** The database cannot be written. When the ledger thread throws it, the message says why. */
  degraded: { status: 503, message: 'service degraded, retry shortly', retryAfterSeconds: 1 },
  no_documents: { status: 503, message: 'no documents indexed yet', retryAfterSeconds: 10 },
  at_capacity: {
    status: 503,
    message: 'server at capacity, retry shortly',
    retryAfterSeconds: 1,
  },
  not_serving: { status: 503, retryAfterSeconds: 1 },
  search_timeout: { status: 504, message: 'search timed out' },

  usage: {},
  database_unusable: {},
  database_busy: {},
  migration_needed: {},
  model_unusable: {},
  model_mismatch: {},
  unreadable_input: {},
  would_replace: {},
  stripe_unreachable: {},
  metrics_unreachable: {},
  unwritable_output: {},
  system_too_old: {},
  storage_failed: {},
  unknown_customer: {},
  unknown_key: {},
  unknown_operator: {},
  unknown_request: {},
  unknown_document: {},
  already_exists: {},
  already_submitted: {},
  not_refundable: {},
  audit_failed: {},
  doctor_found_errors: {},
  verify_failed: {},
  upgrade_failed: {},
  lane_failed: {},
  source_failed: {},
  source_running: {},
  mail_failed: {},
  interrupted: {},
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorTable;

export interface VerbatimErrorOptions extends ErrorOptions {
  /** Whole seconds after which a retry may succeed. */
  retryAfterSeconds?: number;
}

/** An expected error. Its message may be shown to whoever caused it. */
export class VerbatimError extends Error {
  readonly code: ErrorCode;
  /** Whole seconds after which a retry may succeed; undefined if unknown. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message?: string, options: VerbatimErrorOptions = {}) {
    const kind: ErrorKind = errorTable[code];
    const { stackTraceLimit } = Error;
    // Capturing a stack takes a quarter of the time of a rejection, and nobody reads this one.
    if (kind.status !== undefined) Error.stackTraceLimit = 0;
    super(message ?? kind.message ?? code, options);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'VerbatimError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds ?? kind.retryAfterSeconds;
  }

  /** The HTTP status; 500 for codes that are not for customers. */
  get status(): number {
    const kind: ErrorKind = errorTable[this.code];
    return kind.status ?? 500;
  }

  /**
   * Whether a customer may read the message. Other messages address the operator and name files.
   */
  get isForCustomers(): boolean {
    return 'status' in errorTable[this.code];
  }
}

/** Returns the stack or the message of a thrown value, for the operator. */
export function detailsOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Returns the message of a thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
