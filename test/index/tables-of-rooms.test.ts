/** Each room has tables of its own: its statements name no table of another one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = resolve(import.meta.dirname, '../../src');

/** The rooms, and the files of the schema that are theirs. */
const rooms = {
  index: ['index'],
  accounts: ['accounts', 'ledger', 'payments'],
  'lanes/records': ['lanes'],
};

const tablesOf = (schema: string): string[] => {
  const text = readFileSync(join(source, `database/schema/sqlite/${schema}.sql`), 'utf8');
  return [...text.matchAll(/^CREATE (?:VIRTUAL )?TABLE (\w+)/gm)].map(([, table = '']) => table);
};

describe.each(Object.entries(rooms))('the tables of %s', (room, own) => {
  const others = new Set(
    Object.values(rooms)
      .filter((schemas) => schemas !== own)
      .flatMap((schemas) => schemas.flatMap(tablesOf)),
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
