#!/usr/bin/env node
/** Measures the layout of src: files, lines, and imports between folders. `--json` prints JSON. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  .sort();
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const lengths = [...texts.values()].map((text) => text.split('\n').length - 1);
const folders = byFolder(new Map(files.map((file) => [file, importsOf(file)])));
const report = {
  files: files.length,
  lines: lengths.reduce((sum, length) => sum + length, 0),
  folders: new Set(files.map(dirname)).size,
  folderArrows: [...folders.values()].reduce((sum, targets) => sum + targets.size, 0),
  folderCircles: circlesOf(folders),
};
console.log(process.argv.includes('--json') ? JSON.stringify(report) : report);

/** Returns the source files that a file imports. Type imports count too. */
function importsOf(file) {
  const specifiers = texts
    .get(file)
    .matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+\.tsx?)'/g);
  const targets = [...specifiers].map(([, path]) => normalize(join(dirname(file), path)));
  return new Set(targets.filter((target) => texts.has(target)));
}

/** Returns the same graph for folders. A file directly in src is its own node. */
function byFolder(graph) {
  const folderOf = (file) => (dirname(file) === 'src' ? file : dirname(file));
  const folders = new Map();
  for (const [file, targets] of graph) {
    const from = folderOf(file);
    const known = folders.get(from) ?? new Set();
    const others = [...targets].map(folderOf).filter((target) => target !== from);
    folders.set(from, new Set([...known, ...others]));
  }
  return folders;
}

/** Returns the nodes that are in circles or lead to one: those that remain without all that lead nowhere. */
function circlesOf(graph) {
  const left = new Map(graph);
  let size;
  do {
    size = left.size;
    for (const [node, targets] of left) {
      if (![...targets].some((target) => left.has(target))) left.delete(node);
    }
  } while (left.size < size);
  return [...left.keys()].sort();
}
