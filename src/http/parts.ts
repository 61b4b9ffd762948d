/** What the endpoints stand on; `verbatim serve` puts it together. */
import type { Settings } from '../config.ts';
import type { Log } from '../log.ts';
import type { IndexTotals } from '../store/index-facts.ts';
import type { KeyReader } from '../store/keys.ts';
import type { KeyUsage } from '../store/usage.ts';
import type { SearchRequest } from '../types.ts';
import type { LedgerWriter } from '../workers/ledger-worker.ts';
import type { Places } from './places.ts';
import type { RateLimiter } from './rate-limiter.ts';

export type ServiceState = 'starting' | 'ok' | 'stopping';

export interface ServiceParts {
  settings: Pick<
    Settings,
    | 'requestsPerMinute'
    | 'inFlightPerKeyMax'
    | 'requestTimeoutMs'
    | 'bodyBytesMax'
    | 'bodyTimeoutMs'
    | 'usageWaitMs'
  >;
  log: Log;
  keys: KeyReader;
  rates: RateLimiter;
  places: Places;
  ledger: LedgerWriter;
  /** Gives the answer as JSON. */
  search: (request: SearchRequest) => Promise<string>;
  balanceOf: (customerId: number) => number;
  usageOf: (keyId: number, period: string) => KeyUsage;
  totals: () => IndexTotals;
  state: () => ServiceState;
  version: string;
  modelName: string;
  now: () => number;
}
