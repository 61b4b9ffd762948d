/** Where the model runs. There is no GPU in the tests: what is tested is doing without. */
import { describe, expect, it } from 'vitest';
import { deviceNamed, type Providers, providersOf } from '../../src/embed/device.ts';
import { createEmbedder } from '../../src/embed/embedder.ts';
import { loadModel } from '../../src/embed/model.ts';

describe('the device', () => {
  it.each<[device: string, isCudaThere: boolean, providers: Providers[]]>([
    ['cpu', true, [['cpu']]],
    ['auto', true, [['cuda', 'cpu'], ['cpu']]],
    ['auto', false, [['cpu']]],
    ['cuda', false, [['cuda', 'cpu']]],
  ])('%s, the library being there: %s, tries %j', (device, isCudaThere, providers) => {
    expect(providersOf(deviceNamed(device), () => isCudaThere)).toEqual(providers);
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
      providersOf('auto', () => true),
    );
    const texts = ['The sea rose.', 'It fell again.'];
    expect(await instead.embedDocuments(texts)).toEqual(await own.embedDocuments(texts));
  });

  it('is told as missing where it was asked for', async () => {
    await expect(createEmbedder(loadModel(''), providersOf('cuda'))).rejects.toMatchObject({
      code: 'model_unusable',
      message: expect.stringContaining('cannot load the model'),
    });
  });
});
