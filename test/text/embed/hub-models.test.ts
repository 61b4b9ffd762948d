/**
 * Models as hubs lay them out, of several architectures and tokenizers, compared with the vectors that
 * transformers and PyTorch compute. test/fixtures/models/tiny_models.py made them, with random weights.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEmbedder } from '../../../src/text/embed/embedder.ts';
import { addModel } from '../../../src/text/embed/hub/add-model.ts';
import type { HubChoices } from '../../../src/text/embed/hub/plan-manifest.ts';
import { loadModel } from '../../../src/text/embed/model.ts';
import { cosine, scratchFolder } from '../../ingest/index-files.ts';

const models = resolve(import.meta.dirname, '../../fixtures/models');
/** What rounding leaves: all of 32 bits, and of 16 and of 8. */
const [EXACT, HALF, INT8] = [0.999_999, 0.999_9, 0.99];

interface Reference {
  text: string;
  document: number[];
  query: number[];
}

async function copyOf(name: string): Promise<string> {
  const folder = join(await scratchFolder(), name);
  cpSync(join(models, name), folder, { recursive: true });
  return folder;
}

describe('a model as published', () => {
  it.each<[name: string, choices: HubChoices, cosineMin: number]>([
    ['bert-mean', {}, EXACT],
    ['bert-mean', { weights: 'onnx/model_fp16.onnx' }, HALF],
    ['bert-mean', { weights: 'onnx/model_int8.onnx' }, INT8],
    ['bert-dense', {}, EXACT],
    ['mpnet-last', {}, EXACT],
    ['xlm-roberta-mean', {}, EXACT],
    ['modernbert-cls', {}, EXACT],
  ])('%s with %j has the vectors of its original', async (name, choices, cosineMin) => {
    const folder = await copyOf(name);
    await addModel(folder, choices);
    const embedder = await createEmbedder(loadModel(folder));
    const references: Reference[] = JSON.parse(
      readFileSync(join(folder, 'reference.json'), 'utf8'),
    );
    const vectors = await embedder.embedDocuments(references.map(({ text }) => text));
    for (const [at, { text, document, query }] of references.entries()) {
      expect(cosine(vectors[at] ?? [], document), text).toBeGreaterThan(cosineMin);
      const { vector } = await embedder.embedQuery(text);
      expect(cosine(vector, query), text).toBeGreaterThan(cosineMin);
    }
  });

  it('can have fewer dimensions, another name, and other prompts', async () => {
    const folder = await copyOf('bert-mean');
    const whole = await addModel(folder, {});
    const full = await createEmbedder(loadModel(folder));
    const choices = { name: 'small', dimensions: 8, queryPrompt: 'q: ', documentPrompt: 'd: ' };
    const { manifest } = await addModel(folder, choices);
    expect(manifest).toMatchObject({ name: 'small', dimensions: 8, queryPrefix: 'q: ' });
    const cut = await createEmbedder(loadModel(folder));
    const [[long], [short]] = [
      await full.embedDocuments(['d: tides']),
      await cut.embedDocuments(['tides']),
    ];
    expect(short).toHaveLength(8);
    expect(cosine(short ?? [], long?.slice(0, 8) ?? [])).toBeCloseTo(1, 5);
    expect(whole.manifest.dimensions).toBe(16);
  });

  it('embeds each text alone if the other texts of a run would change its vector', async () => {
    const folder = await copyOf('bert-mean');
    const { manifest } = await addModel(folder, { weights: 'onnx/model_int8.onnx' });
    expect(manifest.textsPerRun).toBe(1);
    const embedder = await createEmbedder(loadModel(folder));
    const texts = ['tides rise', 'cells stop', 'keys move'];
    const together = await embedder.embedDocuments(texts);
    for (const [at, text] of texts.entries()) {
      expect(together[at]).toEqual((await embedder.embedDocuments([text]))[0]);
    }
  });

  it('is another model with other weights, pooling, dimensions, or layers', async () => {
    const folder = await copyOf('bert-dense');
    const hashes = new Set<string>();
    for (const choices of [{}, { dimensions: 16 }, { queryPrompt: 'other' }]) {
      await addModel(folder, choices);
      hashes.add(loadModel(folder).sha256);
    }
    expect(hashes.size).toBe(3);
    const layer = join(folder, '2_Dense/model.safetensors');
    writeFileSync(layer, readFileSync(layer).reverse());
    expect(() => loadModel(folder)).toThrow('2_Dense/model.safetensors has the sha256');
  });
});

describe('a folder that cannot work', () => {
  const edit = (folder: string, file: string, change: object): void => {
    const path = join(folder, file);
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change }));
  };
  const pooling = (change: object) => (folder: string) =>
    edit(folder, '1_Pooling/config.json', change);

  it.each<[what: string, spoil: (folder: string) => void, reason: string]>([
    ['no config', (folder) => rmSync(join(folder, 'config.json')), 'config.json is missing'],
    [
      'no tokenizer',
      (folder) => rmSync(join(folder, 'tokenizer.json')),
      'tokenizer.json is missing',
    ],
    [
      'no graph, but a pickle',
      (folder) => {
        rmSync(join(folder, 'onnx'), { recursive: true });
        writeFileSync(join(folder, 'pytorch_model.bin'), '');
      },
      'there is no graph onnx/model.onnx; pytorch_model.bin is a pickle, which is never read',
    ],
    [
      'a layer in a pickle',
      (folder) => {
        rmSync(join(folder, '2_Dense/model.safetensors'));
        writeFileSync(join(folder, '2_Dense/pytorch_model.bin'), '');
      },
      '2_Dense/model.safetensors is missing; 2_Dense/pytorch_model.bin is a pickle',
    ],
    [
      'a decoder',
      (folder) => edit(folder, 'config.json', { architectures: ['Qwen2ForCausalLM'] }),
      'config.json: this is a decoder (Qwen2ForCausalLM)',
    ],
    [
      'a reranker',
      (folder) => edit(folder, 'config.json', { architectures: ['BertForSequenceClassification'] }),
      'config.json: BertForSequenceClassification scores texts',
    ],
    ['invalid JSON', (folder) => writeFileSync(join(folder, 'config.json'), '{'), 'config.json: '],
    [
      'a broken graph',
      (folder) => writeFileSync(join(folder, 'onnx/model.onnx'), 'no graph'),
      'onnx/model.onnx: ',
    ],
    [
      'a broken tokenizer',
      (folder) => writeFileSync(join(folder, 'tokenizer.json'), '{}'),
      'cannot load the model',
    ],
    [
      'pooling that is not known',
      pooling({ pooling_mode_mean_tokens: false, pooling_mode_max_tokens: true }),
      '1_Pooling/config.json: pooling_mode_max_tokens is not supported',
    ],
    [
      'two kinds of pooling',
      pooling({ pooling_mode_cls_token: true }),
      'pooling_mode_cls_token with pooling_mode_mean_tokens is not supported',
    ],
    ['pooling without the prompt', pooling({ include_prompt: false }), 'without the prompt'],
    [
      'no pooling',
      (folder) => rmSync(join(folder, '1_Pooling'), { recursive: true }),
      '1_Pooling/config.json is missing; say how to pool with --pooling',
    ],
    [
      'a layer without the list of modules',
      (folder) => rmSync(join(folder, 'modules.json')),
      'modules.json is missing, which says what 2_Dense is',
    ],
    [
      'a module that is not known',
      (folder) =>
        writeFileSync(
          join(folder, 'modules.json'),
          JSON.stringify([{ type: 'sentence_transformers.models.CNN', path: '1_CNN' }]),
        ),
      'modules.json: the module sentence_transformers.models.CNN is not supported',
    ],
    [
      'an activation that is not known',
      (folder) => edit(folder, '2_Dense/config.json', { activation_function: 'torch.GELU' }),
      '2_Dense/config.json: the activation torch.GELU is not supported',
    ],
    [
      'a layer that is cut off',
      (folder) => {
        const path = join(folder, '2_Dense/model.safetensors');
        writeFileSync(path, readFileSync(path).subarray(0, 300));
      },
      '2_Dense/model.safetensors: ',
    ],
    [
      'a manifest of another program',
      (folder) => writeFileSync(join(folder, 'manifest.json'), '{"icons": []}'),
      'manifest.json: name is undefined',
    ],
  ])('says why: %s', async (_what, spoil, reason) => {
    const folder = await copyOf('bert-dense');
    spoil(folder);
    const added = addModel(folder, {});
    await expect(added).rejects.toMatchObject({ code: 'model_unusable' });
    await expect(added).rejects.toThrow(reason);
  });

  it.each([
    [{ dimensions: 12 }, '--dimensions must be a multiple of 8 up to 48'],
    [{ dimensions: 56 }, '--dimensions must be a multiple of 8 up to 48'],
    [{ weights: 'onnx/none.onnx' }, 'there is no graph onnx/none.onnx; there are: onnx/model.onnx'],
    [{ weights: '../bert-mean/onnx/model.onnx' }, 'there is no graph ../bert-mean'],
  ])('says why: %j', async (choices, reason) => {
    await expect(addModel(await copyOf('bert-dense'), choices)).rejects.toThrow(reason);
  });
});
