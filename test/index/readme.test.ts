/** src/index/README.md names every table, and each room of the store touches only its own tables. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryIndex } from './memory-index.ts';

const store = resolve(import.meta.dirname, '../../src/database');
const readme = readFileSync(join(store, 'README.md'), 'utf8');
const roomOfTable = new Map(
  [...readme.matchAll(/^\| `(\w+)` \| (index|accounts|lanes|migrations) \|/gm)].map(
    ([, table, room]) => [table, room] as [string, string],
  ),
);

function sourceOf(room: string): string {
  return readdirSync(join(store, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(store, room, name), 'utf8'))
    .join('\n');
}

describe('src/index/README.md', () => {
  it('names every table of the database', () => {
    const tables = memoryIndex()
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all() as string[];
    const own = tables.filter((name) => !/^sqlite_|^documents_text_/.test(name));
    expect([...roomOfTable.keys()].sort()).toEqual(own.sort());
  });

  it('names only files that exist', () => {
    const files = [...readme.matchAll(/`(index\/[\w/-]+\.ts)`/g)].map(([, file]) => file as string);
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) expect(() => readFileSync(join(store, file)), file).not.toThrow();
  });

  it.each(['index', 'accounts', 'lanes', 'database'])('says which tables %s touches', (room) => {
    const touched = [...sourceOf(room).matchAll(/\b(?:FROM|INTO|UPDATE|JOIN)\s+(\w+)/g)];
    const foreign = touched
      .map(([, table = '']) => table)
      .filter((table) => roomOfTable.has(table) && roomOfTable.get(table) !== room);
    expect([...new Set(foreign)]).toEqual([]);
  });
});
