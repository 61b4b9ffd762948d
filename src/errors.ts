/**
 * The one table of expected errors. Whatever is not a VerbatimError is a defect: it is logged once
 * and answered as 500 without details. Codes without a status never reach the HTTP service.
 */

interface ErrorKind {
  status?: number;
  /** The text for the customer; where it is absent, the thrower's message is it. */
  message?: string;
  /** What the customer is told to wait where the thrower does not know better. */
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
  signed_out: { status: 401, message: 'sign in first' },
  customer_disabled: { status: 403, message: 'this account is disabled; ask the operator' },
  foreign_form: { status: 403, message: 'this form has expired; load the page again' },
  not_found: { status: 404, message: 'not found' },
  method_not_allowed: { status: 405, message: 'method not allowed' },
  link_over: { status: 410, message: 'this link has expired or was used; ask for a new one' },
  secret_shown: { status: 410, message: 'a secret is shown once, right after its key was created' },
  body_timeout: { status: 408, message: 'request body not received in time' },
  body_too_large: { status: 413 },
  media_type: {
    status: 415,
    message: 'Expected request with `Content-Type: application/json`',
  },
  content_encoding: { status: 415 },
  invalid_field: { status: 422 },
  rate_limited: { status: 429, message: 'rate limit exceeded' },
  too_many_in_flight: { status: 429, message: 'rate limit exceeded' },
  too_many_tries: { status: 429 },
  internal: { status: 500, message: 'internal error' },
  top_up_off: {
    status: 503,
    message: 'top-up is not set up here: ask the operator to add credit',
  },
  checkout_failed: { status: 503, message: 'the payment page cannot be reached, retry shortly' },
  /** The database cannot be written; as a failure of the ledger's thread its message says why. */
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
  model_unusable: {},
  model_mismatch: {},
  unreadable_input: {},
  would_replace: {},
  stripe_unreachable: {},
  unwritable_output: {},
  unknown_customer: {},
  unknown_key: {},
  unknown_request: {},
  unknown_document: {},
  already_exists: {},
  not_refundable: {},
  audit_failed: {},
  verify_failed: {},
  lane_failed: {},
  mail_failed: {},
  interrupted: {},
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorTable;

export interface VerbatimErrorOptions extends ErrorOptions {
  /** Whole seconds after which another try may succeed. */
  retryAfterSeconds?: number;
}

/** An error that was isExpectedError: its message may be shown to whoever caused it. */
export class VerbatimError extends Error {
  readonly code: ErrorCode;
  /** Whole seconds after which another try may succeed; undefined where nobody can tell. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message?: string, options: VerbatimErrorOptions = {}) {
    const kind: ErrorKind = errorTable[code];
    super(message ?? kind.message ?? code, options);
    this.name = 'VerbatimError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds ?? kind.retryAfterSeconds;
  }

  /** The HTTP status; 500 for codes that are the operator's, see `isForCustomers`. */
  get status(): number {
    const kind: ErrorKind = errorTable[this.code];
    return kind.status ?? 500;
  }

  /** Whether a customer may read it. Others speak to the operator, of files and folders. */
  get isForCustomers(): boolean {
    return 'status' in errorTable[this.code];
  }
}

/** All that is known of whatever was thrown, for the operator. */
export function detailsOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
