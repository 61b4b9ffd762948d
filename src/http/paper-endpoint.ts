/** GET /v1/paper: papers by their identifiers, as JSON or in the format of a bibliography. */
import { VerbatimError } from '../errors.ts';
import {
  type CitationListName,
  citationCursorPattern,
  citationListNames,
  parseCitationCursor,
} from '../search/papers/citation-lists.ts';
import type { DescribedPapers } from '../search/papers/describe-paper.ts';
import { mediaTypes, type PaperFormat, paperFormats } from '../search/papers/write-papers.ts';
import type { PapersAnswer, PapersRequest } from '../search/threads/search-worker.ts';
import { withKeyPermit } from './admission.ts';
import { assertNoIdempotencyKey } from './answer-once.ts';
import { badRequest } from './field-errors.ts';
import { commaNames, type RequestFields, textFor } from './field-kinds.ts';
import { matchPrintedInTurn } from './match-printed.ts';
import { chooseMediaType } from './media-type.ts';
import type { HttpRequest } from './messages.ts';
import { paidAnswer } from './paid-answer.ts';
import type { PaidCall } from './paid-call.ts';
import { idsOf, parseParameters, parseQueryString } from './query-parameters.ts';
import { INDEX_VERSION_HEADER, jsonTextResponse, type TextResponse } from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';

/** The parameters besides `id`, in the order of the documentation. */
export const listFields: RequestFields<{ names?: CitationListName[]; after?: number }> = {
  include: [
    'names',
    commaNames(
      citationListNames,
      (unknown) => `unknown name "${unknown}", expected ${citationListNames.join(' or ')}`,
    ),
  ],
  cursor: [
    'after',
    textFor(citationCursorPattern, 'the cursor of an earlier answer', parseCitationCursor),
  ],
};

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
    const request = parsePaperQuery(call.request.query, format);
    return await paidAnswer(deps, call, {
      kind: 'paper',
      find: async () => {
        const found = await deps.findPapers(request);
        // Of several papers there are only counts.
        const hasReferences = request.lists?.names.includes('references') === true;
        if (!hasReferences || found.n !== 1) return found;
        const described = JSON.parse(found.text) as DescribedPapers;
        await matchPrintedInTurn(deps, described.papers, call.key.customerId);
        return { ...found, text: JSON.stringify(described) };
      },
      respond: (found) => respondWithPapers(found, format),
    });
  });
}

/** Parses a query string. Throws a 400 that names the parameter and what was expected. */
function parsePaperQuery(query: string, format: PaperFormat): PapersRequest {
  const parameters = parseQueryString(query, ['id', ...Object.keys(listFields)]);
  const ids = idsOf(parameters);
  const { names = [], after } = parseParameters(parameters, listFields);
  if (names.length > 0 && format !== 'json') {
    throw badRequest(`include: lists are only in ${mediaTypes.json}, not in ${mediaTypes[format]}`);
  }
  if (after !== undefined && (names.length !== 1 || ids.length !== 1)) {
    throw badRequest('cursor: expected one id, and one name in include');
  }
  return { ids, format, ...(names.length > 0 && { lists: { names, after } }) };
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
