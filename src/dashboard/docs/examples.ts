/**
 * Examples of the HTTP API with the server's own address, for /docs, the dashboard and
 * src/http/API.md. Tests run them as they stand there.
 */
import { exampleQuestion, samplePaper } from '../../settings/example.ts';
import { jsonLiteral, shellLiteral } from './literal.ts';
import {
  pythonBatch,
  pythonChanges,
  pythonPaper,
  pythonRepeat,
  pythonSearch,
  pythonSimilar,
  pythonUsage,
  pythonVerify,
} from './python-examples.ts';
import {
  typescriptBatch,
  typescriptChanges,
  typescriptPaper,
  typescriptRepeat,
  typescriptSearch,
  typescriptSimilar,
  typescriptUsage,
  typescriptVerify,
} from './typescript-examples.ts';

/** The languages of requests, by the names that Markdown gives them. */
export const requestLanguages = { sh: 'curl', python: 'Python', ts: 'TypeScript' } as const;

export type RequestLanguage = keyof typeof requestLanguages;

export interface Example {
  id: string;
  label: string;
  language: RequestLanguage | 'json';
  code: string;
}

const KEY_VARIABLE = '$VERBATIM_KEY';

const example = { query: exampleQuestion, limit: 3 };

/** Returns a search with curl. `key` defaults to the shell variable. */
export function curlSearch(
  base: string,
  key: string = KEY_VARIABLE,
  asked: object = { ...example, fields: 'abstract' },
): string {
  return `curl -s ${base}/v1/search \\
  -H "Authorization: Bearer ${key}" \\
  -H 'Content-Type: application/json' \\
  -d ${shellLiteral(jsonLiteral(asked))}`;
}

export function curlFilter(base: string): string {
  const filter = { year: { from: 2015 }, has_abstract: true };
  return curlSearch(base, KEY_VARIABLE, { query: exampleQuestion, filter });
}

/** Returns a search with this body in three languages. */
export function searchInCode(base: string, asked: object): Example[] {
  return inLanguages('in', {
    sh: curlSearch(base, KEY_VARIABLE, asked),
    python: pythonSearch(base, asked),
    ts: typescriptSearch(base, asked),
  });
}

function curlBatch(base: string): string {
  return `curl -s ${base}/v1/search/batch \\
  -H "Authorization: Bearer ${KEY_VARIABLE}" \\
  -H 'Content-Type: application/json' \\
  -d '{"questions": [{"query": "${exampleQuestion}", "limit": 1}, {"query": ""}]}'`;
}

/** Returns a search that curl repeats with the same key as often as it fails, up to three times. */
function curlRepeat(base: string): string {
  return `curl -s --retry 3 --retry-all-errors ${base}/v1/search \\
  -H "Authorization: Bearer ${KEY_VARIABLE}" \\
  -H 'Content-Type: application/json' -H "Idempotency-Key: $(openssl rand -hex 16)" \\
  -d '{"query": "${exampleQuestion}", "limit": 3}'`;
}

function curlUsage(base: string): string {
  return `curl -s ${base}/v1/usage -H "Authorization: Bearer ${KEY_VARIABLE}"`;
}

/** Returns the verification of a quote and of a reference with a wrong year. */
function curlVerify(base: string): string {
  const quote = 'people forget less over a night of sleep';
  return `curl -s ${base}/v1/verify \\
  -H "Authorization: Bearer ${KEY_VARIABLE}" -H 'Content-Type: application/json' \\
  -d '{"items": [{"quote": "${quote}", "id": "${samplePaper.id}"},
                 {"reference": "@article{a, title={${samplePaper.title}}, year={2019}}"}]}'`;
}

function curlPaper(base: string): string {
  return `curl -s '${base}/v1/paper?id=${samplePaper.id}' \\
  -H "Authorization: Bearer ${KEY_VARIABLE}" -H 'Accept: application/x-bibtex'`;
}

function curlSimilar(base: string): string {
  return `curl -sG ${base}/v1/similar \\
  -H "Authorization: Bearer ${KEY_VARIABLE}" \\
  -d id=${samplePaper.id} -d limit=3 \\
  --data-urlencode 'filter={"year": {"from": 2015}}'`;
}

function curlChanges(base: string): string {
  return `curl -s '${base}/v1/changes?since=2026-11-01&limit=3' \\
  -H "Authorization: Bearer ${KEY_VARIABLE}"`;
}

/** Returns the quick start: the same search in three languages. */
export function quickStart(base: string): Example[] {
  return inLanguages('quick', {
    sh: curlSearch(base),
    python: pythonSearch(base, example),
    ts: typescriptSearch(base, example),
  });
}

const requests = {
  batch: { sh: curlBatch, python: pythonBatch, ts: typescriptBatch },
  repeats: { sh: curlRepeat, python: pythonRepeat, ts: typescriptRepeat },
  verify: { sh: curlVerify, python: pythonVerify, ts: typescriptVerify },
  paper: { sh: curlPaper, python: pythonPaper, ts: typescriptPaper },
  similar: { sh: curlSimilar, python: pythonSimilar, ts: typescriptSimilar },
  changes: { sh: curlChanges, python: pythonChanges, ts: typescriptChanges },
  usage: { sh: curlUsage, python: pythonUsage, ts: typescriptUsage },
} as const;

/** Returns the request of a section of /docs in three languages. */
export function requestExamples(section: keyof typeof requests, base: string): Example[] {
  const { sh, python, ts } = requests[section];
  return inLanguages(section, { sh: sh(base), python: python(base), ts: ts(base) });
}

function inLanguages(id: string, codes: Readonly<Record<RequestLanguage, string>>): Example[] {
  const languages = Object.keys(requestLanguages) as RequestLanguage[];
  return languages.map((language) => {
    const label = requestLanguages[language];
    return { id: `${id}-${label.toLowerCase()}`, label, language, code: codes[language] };
  });
}

export const responseExample = `{
  "n": 3,
  "c": 0.793,
  "results": [
    {
      "d": "sample:psychology-sleep-and-forgetting",
      "t": "Sleep after learning and the retention of new memories",
      "y": 2026,
      "a": ["Verbatim sample authors"],
      "s": 0.81,
      "q": "Sleep after learning improves memory: people forget less over a night of sleep than over the same time awake.",
      "src": "corpus"
    }
  ]
}`;

export const usageExample = '{ "period": "2026-11", "requests": 1, "credits": 1, "balance": 999 }';

export const healthExample =
  '200 {"status":"ok","version","documents","sentences","index_engine","model","uptime_s"}';

export const batchExample = `{"n": 2, "credits": 1, "outcomes": [
  {"status": 200, "request_id": "0b0f6a52-8d0b-4c52-9a53-1f5a3f8d7c11-1", "index_version": "5f0c2b8e", "answer": {"n": 1, "c": 0.793, "results": []}},
  {"status": 400, "request_id": "0b0f6a52-8d0b-4c52-9a53-1f5a3f8d7c11-2", "code": "empty_query", "error": "empty query"}]}`;

export const changesExample = `{
  "changes": [
    { "d": "10.5555/tides", "kind": "added", "at": "2026-11-21T09:30:00.000Z", "t": "Tides of the northern shore", "y": 2021 },
    { "d": "10.5555/gone", "kind": "withdrawn", "reason": "retracted", "at": "2026-11-21T09:30:00.001Z", "t": "A tide that never came", "y": 2018 }
  ],
  "cursor": "7c1f4e0b9a5d4c2f8e6a3b1d0c9f8e7a.1795253400001000.1795253400001000",
  "more": false
}`;
