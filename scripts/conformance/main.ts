/**
 * Runs other people's programs for the Model Context Protocol against a server of its own: the
 * protocol's conformance tests, and the Inspector on its command line.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { bundlePath } from '../../src/settings/bundle.ts';
import { createCustomer } from '../measure/accounts.ts';
import { indexSample } from '../measure/databases.ts';
import { startProcess } from '../measure/processes.ts';
import { type Outcome, say } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { sourcePath } from '../measure/sample.ts';
import { startServer } from '../measure/server.ts';
import { inTemporaryFolder } from '../measure/temporary-folder.ts';
import { fetchPackage } from '../packaging/fetch-package.mjs';
import inputs from '../packaging/inputs.json';

const TESTS = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
const REVISIONS = ['2026-07-28', '2025-11-25'];
const TOOLS = ['fetch', 'search', 'usage', 'verify'];
/** Both programs want it. */
const NODE_VERSION = [22, 19] as const;

export const measurement = defineMeasurement({
  options: {},
  notes: `Runs ${TESTS} and ${INSPECTOR} from the registry. They need Node ${NODE_VERSION.join('.')}; an older
Node fetches the one that \`npm run package\` uses. Exits 1 if a scenario fails that the lists in
scripts/conformance/ do not name, if one that they name passes, or if the Inspector finds a fault.`,
  run: () => inTemporaryFolder('conformance', (folder) => conform(folder)),
});

async function conform(folder: string): Promise<Outcome> {
  const database = join(folder, 'verbatim.db');
  await indexSample(database);
  const key = createCustomer(database, 'conformance');
  const env = { VERBATIM_CONFIG: 'none', VERBATIM_OAUTH: 'true', VERBATIM_LOG_LEVEL: 'info' };
  const server = await startServer(database, { env });
  // The name by which the server calls itself.
  const address = `http://localhost:${server.port}`;
  const proxy = await startProxy(server.port, key);
  const path = [newNode(folder), process.env['PATH']].join(delimiter);
  const program = { folder, env: { ...process.env, PATH: path, npm_config_loglevel: 'error' } };
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
  const wrong: string[] = [];
  const test = async (what: string, ...args: string[]): Promise<void> => {
    if (!(await runTests(what, args, program))) wrong.push(`conformance tests: ${what}`);
  };
  for (const revision of REVISIONS) {
    const listed = sourcePath(`scripts/conformance/${revision}.yaml`);
    const expected = ['--requirements', revision, '--expected-failures', listed];
    await test(`the requirements of ${revision}`, 'server', '--url', url, ...expected);
  }
  await test('authorization', 'authorization', '--url', address);
  const header = ['--header', `Authorization: Bearer ${key}`];
  const targets = {
    HTTP: [`${address}/mcp`, ...header],
    stdio: [process.execPath, bundlePath(), 'mcp', '--db', database],
  };
  for (const [transport, target] of Object.entries(targets)) {
    try {
      inspect(transport, target, program.env);
    } catch (error) {
      wrong.push(`Inspector: ${transport}: ${(error as Error).message}`);
    }
  }
  proxy.close();
  proxy.closeAllConnections();
  await server.stop();
  const shown = wrong.length === 0 ? ['Nothing failed that the lists do not name.'] : [];
  return { report: {}, shown, wrong };
}

/** The tests know no keys, so a proxy on loopback adds one to each request. */
async function startProxy(port: number, key: string): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url } = incoming;
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const sent = request({ host: '127.0.0.1', port, path: url, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}

/** Returns the folder of a Node that is new enough. */
function newNode(folder: string): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = NODE_VERSION;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) {
    return join(process.execPath, '..');
  }
  const input = inputs.node[process.arch as keyof typeof inputs.node];
  return join(fetchPackage(input, folder, ['package/bin/node']), 'bin');
}

/** Resolves to whether they passed. */
async function runTests(
  what: string,
  args: readonly string[],
  { folder, env }: { folder: string; env: NodeJS.ProcessEnv },
): Promise<boolean> {
  say(`\n== Conformance tests: ${what}`);
  const command = ['npx', '--yes', TESTS, ...args, '-o', folder];
  const [code] = await once(startProcess(command, { stdio: 'inherit', env }), 'exit');
  return code === 0;
}

/** Lists the tools, with the Inspector's checks of their schemas, and searches. */
function inspect(transport: string, target: readonly string[], env: NodeJS.ProcessEnv): void {
  say(`\n== Inspector: ${transport}`);
  const call = (...options: string[]) => {
    const parameters = ['--yes', INSPECTOR, '--cli', ...target, ...options];
    const printed = execFileSync('npx', parameters, { stdio: ['ignore', 'pipe', 'inherit'], env });
    return JSON.parse(printed.toString());
  };
  const { tools } = call('--method', 'tools/list', '--strict') as { tools: { name: string }[] };
  const names = tools.map(({ name }) => name).sort();
  const missing = TOOLS.filter((name) => !names.includes(name));
  // The local command has nobody to bill.
  const expected = transport === 'HTTP' ? '' : 'usage';
  if (missing.join() !== expected) throw new Error(`the tools are ${names}`);
  const query = ['--tool-name', 'search', '--tool-arg', 'query=does sleep help memory'];
  const { structuredContent } = call('--method', 'tools/call', ...query);
  say(`tools ${names}; ${structuredContent.results.length} results of a search`);
}
