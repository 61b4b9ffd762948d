#!/usr/bin/env node
/**
 * Measures the layout of the source: folders, files, file lengths, and imports between folders.
 * `--json` prints JSON. `--circles` exits with 1 if there are circular imports.
 *
 *   node scripts/structure.mjs [--json] [--circles]
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const { values: options } = parseArgs({
  options: { json: { type: 'boolean' }, circles: { type: 'boolean' } },
});

const files = sourceFiles('src');
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const fileCircles = circlesOf(imports);
const folderCircles = circlesOf(byFolder(imports));
const report = describe();

if (options.json) console.log(JSON.stringify(report, null, 2));
else print(report);
if (options.circles && fileCircles.length + folderCircles.length > 0) process.exitCode = 1;

function sourceFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/** Returns the source files that a file imports. Type imports count too. */
function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const specifiers = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+\.tsx?)'/g);
  const targets = [...specifiers].map(([, path]) => normalize(join(dirname(file), path)));
  return new Set(targets.filter((target) => files.includes(target)));
}

/** Returns the same graph for folders. A file directly in src is its own node. */
function byFolder(graph) {
  const roomOf = (file) => (dirname(file) === 'src' ? file : dirname(file));
  const folders = new Map();
  for (const [file, targets] of graph) {
    const from = roomOf(file);
    if (!folders.has(from)) folders.set(from, new Set());
    for (const target of targets) {
      if (roomOf(target) !== from) folders.get(from).add(roomOf(target));
    }
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

function describe() {
  const lengths = files
    .map((file) => readFileSync(join(root, file), 'utf8').split('\n').length - 1)
    .sort((a, b) => a - b);
  const folders = byFolder(imports);
  const filesByFolder = {};
  for (const file of files) filesByFolder[dirname(file)] = (filesByFolder[dirname(file)] ?? 0) + 1;
  return {
    folders: Object.keys(filesByFolder).length,
    files: files.length,
    lines: lengths.reduce((sum, length) => sum + length, 0),
    medianLines: lengths[Math.floor(lengths.length / 2)],
    ninetiethPercentileLines: lengths[Math.floor(lengths.length * 0.9)],
    filesOfAtMost30Lines: lengths.filter((length) => length <= 30).length,
    largestFolder: Object.entries(filesByFolder).sort((a, b) => b[1] - a[1])[0],
    folderArrows: [...folders.values()].reduce((sum, targets) => sum + targets.size, 0),
    fileCircles,
    folderCircles,
    readmeLines: readFileSync(join(root, 'README.md'), 'utf8').split('\n').length - 1,
  };
}

function print({ fileCircles, folderCircles, largestFolder, ...figures }) {
  for (const [name, figure] of Object.entries(figures)) {
    const words = name.replace(/[A-Z0-9]+/g, (part) => ` ${part.toLowerCase()}`);
    console.log(`${words.padEnd(30)} ${figure}`);
  }
  console.log(`${'largest folder'.padEnd(30)} ${largestFolder.join(', ')} files`);
  for (const [name, circles] of Object.entries({ files: fileCircles, folders: folderCircles })) {
    console.log(`${`circular imports of ${name}`.padEnd(30)} ${circles.length}`);
    for (const members of circles) console.log(`  ${members.join('\n  ')}`);
  }
}
