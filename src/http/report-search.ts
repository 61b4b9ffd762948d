/** Reports what a search took: to the metrics, and to the log if it was slow. */

import type { ApiKey } from '../accounts/sql/api-keys.ts';
import type { LogFields } from '../log.ts';
import { type StageTimes, searchStages } from './search-stages.ts';
import type { ServiceDeps } from './service-deps.ts';

export interface FinishedSearch {
  requestId: string;
  key: ApiKey;
  query: string;
  status: number;
  /** From the validated request to the response, without the client's part. */
  milliseconds: number;
  stages: StageTimes;
}

/** Logs a search that took at least `slowSearchMs` as a warning, and any other as debugging. */
export function reportSearch(
  { log, observer, settings }: Pick<ServiceDeps, 'log' | 'observer' | 'settings'>,
  { requestId, key, query, status, milliseconds, stages }: FinishedSearch,
): void {
  if (status === 200) observer.searched(milliseconds, stages);
  const fields: LogFields = {
    request_id: requestId,
    key: key.prefix,
    status,
    milliseconds: rounded(milliseconds),
    question: settings.logQuestions ? query : undefined,
  };
  for (const stage of searchStages) {
    const time = stages[stage];
    if (time !== undefined) fields[`${stage}_ms`] = rounded(time);
  }
  if (milliseconds >= settings.slowSearchMs) log.warn('slow_search', fields);
  else log.debug('search', fields);
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
