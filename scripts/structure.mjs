#!/usr/bin/env node
/** Looks for circles of imports between folders of src. `--json` prints JSON. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)));
/** A file directly in src is its own node. */
const folderOf = (file) => (dirname(file) === 'src' ? file : dirname(file));
const folders = new Map(files.map((file) => [folderOf(file), new Set()]));
for (const file of files) {
  const others = importsOf(file).map(folderOf);
  for (const other of others) if (other !== folderOf(file)) folders.get(folderOf(file)).add(other);
}
const report = { files: files.length, folders: folders.size, folderCircles: circlesOf(folders) };
console.log(process.argv.includes('--json') ? JSON.stringify(report) : report);

/** Returns the source files that a file imports. Type imports count too. */
function importsOf(file) {
  const specifiers = readFileSync(join(root, file), 'utf8').matchAll(
    /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+\.tsx?)'/g,
  );
  return [...specifiers]
    .map(([, path]) => normalize(join(dirname(file), path)))
    .filter((target) => files.includes(target));
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
