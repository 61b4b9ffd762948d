/**
 * Every request on /docs and in the README of the API runs as it is printed. Needs curl, openssl, and
 * python3.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { decodeHTML } from 'entities';
import { transform } from 'esbuild';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { requestExamples, searchInCode } from '../../../src/dashboard/docs/examples.ts';
import { readUsage } from '../../http/contract.ts';
import { scratchFolder } from '../../ingest/index-files.ts';
import { createCustomer } from '../../support/service.ts';
import { useService } from '../../support/use-service.ts';

const top = resolve(import.meta.dirname, '../../..');
const ADDRESS = 'http://localhost:8080';
const SENTENCE = 'people forget less over a night of sleep';

let secret = '';
let folder = '';

const service = useService({
  fill: (database) => createCustomer(database).secret,
  ready: (_service, key) => {
    secret = key;
  },
});

beforeEach(async () => {
  folder = await scratchFolder();
});

/** Runs a program with the key in its environment. Returns what it printed; rejects if it fails. */
async function run(program: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, {
    env: { ...process.env, VERBATIM_KEY: secret },
    cwd: folder,
  });
  return stdout;
}

const runners: Record<string, (code: string) => Promise<string>> = {
  sh: (code) => run('sh', ['-ec', code]),
  python: (code) => run('python3', ['-c', code]),
  async ts(code) {
    const module = await transform(code, { loader: 'ts', format: 'esm' });
    writeFileSync(join(folder, 'example.mjs'), module.code);
    return await run(process.execPath, ['example.mjs']);
  },
};

/** What each request on /docs prints, by its id. */
const printed: Record<string, RegExp> = {
  'quick-curl': /^\{"n":3,"c":0\.\d+,"results":\[.*"ab":/,
  'quick-python': new RegExp(`^.*${SENTENCE}.* \\(sample:psychology-sleep-and-forgetting\\)$`, 'm'),
  'quick-typescript': new RegExp(`${SENTENCE}.* \\(sample:psychology-sleep-and-forgetting\\)`),
  'search-request': /^\{"n":3,"c":0\.\d+,"results":\[.*"ab":/,
  'batch-curl': /^\{"n":2,"credits":1,"outcomes":\[\{"status":200,.*"code":"empty_query"/,
  'batch-python': new RegExp(`^does sleep .*${SENTENCE}.*\n empty_query empty query$`, 'm'),
  'batch-typescript': new RegExp(`^does sleep .*${SENTENCE}.*\n empty_query$`, 'ms'),
  'repeats-curl': /^\{"n":3,/,
  'repeats-python': new RegExp(SENTENCE),
  'repeats-typescript': new RegExp(SENTENCE),
  'filter-request': /^\{"n":10,/,
  'verify-curl': /^\{"n":2,"items":\[.*"verdict":"exact".*"verdict":"match_with_errors".*2026/,
  'verify-python': /^quote exact \nreference match_with_errors \{.*'year': 2026.*\}$/m,
  'verify-typescript': /^quote exact\nreference match_with_errors$/m,
  'paper-curl': /^@\w+\{/,
  'paper-python': /^@\w+\{/,
  'paper-typescript': /^@\w+\{/,
  'similar-curl': /^\{"n":3,/,
  'similar-python': /^.+ \(sample:.+\)\n.+ \(sample:.+\)\n.+ \(sample:.+\)$/m,
  'similar-typescript': /^.+ \(sample:.+\)\n.+ \(sample:.+\)\n.+ \(sample:.+\)$/m,
  'changes-curl': /^\{"changes":\[.*"cursor":"/,
  'changes-python': /^\d+ papers$/m,
  'changes-typescript': /^\d+ papers$/m,
  'usage-curl': /^\{"period":"20\d\d-\d\d","requests":\d+/,
  'usage-python': /^\d+ credits left$/m,
  'usage-typescript': /^\d+ credits left$/m,
};

describe('/docs', () => {
  it.each(['sh', 'python', 'ts'])('has no request in %s that fails', async (language) => {
    const shown = await snippetsIn(language);
    for (const { id, code } of shown) {
      const output = await runners[id.endsWith('-request') ? 'sh' : language]?.(code);
      expect(output, `${id}: ${code}`).toMatch(printed[id] as RegExp);
    }
  });

  it('shows each request in the language of its address, and those with curl alone always', async () => {
    const inEach = await Promise.all(['sh', 'python', 'ts'].map(snippetsIn));
    const ids = inEach.map((snippets) => snippets.map(({ id }) => id));
    expect([...new Set(ids.flat())].sort()).toEqual(Object.keys(printed).sort());
    const inWords = ids.map((list) => list.map((id) => id.replace(/curl|python|typescript/, '')));
    expect(inWords[1]).toEqual(inWords[0]);
    expect(inWords[2]).toEqual(inWords[0]);
  });
});

/** The requests of the page in a language. */
async function snippetsIn(language: string): Promise<{ id: string; code: string }[]> {
  const page = await (await fetch(`${service.url}/docs?in=${language}`)).text();
  return [...page.matchAll(/<code id="([^"]+)">([^<]+)<\/code>/g)]
    .map(([, id = '', code = '']) => ({ id, code: decodeHTML(code) }))
    .filter(({ id }) => !id.endsWith('-response'));
}

describe('a search of the page Try it', () => {
  it('runs in three languages as it was asked, whatever its characters', async () => {
    const query = `does sleep help memory? "It's" $HOME \`id\` \\n \u2028 \u{1f4a4}`;
    const asked = { query, limit: 1, fields: 'abstract', filter: { has_abstract: true } };
    const seen: unknown[] = [];
    const server = createServer(async (request, response) => {
      const pieces = await request.toArray();
      seen.push(JSON.parse(Buffer.concat(pieces).toString()));
      response.end(JSON.stringify({ results: [{ q: 'found', d: 'it' }] }));
    });
    const address = await listening(server);
    for (const { code, language } of searchInCode(address, asked)) {
      expect(await runners[language]?.(code), code).toContain('found');
    }
    expect(seen).toEqual([asked, asked, asked]);
  });
});

describe('src/http/README.md', () => {
  it('has no request that fails', async () => {
    const script = join(top, 'scripts/client.mjs');
    await run(process.execPath, [script, folder]);
    const blocks = [
      ...readFileSync(join(top, 'src/http/README.md'), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms),
    ]
      .map(([, language = '', code = '']) => ({ language, code }))
      .filter(({ language, code }) => runners[language] !== undefined && code.includes(ADDRESS));
    expect(blocks.length).toBeGreaterThan(0);
    for (const { language, code } of blocks) {
      const output = await runners[language]?.(code.replaceAll(ADDRESS, service.url));
      // An error is a plain text.
      expect(output, code).toMatch(
        language === 'sh' ? /^(\{.*\}|@\w+\{.*\})\s*$/s : /sleep|@article/,
      );
    }
  });
});

/** A server before the real one that loses the first answer and is busy at the second request. */
async function startLossyProxy(): Promise<string> {
  let requests = 0;
  const proxy = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', async () => {
      requests++;
      if (requests === 2) {
        response.writeHead(503, { 'Retry-After': '1', 'X-Error-Code': 'at_capacity' });
        response.end('server at capacity, retry shortly');
        return;
      }
      const { host: _host, connection: _connection, ...headers } = request.headers;
      const { url, method = '' } = request;
      const answer = await fetch(`${service.url}${url}`, {
        method,
        headers: headers as Record<string, string>,
        body: Buffer.concat(pieces),
      });
      const text = await answer.text();
      if (requests === 1) response.destroy();
      else response.writeHead(answer.status).end(text);
    });
  });
  return await listening(proxy);
}

/** Starts a server until the test ends. Returns its address. */
async function listening(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

it.each([0, 1, 2])('a search whose answer got lost is paid once: request %d', async (index) => {
  const balance = async (): Promise<number> => {
    return (await readUsage({ url: service.url, secret })).balance;
  };
  const before = await balance();
  const example = requestExamples('repeats', await startLossyProxy())[index];
  expect(await runners[example?.language ?? '']?.(example?.code ?? '')).toContain(SENTENCE);
  expect(await balance()).toBe(before - 1);
});
