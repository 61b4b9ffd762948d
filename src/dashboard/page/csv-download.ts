/** Sends a CSV file while it is read. */
import { detailsOf } from '../../errors.ts';
import type { HttpResponse } from '../../http/messages.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import type { CustomerCall } from './page.ts';

/** Returns the download of a file that is read in pieces. */
export function csvDownload(
  deps: DashboardDeps,
  call: CustomerCall,
  { name, pieces }: { name: string; pieces: AsyncGenerator<string> },
): HttpResponse {
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="${name}"`,
    },
    body: logged(deps, call, pieces),
  };
}

/**
 * If reading fails, the response has already started and breaks off, so the cause is logged here.
 */
async function* logged(
  { service }: DashboardDeps,
  { requestId }: CustomerCall,
  pieces: AsyncGenerator<string>,
): AsyncGenerator<string> {
  try {
    yield* pieces;
  } catch (error) {
    service.log.error('download_failed', { request_id: requestId, reason: detailsOf(error) });
    throw error;
  }
}
