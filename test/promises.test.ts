/** What .github/PROMISES.md promises for all 1.x: what promised.json lists stays. It may grow. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { storedDatabases } from '../scripts/upgrades.ts';
import { createOpenApi } from '../src/dashboard/docs/openapi.ts';
import { TABLES_VERSION } from '../src/database/migrations/migrate-file.ts';
import { openStore } from '../src/database/open.ts';
import { errorTable } from '../src/errors.ts';
import { samplePath } from '../src/settings/bundle.ts';
import { retiredVariables, unknownVariables } from '../src/settings/config.ts';
import { scratchFolder } from './ingest/index-files.ts';
import { runCommand, runCommandJson } from './support/verbatim.ts';

interface Promised {
  fields: string[];
  errors: string[];
  settings: string[];
}

/** Of an SQLite file. */
const HEADER_BYTES = 100;

const top = join(import.meta.dirname, '..');
const path = join(import.meta.dirname, 'fixtures/promised.json');
const promised: Promised = JSON.parse(readFileSync(path, 'utf8'));

/** The names of all fields and parameters, after the path or the schema that has them. */
function fieldsOf(value: unknown, place: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => fieldsOf(one, place));
  if (typeof value !== 'object' || value === null) return [];
  const { properties, name, in: where } = value as Record<string, unknown>;
  const own = properties !== null && typeof properties === 'object' ? Object.keys(properties) : [];
  const parameter = typeof where === 'string' ? [`${place} ${where} ${name}`] : [];
  const inside = Object.values(value).flatMap((one) => fieldsOf(one, place));
  return [...own.map((field) => `${place} ${field}`), ...parameter, ...inside];
}

it('keeps the fields of the API', () => {
  const { paths, components } = createOpenApi('http://localhost', '1.0.0');
  const places = { ...paths, ...components.schemas };
  const now = new Set(Object.entries(places).flatMap(([place, one]) => fieldsOf(one, place)));
  expect(promised.fields.length).toBeGreaterThan(100);
  expect(promised.fields.filter((field) => !now.has(field))).toEqual([]);
});

it('keeps the codes of errors with their statuses', () => {
  const now = Object.entries(errorTable).map(([code, error]) =>
    `${code} ${'status' in error ? error.status : ''}`.trim(),
  );
  expect(promised.errors.length).toBeGreaterThan(20);
  expect(promised.errors.filter((error) => !now.includes(error))).toEqual([]);
});

describe('a setting', () => {
  it('is known, or is one that a warning names', () => {
    expect(promised.settings.length).toBeGreaterThan(50);
    const set = Object.fromEntries(promised.settings.map((variable) => [variable, '1']));
    expect(unknownVariables(set)).toEqual([]);
  });

  it('that the changelog calls a constant now is named in a warning', () => {
    const changelog = readFileSync(join(top, '.github/CHANGELOG.md'), 'utf8');
    const [, list = ''] =
      /These settings are constants now.*\n((?: {2}- .*\n)+)/.exec(changelog) ?? [];
    const gone = [...list.matchAll(/`(VERBATIM_\w+)` \d/g)].map(([, variable = '']) => variable);
    expect(gone.length).toBeGreaterThan(100);
    const set = Object.fromEntries(gone.map((variable) => [variable, 'no number']));
    expect(retiredVariables(set).map(({ variable }) => variable)).toEqual(
      expect.arrayContaining(gone),
    );
  });

  it('that is a constant now keeps no command from running', async () => {
    const path = join(await scratchFolder(), 'verbatim.db');
    openStore({ path, lockWaitMs: 0 }).close();
    const env = { VERBATIM_BODY_TIMEOUT_MS: 'no number' };
    const { stderr } = await runCommand(['credit', 'audit', '--db', path], { env });
    expect(JSON.parse(stderr)).toMatchObject({
      level: 'warn',
      event: 'setting_retired',
      variable: 'VERBATIM_BODY_TIMEOUT_MS',
    });
  });
});

describe('the file', () => {
  it.each(storedDatabases(top))('of %s is opened after it was copied', async (name) => {
    const folder = await scratchFolder();
    const path = join(folder, 'verbatim.db');
    const made = new Database(path);
    made.exec(readFileSync(join(top, 'test/fixtures/databases', name), 'utf8'));
    made.close();
    const before = readFileSync(path);
    const { copy } = await runCommandJson<{ copy: string }>(['migrate', '--db', path]);
    // Byte for byte, but for the header: the copy says which program wrote it last.
    expect(readFileSync(copy).subarray(HEADER_BYTES).equals(before.subarray(HEADER_BYTES))).toBe(
      true,
    );
    const audited = await runCommandJson(['credit', 'audit', '--db', path]);
    expect(audited).toMatchObject({ customers: 2, differences: [] });
  });

  it.each([
    ['serve', '--port', '0'],
    ['migrate'],
    ['customer', 'add', 'ada@example.org'],
    ['index', 'add', samplePath()],
    ['backup', 'backup.db'],
  ])('of a newer version is left as it is by %s', async (...args) => {
    const path = join(await scratchFolder(), 'verbatim.db');
    const db = openStore({ path, lockWaitMs: 0 });
    db.pragma(`user_version = ${TABLES_VERSION + 1}`);
    db.close();
    const before = readFileSync(path);
    const { stderr } = await runCommand([...args, '--db', path], { code: 1 });
    expect(stderr).toMatch(/was written by .* or a newer one/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});
