/** Sends files while they are read. */
import type { Table, TableFormat } from '../../accounts/write-table.ts';
import { detailsOf } from '../../errors.ts';
import type { HttpResponse } from '../../http/messages.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import type { CustomerCall, Handler } from './page.ts';

type Pieces = AsyncGenerator<string | Uint8Array>;

export interface Download {
  name: string;
  /** The media type. */
  type: string;
  pieces: Pieces;
}

const tableTypes: Readonly<Record<TableFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json',
};

type TablePages = Record<string, { get: Handler<DashboardDeps, CustomerCall> }>;

/** Returns the pages PATH.csv and PATH.json, which send a table. */
export function tablePages(
  path: string,
  tableFor: (deps: DashboardDeps, call: CustomerCall) => Table | Promise<Table>,
): TablePages {
  const formats = Object.keys(tableTypes) as TableFormat[];
  return Object.fromEntries(
    formats.map((format) => [
      `${path}.${format}`,
      {
        async get(deps, call) {
          const { name, write } = await tableFor(deps, call);
          const file = { name: `verbatim-${name}.${format}`, type: tableTypes[format] };
          return download(deps, call, { ...file, pieces: write(format) });
        },
      },
    ]),
  ) satisfies TablePages;
}

/**
 * Returns the download of a file that is read in pieces. Throws `too_many_downloads` if too many are under
 * way.
 */
export function download(
  deps: DashboardDeps,
  call: CustomerCall,
  { name, type, pieces }: Download,
): HttpResponse {
  const release = deps.downloads.take(call.session.customer.id);
  return {
    status: 200,
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
    body: logged(deps, call, pieces),
    onSent: release,
  };
}

/**
 * If reading fails, the response has already started and breaks off, so the cause is logged here.
 */
async function* logged(
  { service }: DashboardDeps,
  { requestId }: CustomerCall,
  pieces: Pieces,
): Pieces {
  try {
    yield* pieces;
  } catch (error) {
    service.log.error('download_failed', { request_id: requestId, reason: detailsOf(error) });
    throw error;
  }
}
