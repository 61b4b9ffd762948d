/** The reference of the HTTP API in sections: the source of /docs, /llms.txt, and src/http/API.md. */
import {
  batchExample,
  changesExample,
  curlFilter,
  curlSearch,
  type Example,
  healthExample,
  quickStart,
  requestExamples,
  responseExample,
  usageExample,
} from './examples.ts';
import {
  changeKindsOfQuotes,
  changesAnswer,
  changesParameters,
  listFields,
  paperFields,
  paperFormats,
  paperParameters,
  referenceAssessments,
  referenceVerdicts,
  similarParameters,
  verifyFields,
  verifyLaneFields,
  verifyRequestFields,
} from './look-up-tables.ts';
import type { DocsTable } from './table.ts';
import {
  connections,
  errors,
  filterFields,
  type LimitSettings,
  limits,
  outcomeFields,
  requestFields,
  responseFields,
  responseHeaders,
} from './tables.ts';

/** A part of a section: a paragraph, as in a cell of a table, a table, or an example. */
export type Part = string | DocsTable | Example;

export interface Section {
  id: string;
  title: string;
  parts: readonly Part[];
}

/** Returns the sections for a server at this address, with these limits. */
export function sectionsOf(base: string, settings: LimitSettings): Section[] {
  return [
    ...searchSections(base),
    ...lookUpSections(base, settings),
    ...otherSections(base, settings),
  ];
}

function searchSections(base: string): Section[] {
  const request = curlExample('search', curlSearch(base));
  const filter = curlExample('filter', curlFilter(base));
  return [
    {
      id: 'start',
      title: 'Quick start',
      parts: [
        'Create a key on the [Keys](/dashboard/keys) page. Keep it in an environment variable or a secret manager, never in code. Every `/v1/` endpoint requires it as `Authorization: Bearer sk_live_...`',
        ...quickStart(base),
      ],
    },
    {
      id: 'search',
      title: 'Search',
      parts: [
        'Send `POST /v1/search` with `Content-Type: application/json`. Any other field is an error that names it.',
        requestFields,
        request,
        response('search', responseExample),
        responseFields,
        responseHeaders,
      ],
    },
    {
      id: 'batch',
      title: 'Batch',
      parts: [
        '`POST /v1/search/batch` takes up to 32 questions, each an object as the body of a search. Each has an outcome of its own, in the order of the questions, and costs one credit if it has an answer.',
        ...requestExamples('batch', base),
        response('batch', batchExample),
        outcomeFields,
      ],
    },
    {
      id: 'repeats',
      title: 'Repeats',
      parts: [
        'Send `Idempotency-Key` with any paid `POST`, a new one for each request. If the connection breaks, send the same request with the same key again: within 24 hours you get the same answer and do not pay twice. Such a request is charged even if you are gone before the answer, because its repeat is answered. Failed requests are not stored; their repeat tries again.',
        ...requestExamples('repeats', base),
      ],
    },
    {
      id: 'filters',
      title: 'Filters',
      parts: [
        'The field `filter` of a search is an object. A paper must match all of its fields; of several names in a field, one is enough. The search looks only among the papers that match, so `c` and the scores are about them, and there are as many results as without a filter if so many papers match. An unknown field, type, or value is an error.',
        filterFields,
        filter,
      ],
    },
  ];
}

function lookUpSections(base: string, settings: LimitSettings): Section[] {
  return [
    {
      id: 'verify',
      title: 'Verify',
      parts: [
        '`POST /v1/verify` compares up to 100 quotes and references with the index. Each 20 items begun cost 1 credit; a call is free if nothing could be said of any item.',
        verifyRequestFields,
        verifyFields,
        'Each of `changes` has its `kind`, the words of the quote as `quoted`, and those of the source as `wording`; one of both is empty if there are none.',
        changeKindsOfQuotes,
        referenceVerdicts,
        referenceAssessments,
        looksUp(settings),
        verifyLaneFields,
        ...requestExamples('verify', base),
      ],
    },
    {
      id: 'papers',
      title: 'Papers',
      parts: [
        '`GET /v1/paper` returns papers by any identifier for 1 credit a call. It is free if no paper is found.',
        paperParameters,
        paperFormats,
        paperFields,
        listFields,
        ...requestExamples('paper', base),
      ],
    },
    {
      id: 'similar',
      title: 'Similar papers',
      parts: [
        '`GET /v1/similar` returns the papers that are most similar to one, for 1 credit, with the fields of a search. It is free if the index does not have the paper.',
        similarParameters,
        ...requestExamples('similar', base),
      ],
    },
    {
      id: 'changes',
      title: 'Changes',
      parts: [
        '`GET /v1/changes` lists the papers that were added, changed, or withdrawn, for whoever keeps copies of papers or answers. It is free. Begin with `since`, keep each `cursor`, and go on with it: put what is `added` or `changed` in the place of what you have, and drop what is `withdrawn`. Changes from before the server was updated to version 0.3.0 are not known.',
        changesParameters,
        changesAnswer,
        ...requestExamples('changes', base),
        response('changes', changesExample),
      ],
    },
  ];
}

function looksUp({
  verifyLookUpCredits: credits,
  verifyLookUpsMax: most,
  verifyLookUpMsMax,
}: LimitSettings): string {
  const price =
    credits === 0 ? 'nothing more' : `${credits} more ${credits === 1 ? 'credit' : 'credits'}`;
  return `With \`lanes\`, references with the verdict \`not_found\` are looked up outside the index, by their identifiers, and then by title and author: up to ${most} in a call, for at most ${verifyLookUpMsMax / 1000} seconds. What is found gets its verdict as if the index had it. Each of them costs ${price}, which is held before anything leaves the server and returned if no lane answered.`;
}

function otherSections(base: string, settings: LimitSettings): Section[] {
  return [
    {
      id: 'usage',
      title: 'Usage',
      parts: [
        '`GET /v1/usage` returns what the key has used in this calendar month (UTC), net of refunds, and the balance. It is free.',
        ...requestExamples('usage', base),
        response('usage', usageExample, 'Response'),
      ],
    },
    {
      id: 'health',
      title: 'Health',
      parts: [
        '`GET /health` returns 200 while the service is ready, and 503 while it starts or stops. It is the only endpoint without a key.',
        response('health', healthExample, 'Response'),
      ],
    },
    {
      id: 'errors',
      title: 'Errors',
      parts: [
        'An error is a short plain text. Programs should read the code in `X-Error-Code`, because two errors may share a status and a message, but not a code. A client that names `application/problem+json` in `Accept` gets problem details (RFC 9457). Only a search that has started affects the balance, and the credit is returned if it fails.',
        errors,
        'The server checks them in the order 401, 429, 406, 415, 413, 400, 409 or 422, 402, 503. Wait the number of seconds in `Retry-After` before you retry.',
      ],
    },
    {
      id: 'limits',
      title: 'Limits',
      parts: [
        limits(settings),
        'A key may have its own rate and its own number of searches in flight. The headers show the values in force.',
      ],
    },
    { id: 'connections', title: 'Connections', parts: [connections] },
  ];
}

function curlExample(section: string, code: string): Example {
  return { id: `${section}-request`, label: 'curl', language: 'sh', code };
}

function response(section: string, code: string, label = 'Response (shortened)'): Example {
  return { id: `${section}-response`, label, language: 'json', code };
}
