#!/usr/bin/env node
/**
 * Splits the abstracts of a corpus into sentences as the index does, and prints one JSON line per
 * paper: `id`, `title`, `sentences`. A corpus is JSON Lines with `id` or `_id`, `title`, and
 * `abstract` or `text`, plain or gzipped.
 *
 *   node models/training/split-corpus.mjs CORPUS > sentences.jsonl
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { importSource } from '../../scripts/import-source.mjs';

const path = process.argv[2];
if (path === undefined) {
  console.error('usage: node models/training/split-corpus.mjs CORPUS');
  process.exit(2);
}
const { sentencesOf } = await importSource('src/text/quotable.ts');
const file = createReadStream(path);
const lines = createInterface({ input: path.endsWith('.gz') ? file.pipe(createGunzip()) : file });
for await (const line of lines) {
  const { id, _id, title, abstract, text } = JSON.parse(line);
  const whole = abstract ?? text ?? '';
  const sentences = sentencesOf(whole).map(({ start, end }) => whole.slice(start, end));
  const printed = { id: id ?? _id, title: title ?? '', sentences };
  if (!process.stdout.write(`${JSON.stringify(printed)}\n`)) {
    await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
}
