/** GET /v1/paper: papers by their identifiers, as JSON or in the format of a bibliography. */
import { VerbatimError } from '../errors.ts';
import { mediaTypes, type PaperFormat, paperFormats } from '../search/papers/write-papers.ts';
import type { PapersAnswer } from '../search/threads/search-worker.ts';
import { withKeyPermit } from './admission.ts';
import { assertNoIdempotencyKey } from './answer-once.ts';
import { chooseMediaType } from './media-type.ts';
import type { HttpRequest } from './messages.ts';
import { paidAnswer } from './paid-answer.ts';
import type { PaidCall } from './paid-call.ts';
import { idsOf, parseQueryString } from './query-parameters.ts';
import { INDEX_VERSION_HEADER, jsonTextResponse, type TextResponse } from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';

const paperParameters = ['id'] as const;

/** Names the ids that no paper has, percent-encoded and separated by commas. */
const UNKNOWN_HEADER = 'X-Unknown-Ids';

/** Throws the expected errors of every step before the hold. */
export function paperEndpoint(
  deps: ServiceDeps,
  call: PaidCall & { request: HttpRequest },
): Promise<TextResponse> {
  return withKeyPermit(deps, call.key, async () => {
    assertNoIdempotencyKey(call.request);
    const format = chooseFormat(call.request.header('accept'));
    const ids = idsOf(parseQueryString(call.request.query, paperParameters));
    return await paidAnswer(deps, call, {
      kind: 'paper',
      find: () => deps.findPapers({ ids, format }),
      respond: (found) => respondWithPapers(found, format),
    });
  });
}

function chooseFormat(accept: string): PaperFormat {
  const offered = paperFormats.map((format) => mediaTypes[format]);
  const type = chooseMediaType(accept, offered);
  const format = paperFormats.find((each) => mediaTypes[each] === type);
  if (format !== undefined) return format;
  throw new VerbatimError('not_acceptable', `Accept: expected one of ${offered.join(', ')}`);
}

/** Throws `unknown_paper` if there is none. */
function respondWithPapers(
  { text, n, unknown, indexVersion }: PapersAnswer,
  format: PaperFormat,
): TextResponse {
  if (n === 0) throw new VerbatimError('unknown_paper');
  const response = jsonTextResponse(200, text, { [INDEX_VERSION_HEADER]: indexVersion });
  const isJson = mediaTypes[format].endsWith('json');
  response.headers['Content-Type'] = `${mediaTypes[format]}${isJson ? '' : '; charset=utf-8'}`;
  if (unknown.length > 0) {
    response.headers[UNKNOWN_HEADER] = unknown.map(encodeURIComponent).join(', ');
  }
  return response;
}
