/** The choice of the device. Tests have no GPU, so they cover its absence. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { samplePath } from '../../../src/settings/bundle.ts';
import { createEmbedder } from '../../../src/text/embed/embedder.ts';
import {
  deviceNamed,
  type Providers,
  providersOf,
} from '../../../src/text/embed/inference-device.ts';
import { loadModel } from '../../../src/text/embed/model.ts';
import { temporaryFolder } from '../../support/accounts.ts';
import { runVerbatim } from '../../support/verbatim.ts';

describe('providersOf', () => {
  it.each<[device: string, areLibrariesThere: boolean, providers: Providers[]]>([
    ['cpu', true, [['cpu']]],
    ['auto', true, [['cuda', 'cpu'], ['cpu']]],
    ['auto', false, [['cpu']]],
    ['cuda', true, [['cuda', 'cpu']]],
  ])('for %s, with libraries present: %s, returns %j', (device, areLibrariesThere, providers) => {
    const missing = (): string[] => (areLibrariesThere ? [] : ['/lib/missing.so']);
    expect(providersOf(deviceNamed(device), missing)).toEqual(providers);
  });

  it('refuses an unknown device name', () => {
    expect(() => deviceNamed('gpu')).toThrow(
      'VERBATIM_EMBED_DEVICE must be auto, cpu, cuda, not "gpu"',
    );
  });

  it('falls back to the CPU if the provider cannot be loaded', async () => {
    const model = loadModel('');
    const own = await createEmbedder(model);
    const instead = await createEmbedder(
      model,
      providersOf('auto', () => []),
    );
    const texts = ['The sea rose.', 'It fell again.'];
    expect(await instead.embedDocuments(texts)).toEqual(await own.embedDocuments(texts));
  });

  it('reports a missing library once, in our own words, if the setting demands the GPU', async () => {
    const env = { VERBATIM_EMBED_DEVICE: 'cuda' };
    const database = join(temporaryFolder(), 'index.db');
    const [file] = readdirSync(samplePath()).map((name) => join(samplePath(), name));
    const args = ['index', 'add', file ?? '', '--db', database];
    const { stderr } = await runVerbatim(args, { env, code: 1 });
    expect(stderr.trimEnd().split('\n')).toEqual([
      `created a new database: ${database}`,
      expect.stringMatching(/^reading /),
      expect.stringMatching(/^verbatim: VERBATIM_EMBED_DEVICE=cuda needs \/.*_cuda\.so$/),
    ]);
  });
});
