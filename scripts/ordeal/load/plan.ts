/** What a load generator is told, and what it reports. Both travel as JSON. */

/** Clients that share a behavior. */
export interface LoadGroup {
  name: string;
  /** The keys' secrets. Clients take them in turn. */
  secrets: readonly string[];
  /** Connections. */
  clients: number;
  /**
   * Open loop: so many requests per second, whatever the server does. If undefined, each client
   * sends its next request as soon as it has a response (closed loop).
   */
  ratePerSecond?: number;
}

export interface LoadPlan {
  port: number;
  seconds: number;
  /** Clients end when their connection breaks, and responses with 200 are listed: for kills. */
  endsWithServer?: boolean;
  /** Questions are built from these titles. */
  titles: readonly string[];
  groups: readonly LoadGroup[];
}

/** Times in milliseconds, 0 without any. */
export interface Times {
  p50: number;
  p99: number;
  max: number;
}

export interface LoadReport {
  /** Responses by status. 0: the connection broke. */
  statuses: Record<string, number>;
  accepted: Times;
  /** Times of 429 and 503. */
  rejected: Times;
  /** Responses with 200 per second. */
  servedPerSecond: number;
  /** The ids of responses with 200, if the plan ends with the server. */
  requestIds: string[];
  /** Requests of an open loop that found no free connection. */
  unsent: number;
}

/** Reports by the name of the group. */
export type LoadReports = Record<string, LoadReport>;
