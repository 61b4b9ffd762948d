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

/** Returns the strongly connected components of two or more nodes, with Tarjan's algorithm. */
function circlesOf(graph) {
  const order = new Map();
  const low = new Map();
  const stack = [];
  const circles = [];
  const visit = (node) => {
    order.set(node, order.size);
    low.set(node, order.get(node));
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) {
        visit(next);
        low.set(node, Math.min(low.get(node), low.get(next)));
      } else if (stack.includes(next)) {
        low.set(node, Math.min(low.get(node), order.get(next)));
      }
    }
    if (low.get(node) !== order.get(node)) return;
    const members = stack.splice(stack.indexOf(node)).sort();
    if (members.length > 1) circles.push(members);
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}
