#!/usr/bin/env node
/**
 * Runs other people's programs for the Model Context Protocol against a server of its own: the
 * protocol's conformance tests, and the Inspector on its command line.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fetchPackage } from './packaging/fetch-package.mjs';
import inputs from './packaging/inputs.json' with { type: 'json' };

const TESTS = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
const REVISIONS = ['2026-07-28', '2025-11-25'];
const TOOLS = ['fetch', 'search', 'usage', 'verify'];
/** Both programs want it. */
const NODE_VERSION = [22, 19];
const usage = `Usage: npm run conformance

Starts a server with the sample index, and runs against it
  ${TESTS}
  ${INSPECTOR}
They come from the registry and need Node ${NODE_VERSION.join('.')}; an older Node fetches the one that
\`npm run package\` uses. Ends with 1 if a scenario fails that the lists in scripts/conformance/ do not
name, if one that they name passes, or if the Inspector finds a fault.`;

const [option] = process.argv.slice(2);
if (option !== undefined) {
  (option === '--help' ? console.log : console.error)(usage);
  process.exit(option === '--help' ? 0 : 2);
}

const program = join(import.meta.dirname, '../dist/verbatim.js');
const folder = mkdtempSync(join(tmpdir(), 'verbatim-conformance-'));
const database = join(folder, 'verbatim.db');
const failures = [];
const { process: server, address, key } = await startServer();
const proxy = await startProxy(new URL(address), key);
const environment = {
  ...process.env,
  PATH: [newNode(), process.env.PATH].join(delimiter),
  npm_config_loglevel: 'error',
};
try {
  for (const revision of REVISIONS) {
    const url = `http://127.0.0.1:${proxy.address().port}/mcp`;
    const listed = join(import.meta.dirname, 'conformance', `${revision}.yaml`);
    const expected = ['--requirements', revision, '--expected-failures', listed];
    await runTests(`the requirements of ${revision}`, 'server', ['--url', url, ...expected]);
  }
  await runTests('authorization', 'authorization', ['--url', address]);
  await inspect('HTTP', [`${address}/mcp`, '--header', `Authorization: Bearer ${key}`]);
  await inspect('stdio', [process.execPath, program, 'mcp', '--db', database]);
} finally {
  proxy.close();
  proxy.closeAllConnections();
  server.kill();
  if (server.exitCode === null) await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.error(`failed: ${failure}`);
if (failures.length === 0) console.log('\nNothing failed that the lists do not name.');
process.exitCode = failures.length > 0 ? 1 : 0;

/** Starts a server with the sample, OAuth, and a key whose rate lasts for all tests. */
async function startServer() {
  const started = spawn(
    process.execPath,
    [program, 'start', '--db', database, '--host', '127.0.0.1', '--port', '0'],
    {
      env: {
        ...process.env,
        VERBATIM_CONFIG: 'none',
        VERBATIM_OAUTH: 'true',
        VERBATIM_REQUESTS_PER_MINUTE: '1000',
        VERBATIM_METRICS_PORT: '0',
        VERBATIM_LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let listening;
  for await (const line of createInterface({ input: started.stdout })) {
    listening ??= /ready at (http:\S+)/.exec(line)?.[1];
    const shown = /\bsk_live_\w+/.exec(line)?.[0];
    if (shown !== undefined) return { process: started, address: listening, key: shown };
  }
  throw new Error('the server did not start');
}

/** The tests know no keys, so a proxy on loopback adds one to each request. */
async function startProxy({ hostname, port }, bearer) {
  const passing = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const sent = request(
      {
        host: hostname,
        port,
        path: url,
        method,
        headers: { ...headers, authorization: `Bearer ${bearer}` },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
  passing.listen(0, '127.0.0.1');
  await once(passing, 'listening');
  return passing;
}

/** Returns the folder of a Node that is new enough. */
function newNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = NODE_VERSION;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) {
    return join(process.execPath, '..');
  }
  return join(fetchPackage(inputs.node[process.arch], folder, ['package/bin/node']), 'bin');
}

async function runTests(what, command, options) {
  console.log(`\n== Conformance tests: ${what}`);
  const run = spawn('npx', ['--yes', TESTS, command, ...options, '-o', folder], {
    stdio: 'inherit',
    env: environment,
  });
  const [code] = await once(run, 'exit');
  if (code !== 0) failures.push(`conformance tests: ${what}`);
}

/** Lists the tools, with the Inspector's checks of their schemas, and searches. */
async function inspect(transport, target) {
  console.log(`\n== Inspector: ${transport}`);
  const call = (...options) => {
    const parameters = ['--yes', INSPECTOR, '--cli', ...target, ...options];
    const stdio = ['ignore', 'pipe', 'inherit'];
    return JSON.parse(execFileSync('npx', parameters, { stdio, env: environment }));
  };
  try {
    const { tools } = call('--method', 'tools/list', '--strict');
    const names = tools.map(({ name }) => name).sort();
    const missing = TOOLS.filter((name) => !names.includes(name));
    // The local command has nobody to bill.
    const expected = transport === 'HTTP' ? '' : 'usage';
    if (missing.join() !== expected) throw new Error(`the tools are ${names}`);
    const query = ['--tool-name', 'search', '--tool-arg', 'query=does sleep help memory'];
    const { structuredContent } = call('--method', 'tools/call', ...query);
    console.log(`tools ${names}; ${structuredContent.results.length} results of a search`);
  } catch (error) {
    failures.push(`Inspector: ${transport}: ${error.message}`);
  }
}
