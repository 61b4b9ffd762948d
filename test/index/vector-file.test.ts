/** Files of vectors that another machine computed. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { openVectors, openVectorsToAdd } from '../../src/index/vector-file.ts';
import { cosine, scratchFolder } from '../ingest/index-files.ts';
import { emptyIndex, toyModel, toyVector } from './memory-index.ts';

const TEXTS = ['The sea rose.', '土壤含碳。', '😀', ' a', 'a'];

let path: string;

beforeEach(async () => {
  path = join(await scratchFolder(), 'papers.vectors');
});

function write(texts: readonly string[]): void {
  const writer = openVectorsToAdd(path, toyModel);
  writer.add(texts, texts.map(toyVector));
  writer.close();
}

describe('a file of vectors', () => {
  it('finds a vector by its text and nothing by another text', () => {
    write(TEXTS);
    const reader = openVectors(path, toyModel);
    for (const text of TEXTS) {
      const [found, own] = [reader.find(text) ?? [], toyVector(text)];
      expect(found).toHaveLength(own.length);
      expect(cosine(found, own)).toBeGreaterThan(0.999_999_99);
      const step = Math.max(...own.map(Math.abs)) / 32_767;
      for (const [at, component] of own.entries()) {
        expect(Math.abs(Number(found[at]) - component)).toBeLessThan(0.51 * step);
      }
    }
    expect(reader.find('The sea rose')).toBeUndefined();
    reader.close();
  });

  it('accepts more vectors and keeps those that it has', () => {
    write(TEXTS.slice(0, 2));
    const writer = openVectorsToAdd(path, toyModel);
    expect(TEXTS.map(writer.has)).toEqual([true, true, false, false, false]);
    writer.add(['The sea rose.', 'a'], [toyVector('something else'), toyVector('a')]);
    expect(TEXTS.map(writer.has)).toEqual([true, true, false, false, true]);
    writer.close();
    const reader = openVectors(path, toyModel);
    expect(cosine(reader.find('The sea rose.') ?? [], toyVector('The sea rose.'))).toBeCloseTo(1);
    reader.close();
  });

  it('keeps a zero vector', () => {
    const writer = openVectorsToAdd(path, toyModel);
    writer.add([''], [new Float32Array(toyModel.dimensions)]);
    writer.close();
    const reader = openVectors(path, toyModel);
    expect(reader.find('')).toEqual(new Float32Array(toyModel.dimensions));
    reader.close();
  });

  it('is refused for reading by a model of other dimensions and for writing by any other model', () => {
    write(TEXTS);
    const other = { ...toyModel, dimensions: 64 };
    expect(() => openVectors(path, other)).toThrow(/toy \(32 dimensions, f+\), but .* \(64 dim/);
    const converted = { ...toyModel, sha256: 'e'.repeat(64) };
    expect(() => openVectorsToAdd(path, converted)).toThrow(/are from the model toy/);
    // Another export of the same model may read it; its vectors are compared elsewhere.
    openVectors(path, converted).close();
  });

  it.each<[what: string, make: () => unknown, reason: RegExp]>([
    ['a file that is not there', () => {}, /the file does not exist/],
    ['a file of text', () => writeFile(path, 'x'.repeat(5000)), /file is not a database/],
    ['an empty file', () => writeFile(path, ''), /not a file of vectors; make one/],
    ['an index', () => emptyIndex(path), /not a file of vectors; make one/],
  ])('cannot be %s', async (_what, make, reason) => {
    await make();
    expect(() => openVectors(path, toyModel)).toThrow(reason);
  });

  it('reports a vector of another length', () => {
    write(TEXTS);
    const db = new Database(path);
    db.exec('UPDATE vectors SET vector = substr(vector, 1, 30)');
    db.close();
    const reader = openVectors(path, toyModel);
    expect(() => reader.find('a')).toThrow(/one of its vectors has 30 bytes, not 68/);
    reader.close();
  });

  it('is not created in a folder that is not writable', () => {
    expect(() => openVectorsToAdd(join(path, 'below'), toyModel)).toThrow(/cannot write /);
  });
});
