/** The documents: short, complete, and true to the code that they describe. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formats } from '../src/ingest/formats.ts';

const top = resolve(import.meta.dirname, '..');
const README_LINES_MAX = 180;

/** Paths of all documents, relative to the top. */
const documents = [
  'README.md',
  ...['src', 'scripts', 'models', 'test', '.github'].flatMap((folder) =>
    readdirSync(join(top, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
      .map((entry) => relative(top, join(entry.parentPath, entry.name))),
  ),
].filter((path) => !path.includes('node_modules'));

const read = (path: string): string => readFileSync(join(top, path), 'utf8');

const existsInTree = (path: string): boolean => existsSync(join(top, path));

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(path: string): Set<string> {
  const headings = read(path)
    .replaceAll(/^```.*?^```/gms, '')
    .matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    ),
  );
}

describe('every document', () => {
  it.each(documents)('%s links only to files and headings that exist', (path) => {
    const links = read(path)
      .replaceAll(/^```.*?^```/gms, '')
      .matchAll(/\]\(([^)\s]+)\)/g);
    const broken = [...links]
      .map(([, target = '']) => target)
      .filter((target) => !/^(https?|mailto):/.test(target))
      .filter((target) => {
        const [file = '', anchor] = target.split('#');
        const linked = file === '' ? path : relative(top, resolve(top, dirname(path), file));
        if (!existsSync(join(top, linked))) return true;
        return anchor !== undefined && linked.endsWith('.md') && !anchorsOf(linked).has(anchor);
      });
    expect(broken).toEqual([]);
  });

  it.each(documents)('%s names only source files that exist', (path) => {
    const folder = dirname(path);
    const named = read(path).matchAll(/`([\w./-]+\/[\w.-]+\.(?:tsx?|mjs|sql|wat|py|md))`/g);
    const missing = [...named]
      .map(([, name = '']) => name)
      // Capitals stand for a name that the reader chooses.
      .filter((name) => !/\b[A-Z]{3,}\./.test(name.replace('README', '').replace('CHANGELOG', '')))
      .filter((name) => ![join(folder, name), join('src', name), name].some(existsInTree));
    expect(missing).toEqual([]);
  });
});

describe('README.md', () => {
  it('can be read in two minutes', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(README_LINES_MAX);
  });

  it('counts the formats', () => {
    expect(read('README.md')).toContain(`It reads ${formats.length} formats:`);
  });

  it('leads to the README of every folder that has one', () => {
    const reachable = new Set(['README.md']);
    for (const path of reachable) {
      for (const [, target = ''] of read(path).matchAll(/\]\(([^)#\s]+\.md)[^)]*\)/g)) {
        if (!/^https?:/.test(target)) {
          reachable.add(relative(top, resolve(top, dirname(path), target)));
        }
      }
    }
    const templates = /^\.github\/(ISSUE_TEMPLATE\/|pull_request_template)/;
    const lost = documents.filter((path) => !reachable.has(path) && !templates.test(path));
    expect(lost).toEqual([]);
  });
});

describe('src/README.md', () => {
  const architecture = read('src/README.md');

  it('has a row for every room of src', () => {
    const folders = readdirSync(join(top, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'sample')
      .map((entry) => entry.name);
    const rows = [...architecture.matchAll(/^\| `([\w-]+)\/` \|/gm)].map(([, folder]) => folder);
    expect(rows.sort()).toEqual(folders.sort());
  });

  it('has a reason for every package', () => {
    const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
      read('package.json'),
    ) as Record<string, Record<string, string>>;
    const table = architecture.slice(architecture.indexOf('## Packages'));
    const rows = [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, name]) => name);
    expect(rows.sort()).toEqual(
      Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies }).sort(),
    );
  });
});
