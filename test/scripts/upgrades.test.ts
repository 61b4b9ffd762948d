/** The stored databases of all releases: each is there, and a migration keeps all that is in it. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { storedDatabases, upgradeStored } from '../../scripts/upgrades.ts';
import { scratchFolder } from '../ingest/index-files.ts';

const top = resolve(import.meta.dirname, '../..');
const folder = join(top, 'test/fixtures/databases');
const OLDEST_RELEASE = '0.2.0';
const ENTRIES = 500;

it.each(storedDatabases(top))('%s keeps customers, keys, ledger, and index', async (name) => {
  for (const entries of [0, ENTRIES]) {
    const path = join(await scratchFolder(), 'stored.db');
    const { wrong, rows } = await upgradeStored(join(folder, name), path, entries);
    expect(wrong).toEqual([]);
    for (const table of ['customers', 'api_keys', 'documents', 'ledger_entries']) {
      expect(rows[table], table).toBeGreaterThan(1);
    }
    expect(rows['ledger_entries']).toBeGreaterThan(entries);
  }
});

it('are of each release since the oldest that can be migrated', () => {
  const changelog = readFileSync(join(top, '.github/CHANGELOG.md'), 'utf8');
  const released = [...changelog.matchAll(/^## (\d\S+) \((?!unreleased)/gm)]
    .map(([, release = '']) => release)
    .filter((one) => one.localeCompare(OLDEST_RELEASE, 'en', { numeric: true }) >= 0);
  const stored = storedDatabases(top).map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return released.find((release) => text.includes(`'${release}'`));
  });
  expect(released).toContain(OLDEST_RELEASE);
  expect(stored.sort()).toEqual(released.sort());
});
