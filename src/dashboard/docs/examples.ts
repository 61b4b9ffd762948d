/**
 * Examples of the HTTP API with the server's own address, for /docs, the dashboard and
 * src/http/README.md.
 */
import { exampleQuestion } from '../../example.ts';

export interface Example {
  id: string;
  label: string;
  code: string;
}

const KEY_VARIABLE = '$VERBATIM_KEY';

/** Returns a search with curl. `key` defaults to the shell variable. */
export function curlSearch(base: string, key: string = KEY_VARIABLE): string {
  return `curl -s ${base}/v1/search \\
  -H "Authorization: Bearer ${key}" \\
  -H 'Content-Type: application/json' \\
  -d '{"query": "${exampleQuestion}", "limit": 3, "fields": "abstract"}'`;
}

export function curlUsage(base: string): string {
  return `curl -s ${base}/v1/usage -H "Authorization: Bearer ${KEY_VARIABLE}"`;
}

/** Returns the quick start: the same search in three languages. */
export function quickStart(base: string): Example[] {
  return [
    { id: 'quick-curl', label: 'curl', code: curlSearch(base) },
    { id: 'quick-python', label: 'Python', code: pythonSearch(base) },
    { id: 'quick-typescript', label: 'TypeScript', code: typescriptSearch(base) },
  ];
}

function pythonSearch(base: string): string {
  return `import json, os, urllib.request

request = urllib.request.Request(
    "${base}/v1/search",
    data=json.dumps({"query": "${exampleQuestion}", "limit": 3}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['VERBATIM_KEY']}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as response:
    for result in json.load(response)["results"]:
        print(f"{result['q']} ({result['d']})")`;
}

function typescriptSearch(base: string): string {
  return `const response = await fetch('${base}/v1/search', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.VERBATIM_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({ query: '${exampleQuestion}', limit: 3 }),
});
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);
const { results } = (await response.json()) as { results: { q: string; d: string }[] };
for (const { q, d } of results) console.log(\`\${q} (\${d})\`);`;
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
  '200 {"status":"ok","version","documents","sentences","model","uptime_s"}';
