/** A reranker as hubs publish it, compared with the scores of transformers and PyTorch. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openReranker } from '../../../src/text/embed/hub/reranker.ts';
import { scratchFolder } from '../../ingest/index-files.ts';

const models = resolve(import.meta.dirname, '../../fixtures/models');

describe('openReranker', () => {
  it('gives the scores of the original', async () => {
    const folder = join(models, 'bert-reranker');
    const references: { query: string; text: string; score: number }[] = JSON.parse(
      readFileSync(join(folder, 'reference.json'), 'utf8'),
    );
    const reranker = await openReranker(folder);
    for (const { query, text, score } of references) {
      expect((await reranker.score(query, [text]))[0], text).toBeCloseTo(score, 4);
    }
    const [long] = await reranker.score('tides', ['tide '.repeat(10_000)]);
    expect(Number.isFinite(long)).toBe(true);
  });

  it('refuses a model that gives no single score', async () => {
    const opened = openReranker(join(models, 'bert-mean'));
    await expect(opened).rejects.toMatchObject({ code: 'model_unusable' });
    await expect(opened).rejects.toThrow('onnx/model.onnx: a reranker gives one score');
  });

  it('refuses a graph that takes fewer tokens than its tokenizer gives', async () => {
    const folder = join(await scratchFolder(), 'reranker');
    cpSync(join(models, 'bert-reranker'), folder, { recursive: true });
    rmSync(join(folder, 'tokenizer_config.json'));
    const opened = openReranker(folder);
    await expect(opened).rejects.toMatchObject({ code: 'model_unusable' });
    await expect(opened).rejects.toThrow('onnx/model.onnx cannot score 256 tokens: ');
  });

  it.each([
    ['config.json', 'config.json is missing'],
    ['onnx/model.onnx', 'there is no graph onnx/model.onnx'],
    ['tokenizer.json', 'tokenizer.json'],
  ])('says that %s is missing', async (file, reason) => {
    const folder = join(await scratchFolder(), 'reranker');
    cpSync(join(models, 'bert-reranker'), folder, { recursive: true });
    rmSync(join(folder, file));
    writeFileSync(join(folder, 'pytorch_model.bin'), '');
    await expect(openReranker(folder)).rejects.toThrow(reason);
  });
});
