/**
 * Verbatim tells nobody anything: no command looks up a name or leaves a file outside of the
 * database's folder. Real processes of the real bundle, in namespaces where a DNS server notes
 * every question: see support/namespace.mjs.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { bundlePath } from '../../src/settings/bundle.ts';
import { createCustomer } from '../support/service.ts';

const script = resolve(import.meta.dirname, '../support/namespace.mjs');
/** Whatever still runs in the namespaces ends with `unshare`. */
const unshare = [
  ...['--user', '--map-root-user', '--net', '--mount', '--pid', '--fork', '--kill-child'],
];
const RUN_MS_MAX = 100_000;
const reason = await whyNoNamespaces();
if (reason !== undefined) console.warn(`nothing-leaves.test.ts is skipped: ${reason}`);
const skipped = reason === undefined ? '' : ` (skipped: ${reason})`;

interface Observed {
  lookups: string[];
  files: string[];
  report: { code: number; stderr: string; status?: number };
}

/** Why this machine cannot run these tests; undefined where it can. */
async function whyNoNamespaces(): Promise<string | undefined> {
  const needed = 'ip link set lo up && mount --bind /tmp /var/tmp';
  try {
    await promisify(execFile)('unshare', [...unshare, 'sh', '-c', needed]);
    return undefined;
  } catch (error) {
    return `no namespaces here: ${(error as Error).message.split('\n')[1] || (error as Error).message}`;
  }
}

/** A folder with a copy of the sample index, for one run. */
async function freshFolder(): Promise<{ folder: string; database: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'verbatim-namespace-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ['database', 'program']) await mkdir(join(folder, name));
  const database = join(folder, 'database/verbatim.db');
  await copyFile(inject('sampleIndex'), database);
  return { folder, database };
}

async function observe(folder: string, scenario: string, argument?: unknown): Promise<Observed> {
  const command = [process.execPath, script, folder, dirname(bundlePath()), scenario];
  const { stdout } = await promisify(execFile)(
    ...(['unshare', [...unshare, ...command, JSON.stringify(argument ?? '')]] as const),
    { timeout: RUN_MS_MAX },
  );
  return JSON.parse(stdout) as Observed;
}

describe.skipIf(reason !== undefined)(`name lookups and files left behind${skipped}`, () => {
  it('are detected by this test', async () => {
    const { folder } = await freshFolder();
    expect(await observe(folder, 'control')).toEqual({
      lookups: ['collector.example'],
      files: ['home/.left-behind', 'tmp/left-behind'],
      report: { code: 0, stderr: '' },
    });
  });

  it.each(['serve', 'start'])('do not occur while verbatim %s runs', async (command) => {
    const { folder, database } = await freshFolder();
    const { secret } = createCustomer(database);
    const { lookups, files, report } = await observe(folder, 'serve', [command, secret]);
    expect(report).toMatchObject({ status: 200, code: 0 });
    expect({ lookups, files }).toEqual({ lookups: [], files: [] });
  });

  const text = '/mnt/database/one.jsonl';
  it.each([
    ['search', 'does sleep help memory'],
    ['index', 'add', text],
    ['index', 'embed', text, '--out', '/mnt/database/one.vectors'],
    [...['eval', '--corpus', text, '--queries', text, '--qrels', '/mnt/database/qrels.tsv']],
    [...['calibrate', '--answered', text, '--foreign', text]],
  ])('do not occur when a command embeds: %s %s', async (...args) => {
    const { folder } = await freshFolder();
    const record = { _id: 'one', id: 'one', title: 'Tides', text: 'It rose. It fell.' };
    await writeFile(join(folder, 'database/one.jsonl'), `${JSON.stringify(record)}\n`);
    await writeFile(
      join(folder, 'database/qrels.tsv'),
      'query-id\tcorpus-id\tscore\none\tone\t1\n',
    );
    const { lookups, files, report } = await observe(folder, 'command', args);
    expect(report.code, report.stderr).toBe(0);
    expect({ lookups, files }).toEqual({ lookups: [], files: [] });
  });
});
