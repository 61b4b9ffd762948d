/**
 * Examples of the HTTP API in Python, with its standard library alone. Tests run them as they stand
 * on /docs.
 */
import { exampleQuestion, samplePaper } from '../../settings/example.ts';
import { pythonLiteral } from './literal.ts';

const AUTHORIZATION = `"Authorization": f"Bearer {os.environ['VERBATIM_KEY']}"`;

export function pythonSearch(base: string, asked: object): string {
  return `import json, os, urllib.request

${postRequest(`${base}/v1/search`, pythonLiteral(asked))}
with urllib.request.urlopen(request) as response:
    for result in json.load(response)["results"]:
        print(f"{result['q']} ({result['d']})")`;
}

export function pythonBatch(base: string): string {
  return `import json, os, urllib.request

questions = [{"query": "${exampleQuestion}", "limit": 1}, {"query": ""}]
${postRequest(`${base}/v1/search/batch`, '{"questions": questions}')}
with urllib.request.urlopen(request) as response:
    for question, outcome in zip(questions, json.load(response)["outcomes"]):
        if "answer" in outcome:
            print(question["query"], outcome["answer"]["results"])
        else:
            print(question["query"], outcome["code"], outcome["error"])`;
}

/** Repeats a search as the server asks for it, without paying twice. */
export function pythonRepeat(base: string): string {
  return `import http.client, json, os, time, urllib.error, urllib.request, uuid

def search(question, attempts=4):
    request = urllib.request.Request(
        "${base}/v1/search",
        data=json.dumps(question).encode(),
        headers={
            ${AUTHORIZATION},
            "Content-Type": "application/json",
            # The same for all attempts, so that an answer that got lost is not paid twice.
            "Idempotency-Key": str(uuid.uuid4()),
        },
    )
    for left in reversed(range(attempts)):
        wait_s = 1
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if left == 0 or error.code not in (409, 429, 500, 502, 503):
                code, text = error.headers["X-Error-Code"], error.read().decode()
                raise RuntimeError(f"{error.code} {code}: {text}") from None
            wait_s = int(error.headers.get("Retry-After", 1))
        except (OSError, http.client.HTTPException):
            if left == 0:
                raise
        time.sleep(wait_s)

for result in search({"query": "${exampleQuestion}", "limit": 3})["results"]:
    print(f"{result['q']} ({result['d']})")`;
}

export function pythonVerify(base: string): string {
  return `import json, os, urllib.request

items = [
    {"quote": "people forget less over a night of sleep", "id": "${samplePaper.id}"},
    {"reference": {"title": "${samplePaper.title}", "year": 2019}},
]
${postRequest(`${base}/v1/verify`, '{"items": items}')}
with urllib.request.urlopen(request) as response:
    for result in json.load(response)["items"]:
        print(result["kind"], result["verdict"], result.get("corrected", ""))`;
}

export function pythonPaper(base: string): string {
  return `import os, urllib.parse, urllib.request

query = urllib.parse.urlencode({"id": "${samplePaper.id}"})
request = urllib.request.Request(
    f"${base}/v1/paper?{query}",
    headers={
        ${AUTHORIZATION},
        "Accept": "application/x-bibtex",
    },
)
with urllib.request.urlopen(request) as response:
    print(response.read().decode())`;
}

export function pythonSimilar(base: string): string {
  return `import json, os, urllib.parse, urllib.request

query = urllib.parse.urlencode({
    "id": "${samplePaper.id}",
    "limit": 3,
    "filter": json.dumps({"year": {"from": 2015}}),
})
${getRequest(`f"${base}/v1/similar?{query}"`)}
with urllib.request.urlopen(request) as response:
    for result in json.load(response)["results"]:
        print(f"{result['t']} ({result['d']})")`;
}

export function pythonChanges(base: string): string {
  return `import json, os, urllib.parse, urllib.request

titles, start, more = {}, {"since": "2026-11-01"}, True
while more:
    query = urllib.parse.urlencode({**start, "limit": 1000})
${getRequest(`f"${base}/v1/changes?{query}"`).replaceAll(/^/gm, '    ')}
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)
    for change in answer["changes"]:
        titles.pop(change["d"], None)
        if change["kind"] != "withdrawn":
            titles[change["d"]] = change.get("t", "")
    start, more = {"cursor": answer["cursor"]}, answer["more"]
print(len(titles), "papers")`;
}

export function pythonUsage(base: string): string {
  return `import json, os, urllib.request

${getRequest(`"${base}/v1/usage"`)}
with urllib.request.urlopen(request) as response:
    print(json.load(response)["balance"], "credits left")`;
}

function postRequest(url: string, data: string): string {
  return `request = urllib.request.Request(
    "${url}",
    data=json.dumps(${data}).encode(),
    headers={
        ${AUTHORIZATION},
        "Content-Type": "application/json",
    },
)`;
}

function getRequest(url: string): string {
  return `request = urllib.request.Request(
    ${url},
    headers={${AUTHORIZATION}},
)`;
}
