/** Where the model runs. There is no GPU in the tests: what is tested is doing without. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { samplePath } from '../../src/bundle.ts';
import { deviceNamed, type Providers, providersOf } from '../../src/embed/device.ts';
import { createEmbedder } from '../../src/embed/embedder.ts';
import { loadModel } from '../../src/embed/model.ts';
import { temporaryFolder } from '../support/accounts.ts';
import { runVerbatim } from '../support/verbatim.ts';

describe('the device', () => {
  it.each<[device: string, areLibrariesThere: boolean, providers: Providers[]]>([
    ['cpu', true, [['cpu']]],
    ['auto', true, [['cuda', 'cpu'], ['cpu']]],
    ['auto', false, [['cpu']]],
    ['cuda', true, [['cuda', 'cpu']]],
  ])('%s, the libraries being there: %s, tries %j', (device, areLibrariesThere, providers) => {
    const missing = (): string[] => (areLibrariesThere ? [] : ['/lib/missing.so']);
    expect(providersOf(deviceNamed(device), missing)).toEqual(providers);
  });

  it('that is none is refused', () => {
    expect(() => deviceNamed('gpu')).toThrow(
      'VERBATIM_EMBED_DEVICE must be auto, cpu, cuda, not "gpu"',
    );
  });

  it('is the processor where the provider cannot be loaded after all', async () => {
    const model = loadModel('');
    const own = await createEmbedder(model);
    const instead = await createEmbedder(
      model,
      providersOf('auto', () => []),
    );
    const texts = ['The sea rose.', 'It fell again.'];
    expect(await instead.embedDocuments(texts)).toEqual(await own.embedDocuments(texts));
  });

  it('is told as missing where it was asked for, once and in our own words', async () => {
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
