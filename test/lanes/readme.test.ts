import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsTable } from '../../src/settings/config.ts';

const folder = resolve(import.meta.dirname, '../../src/lanes');
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const readme = read('README.md');

/** The members of a union of string literals in a source file. */
function unionOf(file: string, start: string): string[] {
  const text = read(file);
  const from = text.indexOf(start) + start.length;
  const union = text.slice(from, text.indexOf(';', from));
  return [...union.matchAll(/'(\w+)'/g)].map(([, member = '']) => member);
}

/** The words of the first column of the table with this head. */
function columnOf(head: string): string[] {
  const [, table = ''] = readme.split(`\n| ${head} | meaning |\n|---|---|\n`);
  const rows = table.slice(0, table.indexOf('\n\n')).split('\n');
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, word]) => word ?? ''),
  );
}

describe('src/lanes/README.md', () => {
  it('has a row for every outcome of a search', () => {
    const outcomes = unionOf('lane-trace.ts', 'export type FallbackOutcome =');
    expect(columnOf('outcome of a search').sort()).toEqual(outcomes.sort());
  });

  it('has a row for every outcome of a lane', () => {
    expect(columnOf('outcome of a lane').sort()).toEqual(
      unionOf('lane/lane.ts', '\n  outcome:').sort(),
    );
  });

  it('has a row for every reason of a lane', () => {
    const reasons = ['FailureReason', 'SkipReason'].flatMap((name) =>
      unionOf('lane/lane-errors.ts', `export type ${name} =`),
    );
    expect(columnOf('reason of a lane').sort()).toEqual([...new Set(reasons)].sort());
  });

  it('has a row for every state of a provider', () => {
    expect(columnOf('state').sort()).toEqual(unionOf('lane/lane.ts', '\n  state:').sort());
  });

  it('names only settings that exist', () => {
    const known = Object.values(settingsTable).map(({ variable }): string => variable);
    const named = [...readme.matchAll(/VERBATIM_[A-Z_]+/g)].map(([variable]) => variable);
    expect(named.filter((variable) => !known.includes(variable))).toEqual([]);
  });

  it('states the defaults of the settings', () => {
    expect(settingsTable).toMatchObject({
      laneConfidence: { value: 0.55 },
      laneWaitMsMax: { value: 2_000 },
      laneSlowRequestsMax: { value: 3 },
      arxivGapMs: { value: 3_000 },
      semanticScholarGapMs: { value: 1_000 },
      webGapMs: { value: 350 },
      webConcurrencyMax: { value: 3 },
      laneBackoffMs: { value: 1_000 },
      laneBackoffMsMax: { value: 600_000 },
      laneBlockedMs: { value: 3_600_000 },
      laneFailuresMax: { value: 5 },
      laneCircuitOpenMs: { value: 30_000 },
      arxivRequestsPerDayMax: { value: 10_000 },
      laneCacheAgeMsMax: { value: 86_400_000 },
    });
  });

  it('has a row for every folder, and links only to files that exist', () => {
    for (const room of ['lane', 'providers', 'text', 'transport', 'resilience', 'scoring']) {
      expect(readme).toContain(`| \`${room}/\` |`);
    }
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, target = '']) => target);
    expect(links.filter((target) => !existsSync(join(folder, target)))).toEqual([]);
  });

  it('has a row for every provider', () => {
    for (const provider of unionOf('lane/lane.ts', 'export type ProviderName =')) {
      expect(readme).toContain(`\`${provider}\` |`);
    }
  });
});
