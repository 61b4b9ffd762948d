/** GET /v1/changes: the papers that were added, changed, or withdrawn. Costs nothing. */
import type { ApiKey } from '../accounts/sql/api-keys.ts';
import {
  type ChangesCursor,
  cursorPattern,
  parseCursor,
  parseTime,
  timePattern,
} from '../search/papers/changes-cursor.ts';
import {
  CHANGES_DEFAULT,
  CHANGES_MAX,
  type ChangesRequest,
} from '../search/papers/list-changes.ts';
import { withKeyPermit, withPermit } from './admission.ts';
import { badRequest } from './field-errors.ts';
import { integer, type RequestFields, textFor } from './field-kinds.ts';
import { withTimeout } from './paid-call.ts';
import { parseParameters, parseQueryString } from './query-parameters.ts';
import { jsonResponse, type TextResponse } from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';

interface ChangesParameters {
  since?: number;
  cursor?: ChangesCursor;
  limit: number;
}

/** The parameters, in the order of the documentation. */
export const changesFields: RequestFields<ChangesParameters> = {
  since: [
    'since',
    textFor(timePattern, 'a date, or a time with its zone, as in 2026-11-21T09:30:00Z', parseTime),
  ],
  cursor: ['cursor', textFor(cursorPattern, 'the cursor of an earlier answer', parseCursor)],
  limit: ['limit', { ...integer(1, CHANGES_MAX), absent: CHANGES_DEFAULT }],
};

/** Throws `bad_request`, `too_many_in_flight`, `cursor_over`, and `search_timeout`. */
export function changesEndpoint(
  deps: ServiceDeps,
  key: ApiKey,
  query: string,
): Promise<TextResponse> {
  return withKeyPermit(deps, key, async () => {
    const request = parseChangesQuery(query);
    return await withPermit(deps, async (permit) => {
      const listing = deps.listChanges(request);
      permit.keepUntil(listing);
      return jsonResponse(200, await withTimeout(listing, deps.settings.requestTimeoutMs));
    });
  });
}

/** Parses a query string. Throws a 400 that names the parameter and what was expected. */
function parseChangesQuery(query: string): ChangesRequest {
  const parameters = parseQueryString(query, Object.keys(changesFields));
  const { since, cursor, limit } = parseParameters(parameters, changesFields);
  const changesSince = since ?? cursor;
  if (changesSince === undefined) throw badRequest('since: expected a time, or a cursor instead');
  if (since !== undefined && cursor !== undefined) {
    throw badRequest('since: expected either since or cursor, got both');
  }
  return { changesSince, limit };
}
