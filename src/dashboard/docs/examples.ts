/** Examples of the HTTP API with the server's own address, for /docs, the dashboard and README. */

export interface Example {
  id: string;
  label: string;
  code: string;
}

const KEY_VARIABLE = '$VERBATIM_KEY';

/** A search with curl. `key` is put where the key belongs: by default the variable of a shell. */
export function curlSearch(base: string, key: string = KEY_VARIABLE): string {
  return `curl -s ${base}/v1/search \\
  -H "Authorization: Bearer ${key}" \\
  -H 'Content-Type: application/json' \\
  -d '{"query": "does sleep help memory", "limit": 3, "fields": "abstract"}'`;
}

export function curlUsage(base: string): string {
  return `curl -s ${base}/v1/usage -H "Authorization: Bearer ${KEY_VARIABLE}"`;
}

/** The quick start: the same search three times. */
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
    data=json.dumps({"query": "does sleep help memory", "limit": 3}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['VERBATIM_KEY']}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as answer:
    for result in json.load(answer)["results"]:
        print(f"{result['q']} ({result['d']})")`;
}

function typescriptSearch(base: string): string {
  return `const answer = await fetch('${base}/v1/search', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.VERBATIM_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({ query: 'does sleep help memory', limit: 3 }),
});
if (!answer.ok) throw new Error(\`\${answer.status}: \${await answer.text()}\`);
const { results } = (await answer.json()) as { results: { q: string; d: string }[] };
for (const { q, d } of results) console.log(\`\${q} (\${d})\`);`;
}

export const answerExample = `{
  "n": 3,
  "c": 0.477,
  "results": [
    {
      "d": "sample:neuroscience-place-cells",
      "t": "Place cells of the rat hippocampus and the neural representation of position",
      "y": 2026,
      "a": ["Verbatim sample authors"],
      "s": 0.547,
      "q": "During later sleep, cells that were active together on a maze tend to fire together again.",
      "src": "corpus"
    }
  ]
}`;

export const usageExample = '{ "period": "2026-11", "requests": 1, "credits": 1, "balance": 999 }';

export const healthExample =
  '200 {"status":"ok","version","documents","sentences","model","uptime_s"}';
