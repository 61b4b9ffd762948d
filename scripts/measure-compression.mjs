#!/usr/bin/env node
/**
 * Measures the time that compression costs and the bytes that it saves. One client sends searches to a
 * running server, and alternates between no `Accept-Encoding`, gzip and br.
 *
 *   node scripts/measure-compression.mjs http://localhost:8080 sk_live_...
 *
 * Each search costs one credit. The key needs a high enough rate limit.
 */
import { Agent, request } from 'node:http';

const ROUNDS = 200;
const WARM_UP_ROUNDS = 20;
const ENCODINGS = ['', 'gzip', 'br'];
const BODIES = {
  '10 results': { limit: 10 },
  '10 with abstracts': { limit: 10, fields: 'abstract' },
  '50 results': { limit: 50 },
  '50 with abstracts': { limit: 50, fields: 'abstract' },
};

const [address, key] = process.argv.slice(2);
if (address === undefined || key === undefined) {
  console.error('usage: node scripts/measure-compression.mjs ADDRESS KEY');
  process.exit(2);
}
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

console.log('response            encoding       bytes   median ms');
for (const [name, options] of Object.entries(BODIES)) {
  const taken = new Map(ENCODINGS.map((encoding) => [encoding, { times: [], bytes: 0 }]));
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const [encoding, { times }] of taken) {
      const { milliseconds, bytes } = await search(
        { query: 'does sleep help memory', ...options },
        encoding,
      );
      if (round >= 0) times.push(milliseconds);
      taken.get(encoding).bytes = bytes;
    }
  }
  for (const [encoding, { times, bytes }] of taken) {
    const median = times.sort((a, b) => a - b)[ROUNDS / 2].toFixed(2);
    console.log(
      `${name.padEnd(20)}${(encoding || 'none').padEnd(8)}${String(bytes).padStart(12)}${median.padStart(12)}`,
    );
  }
}
agent.destroy();

/** Runs one search, and times it until the last byte of the response. */
function search(body, encoding) {
  const started = performance.now();
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...(encoding === '' ? {} : { 'accept-encoding': encoding }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${address}/v1/search`,
      { method: 'POST', headers, agent },
      (answer) => {
        let bytes = 0;
        answer.on('data', (chunk) => {
          bytes += chunk.length;
        });
        answer.on('end', () => {
          if (answer.statusCode === 200)
            resolve({ milliseconds: performance.now() - started, bytes });
          else reject(new Error(`the server returned status ${answer.statusCode}`));
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(body));
  });
}
