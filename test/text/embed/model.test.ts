/** Model folders: valid and invalid ones. Nothing here runs a model. */
import { createHash } from 'node:crypto';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundledModelPath } from '../../../src/settings/bundle.ts';
import { loadModel } from '../../../src/text/embed/model.ts';
import { scratchFolder, writeFiles } from '../../ingest/index-files.ts';

const WEIGHTS = 'not really weights';
const TOKENIZER = '{"not": "really a tokenizer"}';

const MANIFEST = {
  name: 'toy',
  dimensions: 32,
  tokensMax: 16,
  pooling: 'mean',
  queryPrefix: 'query: ',
  documentPrefix: '',
  files: {
    'model.onnx': { sha256: sha256(WEIGHTS) },
    'tokenizer.json': { sha256: sha256(TOKENIZER) },
  },
};

describe('loadModel', () => {
  it('reads a manifest', async () => {
    const folder = await modelFolder({});
    const { files: _, ...fields } = MANIFEST;
    expect(loadModel(folder)).toMatchObject({ ...fields, folder });
  });

  it('loads the bundled model for an empty name', () => {
    expect(loadModel('')).toEqual(loadModel(bundledModelPath()));
    expect(loadModel('')).toMatchObject({ name: 'verbatim-MiniLM-L6', dimensions: 384 });
  });

  it.each<[what: string, manifest: unknown, reason: string]>([
    ['no JSON', '{"name": ', 'JSON'],
    ['null', null, 'manifest.json'],
    ['a number', 5, 'manifest.json'],
    ['an array', [], 'manifest.json: name is undefined'],
    ['no name', { name: undefined }, 'manifest.json: name is undefined'],
    ['an empty name', { name: '' }, 'manifest.json: name is ""'],
    ['no dimensions', { dimensions: undefined }, 'manifest.json: dimensions is undefined'],
    ['dimensions in words', { dimensions: '384' }, 'manifest.json: dimensions is "384"'],
    ['dimensions that fill no bytes', { dimensions: 100 }, 'manifest.json: dimensions is 100'],
    ['half a dimension', { dimensions: 8.5 }, 'manifest.json: dimensions is 8.5'],
    ['negative dimensions', { dimensions: -8 }, 'manifest.json: dimensions is -8'],
    ['no room for a token', { tokensMax: 2 }, 'manifest.json: tokensMax is 2'],
    ['an unknown pooling', { pooling: 'max' }, 'manifest.json: pooling is "max"'],
    ['no query prefix', { queryPrefix: undefined }, 'manifest.json: queryPrefix is undefined'],
    ['no document prefix', { documentPrefix: null }, 'manifest.json: documentPrefix is null'],
    ['no hash of the vectors', { vectorsSha256: 'c5fa' }, 'manifest.json: vectorsSha256 is "c5fa"'],
    ['no files', { files: null }, 'manifest.json: files is null'],
    ['no hash of the weights', { files: {} }, 'manifest.json does not name model.onnx'],
    [
      'no hash of the tokenizer',
      { files: { 'model.onnx': MANIFEST.files['model.onnx'] } },
      'manifest.json does not name tokenizer.json',
    ],
  ])('refuses a manifest with %s', async (_, manifest, reason) => {
    const isChange = typeof manifest === 'object' && manifest !== null && !Array.isArray(manifest);
    const folder = await modelFolder(isChange ? { change: manifest } : { manifest });
    expectRefused(folder, reason);
  });

  it.each(['model.onnx', 'tokenizer.json'])(
    'refuses a folder where %s was changed',
    async (name) => {
      const folder = await modelFolder({});
      await writeFiles(folder, { [name]: 'something else' });
      expectRefused(
        folder,
        `${name} has the sha256 ${sha256('something else')}, but manifest.json says`,
      );
    },
  );

  it('refuses a folder without a manifest', async () => {
    expectRefused(await scratchFolder(), 'ENOENT');
  });

  it('refuses a folder without weights', async () => {
    const folder = await scratchFolder();
    await writeFiles(folder, { 'manifest.json': JSON.stringify(MANIFEST) });
    expectRefused(folder, `no such file or directory, open '${join(folder, 'model.onnx')}'`);
  });

  it('refuses a folder that does not exist', async () => {
    expectRefused(join(await scratchFolder(), 'missing'), 'ENOENT');
  });

  it.each<[what: string, change: object]>([
    ['weights', { files: { ...MANIFEST.files, 'model.onnx': { sha256: sha256(TOKENIZER) } } }],
    ['tokenizer', { files: { ...MANIFEST.files, 'tokenizer.json': { sha256: sha256(WEIGHTS) } } }],
    ['pooling', { pooling: 'cls' }],
    ['token limit', { tokensMax: 8 }],
    ['query prefix', { queryPrefix: '' }],
    ['document prefix', { documentPrefix: 'passage: ' }],
  ])('identifies a model with another %s as a different model', async (what, change) => {
    const other = await modelFolder({ change });
    if (what === 'weights') await writeFiles(other, { 'model.onnx': TOKENIZER });
    if (what === 'tokenizer') await writeFiles(other, { 'tokenizer.json': WEIGHTS });
    expect(loadModel(other).sha256).not.toBe(loadModel(await modelFolder({})).sha256);
  });

  it('identifies a model by the graph of its vectors, whatever else its graph returns', async () => {
    const alone = await modelFolder({});
    const files = { ...MANIFEST.files, 'model.onnx': { sha256: sha256(TOKENIZER) } };
    const other = await modelFolder({ change: { files, vectorsSha256: sha256(WEIGHTS) } });
    await writeFiles(other, { 'model.onnx': TOKENIZER });
    expect(loadModel(other).sha256).toBe(loadModel(alone).sha256);
  });

  it('reads term embeddings, which are no part of the identity', async () => {
    const table = { 'term-embeddings.bin': { sha256: sha256('a table') } };
    const folder = await modelFolder({ change: { files: { ...MANIFEST.files, ...table } } });
    await writeFiles(folder, { 'term-embeddings.bin': 'a table' });
    const { sha256: own, queryEncoder: _, ...model } = loadModel(folder);
    expect(model).toMatchObject({ termEmbeddings: sha256('a table') });
    const alone = loadModel(await modelFolder({}));
    expect(own).toBe(alone.sha256);
    expect(alone).not.toHaveProperty('termEmbeddings');
    await writeFiles(folder, { 'term-embeddings.bin': 'another table' });
    expectRefused(folder, 'term-embeddings.bin has the sha256');
  });

  it('identifies a model with another name as the same model', async () => {
    const renamed = await modelFolder({ change: { name: 'renamed', description: 'a toy' } });
    expect(loadModel(renamed).sha256).toBe(loadModel(await modelFolder({})).sha256);
  });
});

describe('a model of two encoders', () => {
  it('has the encoder of queries in a folder inside', async () => {
    const folder = await twoEncoders({ name: 'cheap', tokensMax: 8 });
    const { queryEncoder, ...model } = loadModel(folder);
    expect(queryEncoder).toMatchObject({
      name: 'cheap',
      tokensMax: 8,
      dimensions: 32,
      folder: join(folder, 'query'),
    });
    expect(queryEncoder.sha256).not.toBe(model.sha256);
    // The vectors of an index do not depend on the encoder of queries.
    const { queryEncoder: self, ...alone } = loadModel(await modelFolder({}));
    expect(self).toEqual(alone);
    expect(model).toEqual({ ...alone, folder });
  });

  it.each(['', '..', '.', '.hidden', 'a/b', '/tmp', 'query/', null, 5, {}].map((name) => [name]))(
    'refuses %j as the name of the folder',
    async (queryEncoder) => {
      const shown = JSON.stringify(queryEncoder);
      const folder = await modelFolder({ change: { queryEncoder } });
      expectRefused(folder, `manifest.json: queryEncoder is ${shown}`);
    },
  );

  it.each<[what: string, change: object, reason: string]>([
    ['of other dimensions', { dimensions: 64 }, 'has 64 dimensions, that of documents 32'],
    ['that names another one', { queryEncoder: 'third' }, 'only the outer folder may name'],
    ['with a defect', { pooling: 'max' }, 'pooling is "max"'],
    ['of other files', { files: {} }, 'manifest.json does not name model.onnx'],
  ])('refuses an encoder of queries %s', async (_, change, reason) => {
    const folder = await twoEncoders(change);
    expect(() => loadModel(folder)).toThrow(`cannot use the model in ${join(folder, 'query')}: `);
    expect(() => loadModel(folder)).toThrow(reason);
  });

  it('refuses a folder without the encoder of queries', async () => {
    const folder = await modelFolder({ change: { queryEncoder: 'query' } });
    expect(() => loadModel(folder)).toThrow('ENOENT');
  });
});

describe('a model with a vector of answers', () => {
  it('checks its files, and an index does not depend on them', async () => {
    const content = { 'answers.onnx': 'a graph', 'sentence-weights.json': '{}' };
    const files: Record<string, { sha256: string }> = { ...MANIFEST.files };
    for (const [name, text] of Object.entries(content)) files[name] = { sha256: sha256(text) };
    const folder = await modelFolder({ change: { files } });
    await writeFiles(folder, content);
    const { sha256: identity, answers, sentenceWeights } = loadModel(folder);
    expect(answers).toBe(files['answers.onnx']?.sha256);
    expect(sentenceWeights).toBe(files['sentence-weights.json']?.sha256);
    expect(identity).toBe(loadModel(await modelFolder({})).sha256);
    await writeFiles(folder, { 'answers.onnx': 'another graph' });
    expect(() => loadModel(folder)).toThrow('answers.onnx has the sha256');
  });

  it('names the models whose indexes it fits', async () => {
    const compatible = [sha256('another model')];
    expect(loadModel(await modelFolder({ change: { compatible } }))).toMatchObject({ compatible });
    expectRefused(
      await modelFolder({ change: { compatible: ['c5fa'] } }),
      'compatible is ["c5fa"]',
    );
  });
});

describe('the bundled model', () => {
  it('has every file that its manifest names, with its checksum and size', async () => {
    const folder = bundledModelPath();
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
    const files = Object.entries(manifest.files as typeof MANIFEST.files);
    expect(files.map(([name]) => name)).toEqual(
      expect.arrayContaining(['model.onnx', 'tokenizer.json', 'LICENSE']),
    );
    for (const [name, expected] of files) {
      expect(sha256(await readFile(join(folder, name)))).toBe(expected.sha256);
    }
  });
});

/** A folder with a second encoder inside, whose manifest is changed. */
async function twoEncoders(change: object): Promise<string> {
  const folder = await modelFolder({ change: { queryEncoder: 'query' } });
  await cp(await modelFolder({ change }), join(folder, 'query'), { recursive: true });
  return folder;
}

/** A folder with the toy's files and a changed manifest, or another manifest. */
async function modelFolder(options: { change?: object; manifest?: unknown }): Promise<string> {
  const folder = await scratchFolder();
  const { change, manifest = { ...MANIFEST, ...change } } = options;
  await writeFiles(folder, {
    'manifest.json': typeof manifest === 'string' ? manifest : JSON.stringify(manifest),
    'model.onnx': WEIGHTS,
    'tokenizer.json': TOKENIZER,
  });
  return folder;
}

function expectRefused(folder: string, reason: string): void {
  expect(() => loadModel(folder)).toThrow(
    expect.objectContaining({
      code: 'model_unusable',
      message: expect.stringContaining(`cannot use the model in ${folder}: `),
    }),
  );
  expect(() => loadModel(folder)).toThrow(reason);
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
