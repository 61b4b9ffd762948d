/** Each room has tables of its own: its statements name no table of another one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = resolve(import.meta.dirname, '../../src');

/** The rooms by the files of the schema. */
const rooms = { index: 'index', accounts: 'accounts', lanes: 'lanes/records' };

const tablesOf = (schema: string): string[] => {
  const text = readFileSync(join(source, `database/schema/${schema}.sql`), 'utf8');
  return [...text.matchAll(/^CREATE (?:VIRTUAL )?TABLE (\w+)/gm)].map(([, table = '']) => table);
};

describe.each(Object.entries(rooms))('the tables of %s', (schema, room) => {
  const others = new Set(
    Object.keys(rooms).flatMap((one) => (one === schema ? [] : tablesOf(one))),
  );

  it('are the only ones in the statements of its room', () => {
    expect(others.size).toBeGreaterThan(4);
    const touched = readdirSync(join(source, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => [
        ...readFileSync(join(source, room, name), 'utf8').matchAll(
          /\b(?:FROM|INTO|UPDATE|JOIN)\s+(\w+)/g,
        ),
      ])
      .map(([, table = '']) => table);
    expect(touched.filter((table) => others.has(table))).toEqual([]);
  });
});
