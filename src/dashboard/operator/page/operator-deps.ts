/** The dependencies of the operator's pages. `verbatim serve` builds them. */

import type { AccountDeps } from '../../../accounts/account-deps.ts';
import type { OperatorAccess } from '../../../accounts/ports/operator-store.ts';
import type { IndexSummary } from '../../../index/facets/index-summary.ts';
import type { StoredBuild } from '../../../index/records/builds.ts';
import type { Log } from '../../../log.ts';
import type { AlertWatch } from '../../../metrics/alerts/alert-watch.ts';
import type { ServerHistory } from '../../../metrics/server-history.ts';
import type { ExplainedResult } from '../../../search/explain-quote.ts';
import type { Settings } from '../../../settings/config.ts';
import type { Source } from '../../../sources/ports/source.ts';
import type { Assets } from '../../page/assets.ts';
import type { ExpiringStore } from '../../page/expiring-store.ts';
import type { SubmitOnce } from '../../page/submit-once.ts';
import type { AuditRunner } from './audit-runner.ts';
import type { BuildFigures } from './build-figures.ts';
import type { UpdateRunner } from './update-runner.ts';

/** A one-time link for a customer, on its way to the operator. */
export interface ShownLink {
  customerId: number;
  email: string;
  /** null: sent by mail. */
  url: string | null;
  /** Why the mail was not sent; undefined if it was, or if there is no mail server. */
  mailFault: string | undefined;
  expiresAt: number;
}

/** What the pages read of the index. */
export interface IndexReports {
  /** Counts, in a search thread. */
  summarize(): Promise<IndexSummary>;
  /** Searches the index alone, without lanes, and says why each sentence was chosen. Counts nothing. */
  explain(question: string): Promise<ExplainedResult[]>;
  /** Returns the last builds, the latest first. */
  builds(most: number): Promise<StoredBuild<BuildFigures>[]>;
  /** Returns what is fetched into it. */
  sources(): Promise<Source[]>;
}

export interface OperatorDeps {
  audits: AuditRunner;
  updates: UpdateRunner;
  index: IndexReports;
  settings: Settings;
  log: Log;
  assets: Assets;
  now: () => number;
  history: Pick<ServerHistory, 'numbers' | 'samples'>;
  alerts: AlertWatch;
  accounts: AccountDeps;
  /** Writes the requests that wait, so that pages show them. */
  flushRequests: () => Promise<void>;
  asOperator: OperatorAccess['asOperator'];
  /** Starts the threads that read, if they have not been started. Never rejects. */
  startReading: () => Promise<void>;
  /** The settings, with the port on which the service listens. */
  linkSettings: () => Settings;
  /** Links, between the form that makes them and the page that shows them once. */
  links: ExpiringStore<ShownLink>;
  /** Makes the forms of links idempotent. Results are the paths of the pages that show the link. */
  linkForms: SubmitOnce<string>;
  /** New recovery codes of operators, between the form that creates them and the page that shows them. */
  recoveryCodes: ExpiringStore<readonly string[]>;
}
