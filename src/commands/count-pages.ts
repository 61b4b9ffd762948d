/** Counts the pages that are being made, so that the warm-up leaves the cores to them. */
import type { RespondToPage } from '../http/service-deps.ts';

export interface CountedPages {
  respond: RespondToPage;
  inFlight(): number;
}

export function countPages(respond: RespondToPage): CountedPages {
  let inFlight = 0;
  const counted = async <Response>(response: Response | Promise<Response>): Promise<Response> => {
    inFlight++;
    try {
      return await response;
    } finally {
      inFlight--;
    }
  };
  return {
    respond(request, requestId) {
      const found = respond(request, requestId);
      return found && { ...found, response: counted(found.response) };
    },
    inFlight: () => inFlight,
  };
}
