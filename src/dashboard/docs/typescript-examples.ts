/** Examples of the HTTP API in TypeScript, with `fetch` alone. Tests run them as they stand on /docs. */
import { exampleQuestion, samplePaper } from '../../settings/example.ts';
import { jsonLiteral } from './literal.ts';

const AUTHORIZATION = `Authorization: \`Bearer \${process.env.VERBATIM_KEY}\``;

export function typescriptSearch(base: string, asked: object): string {
  return `${postRequest(`${base}/v1/search`, jsonLiteral(asked))}
const { results } = (await response.json()) as { results: { q: string; d: string }[] };
for (const { q, d } of results) console.log(\`\${q} (\${d})\`);`;
}

export function typescriptBatch(base: string): string {
  return `const questions = [{ query: '${exampleQuestion}', limit: 1 }, { query: '' }];
${postRequest(`${base}/v1/search/batch`, '{ questions }')}
const { outcomes } = (await response.json()) as {
  outcomes: { code?: string; answer?: { results: { q: string }[] } }[];
};
outcomes.forEach(({ code, answer }, index) => {
  console.log(questions[index]?.query, answer?.results.map(({ q }) => q) ?? code);
});`;
}

/** Repeats a search as the server asks for it, without paying twice. */
export function typescriptRepeat(base: string): string {
  return `async function search(question: object, attempts = 4): Promise<{ results: { q: string }[] }> {
  // The same for all attempts, so that an answer that got lost is not paid twice.
  const idempotencyKey = crypto.randomUUID();
  for (let left = attempts - 1; ; left--) {
    const response = await fetch('${base}/v1/search', {
      method: 'POST',
      headers: {
        ${AUTHORIZATION},
        'Content-Type': 'application/json',
        'Idempotency-Key': idempotencyKey,
      },
      body: JSON.stringify(question),
      signal: AbortSignal.timeout(60_000),
    }).catch((error: unknown) => {
      if (left === 0) throw error;
    });
    // The connection can break within the answer too.
    const text = await response?.text().catch(() => undefined);
    if (response?.ok && text !== undefined) return JSON.parse(text);
    const mayRepeat = !response || response.ok || [409, 429, 500, 502, 503].includes(response.status);
    if (left === 0 || !mayRepeat) throw new Error(\`\${response?.status}: \${text}\`);
    const waitS = Number(response?.headers.get('Retry-After') ?? 1);
    await new Promise((resolve) => setTimeout(resolve, waitS * 1000));
  }
}

const { results } = await search({ query: '${exampleQuestion}', limit: 3 });
for (const { q } of results) console.log(q);`;
}

export function typescriptVerify(base: string): string {
  return `const items = [
  { quote: 'people forget less over a night of sleep', id: '${samplePaper.id}' },
  { reference: { title: '${samplePaper.title}', year: 2019 } },
];
${postRequest(`${base}/v1/verify`, '{ items }')}
const answer = (await response.json()) as { items: { kind: string; verdict: string }[] };
for (const { kind, verdict } of answer.items) console.log(kind, verdict);`;
}

export function typescriptPaper(base: string): string {
  return `const query = new URLSearchParams({ id: '${samplePaper.id}' });
const response = await fetch(\`${base}/v1/paper?\${query}\`, {
  headers: {
    ${AUTHORIZATION},
    Accept: 'application/x-bibtex',
  },
});
console.log(await response.text());`;
}

export function typescriptSimilar(base: string): string {
  return `const query = new URLSearchParams({
  id: '${samplePaper.id}',
  limit: '3',
  filter: JSON.stringify({ year: { from: 2015 } }),
});
${getRequest(`\`${base}/v1/similar?\${query}\``)}
const { results } = (await response.json()) as { results: { t: string; d: string }[] };
for (const { t, d } of results) console.log(\`\${t} (\${d})\`);`;
}

export function typescriptChanges(base: string): string {
  return `interface Changes {
  changes: { d: string; kind: 'added' | 'changed' | 'withdrawn'; t?: string }[];
  cursor: string;
  more: boolean;
}

const titles = new Map<string, string>();
let start: Record<string, string> = { since: '2026-11-01' };
for (let more = true; more; ) {
  const query = new URLSearchParams({ ...start, limit: '1000' });
${getRequest(`\`${base}/v1/changes?\${query}\``).replaceAll(/^/gm, '  ')}
  const page = (await response.json()) as Changes;
  for (const { d, kind, t } of page.changes) {
    if (kind === 'withdrawn') titles.delete(d);
    else titles.set(d, t ?? '');
  }
  start = { cursor: page.cursor };
  more = page.more;
}
console.log(titles.size, 'papers');`;
}

export function typescriptUsage(base: string): string {
  return `${getRequest(`'${base}/v1/usage'`)}
const { balance } = (await response.json()) as { balance: number };
console.log(balance, 'credits left');`;
}

function postRequest(url: string, body: string): string {
  return `const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    ${AUTHORIZATION},
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${body}),
});
${REFUSAL}`;
}

function getRequest(url: string): string {
  return `const response = await fetch(${url}, {
  headers: { ${AUTHORIZATION} },
});
${REFUSAL}`;
}

const REFUSAL = `if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);`;
