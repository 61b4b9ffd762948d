/** The model of an index: every command that needs the same one refuses another. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { openStore } from '../../../src/database/open.ts';
import { bundledModelPath, bundlePath } from '../../../src/settings/bundle.ts';
import { jsonLines, scratchFolder, writeFiles } from '../../ingest/index-files.ts';
import { runCommand } from '../../support/verbatim.ts';

const MISMATCH =
  /was built with the model verbatim-MiniLM-L6 \(.*\), but the model given is other \(/;

describe('an invalid model', () => {
  it.each([
    ['the right checksums', 'load'],
    ['a checksum of other weights', 'use'],
  ])(
    'with %s is rejected by index add, search and serve with one line and no process left',
    async (what, verb) => {
      const folder = await scratchFolder();
      const model = join(folder, 'model');
      await cp(bundledModelPath(), model, { recursive: true });
      const weights = Buffer.from('no graph at all');
      await writeFile(join(model, 'model.onnx'), weights);
      const manifest = JSON.parse(await readFile(join(model, 'manifest.json'), 'utf8'));
      if (what === 'the right checksums') {
        manifest.files['model.onnx'].sha256 = createHash('sha256').update(weights).digest('hex');
      }
      await writeFile(join(model, 'manifest.json'), JSON.stringify(manifest));
      const [papers] = await writeFiles(folder, {
        papers: jsonLines([{ id: 'a', title: 'Tides' }]),
      });
      const options = ['--db', join(folder, 'a.db'), '--model', model];
      for (const args of [
        ['index', 'add', papers as string, ...options],
        ['search', 'tides', ...options],
      ]) {
        const { stderr } = await runCommand(args, { code: 1 });
        expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
          `verbatim: cannot ${verb} the model in ${model}: `,
        );
      }
      const { code, stderr } = await serve(options);
      expect(code).toBe(1);
      expect(stderr).toMatch(`verbatim: cannot ${verb} the model in ${model}: `);
    },
  );
});

describe('an index built with another model', () => {
  it('is rejected by search, index add and serve', async () => {
    const { database, model, papers } = await otherModel();
    const options = ['--db', database, '--model', model];
    for (const args of [
      ['search', 'tides', ...options],
      ['index', 'add', papers, ...options],
    ]) {
      const { stderr, stdout } = await runCommand(args, { code: 1 });
      expect(stderr).toMatch(MISMATCH);
      expect(stderr).toContain("name the index's model with --model, or move the index to this");
      expect(stdout).toBe('');
    }
    const { code, stderr } = await serve(options);
    expect(code).toBe(1);
    expect(stderr).toMatch(MISMATCH);
  });

  it('is rejected even if the environment names the model', async () => {
    const { database, model } = await otherModel();
    const options = { code: 1, env: { VERBATIM_MODEL: model } };
    const { stderr } = await runCommand(['search', 'tides', '--db', database], options);
    expect(stderr).toMatch(MISMATCH);
  });
});

/** A copy of the sample index, and a model that differs from its own by its token limit. */
async function otherModel(): Promise<{ database: string; model: string; papers: string }> {
  const folder = await scratchFolder();
  const [model, database] = [join(folder, 'other'), join(folder, 'index.db')];
  await copyFile(inject('sampleIndex'), database);
  await cp(bundledModelPath(), model, { recursive: true });
  const path = join(model, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...manifest, name: 'other', tokensMax: 128 }));
  claimByOtherWeights(database);
  const [papers] = await writeFiles(folder, { papers: jsonLines([{ id: 'a', title: 'Tides' }]) });
  return { database, model, papers: papers as string };
}

/** The index's own model gets another hash, as if other weights had made it. */
function claimByOtherWeights(database: string): void {
  const db = openStore({ path: database, lockWaitMs: 5000 });
  db.exec(`UPDATE index_facts SET value = json_set(value, '$.sha256', '${'0'.repeat(64)}')
    WHERE name = 'model'`);
  db.close();
}

function serve(options: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  const env = { ...process.env, VERBATIM_HOST: '127.0.0.1', VERBATIM_PORT: '0' };
  const child = spawn(process.execPath, [bundlePath(), 'serve', ...options], { env });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    if (text.includes('"serving"')) child.kill();
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stderr })));
}
