/** `verbatim calibrate` on the sample index. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { temporaryFolder } from '../support/accounts.ts';
import { runCommand, runCommandJson } from '../support/verbatim.ts';

const folder = temporaryFolder();
const inDomain = join(folder, 'in-domain.jsonl');
const outOfDomain = join(folder, 'out-of-domain.jsonl');
const empty = join(folder, 'empty.jsonl');
const textless = join(folder, 'textless.jsonl');

beforeAll(() => {
  writeQuestions(inDomain, [
    'place cells of the rat hippocampus fire together again during sleep',
    'sleep after learning strengthens memory',
  ]);
  writeQuestions(outOfDomain, ['how is a harpsichord tuned', 'which ovens bake sourdough best']);
  writeQuestions(empty, []);
  writeFileSync(textless, '{"_id":"1"}\n');
});

function writeQuestions(path: string, texts: string[]): void {
  writeFileSync(path, texts.map((text, i) => `${JSON.stringify({ _id: i, text })}\n`).join(''));
}

function args(inDomainFile: string, outOfDomainFile: string): string[] {
  const store = ['--db', inject('sampleIndex')];
  return ['calibrate', '--in-domain', inDomainFile, '--out-of-domain', outOfDomainFile, ...store];
}

interface Output {
  interval: { low: number; high: number };
  fromTitles: boolean;
  reliable: boolean;
  answered: { questions: number; mean: number };
  foreign: { questions: number; mean: number };
  areaUnderCurve: number;
  best: { threshold: number; answeredAsked: number; foreignKept: number };
  others: { threshold: number; answeredAsked: number; foreignKept: number }[];
}

describe('verbatim calibrate', () => {
  it('finds a threshold between in-domain and out-of-domain questions', async () => {
    const output = await runCommandJson<Output>(args(inDomain, outOfDomain));
    expect(output).toMatchObject({
      answered: { questions: 2 },
      foreign: { questions: 2 },
      areaUnderCurve: 1,
      best: { answeredAsked: 0, foreignKept: 0 },
    });
    const { best, others } = output;
    expect(best.threshold).toBeGreaterThan(output.foreign.mean);
    expect(best.threshold).toBeLessThan(output.answered.mean);
    expect(Object.keys(others[0] ?? {})).toEqual(['threshold', 'answeredAsked', 'foreignKept']);
  });

  it('prints the distributions, the error rates and the best threshold', async () => {
    const { stdout, stderr } = await runCommand(args(inDomain, outOfDomain));
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^questions +number +mean +1 % +5 %/);
    expect(stdout).toMatch(/\n0\.5 +[\d.]+ % +[\d.]+ %\n/);
    expect(stdout).toMatch(/\narea under the ROC curve 1\.0000\n/);
    expect(stdout).toMatch(/\nbest threshold 0\.\d+: sends 0\.0 % of the in-domain questions/);
  });

  it('asks with titles of the index and questions of everyday life without files', async () => {
    const args = ['calibrate', '--db', inject('sampleIndex')];
    const output = await runCommandJson<Output>(args);
    expect(output.fromTitles).toBe(true);
    expect(output.answered.questions).toBeGreaterThan(20);
    expect(output.foreign.questions).toBe(50);
    const { best, interval } = output;
    expect(interval.low).toBeLessThan(interval.high);
    expect(best.threshold).toBeGreaterThanOrEqual(interval.low);
    expect(best.threshold).toBeLessThanOrEqual(interval.high);
    // A paper does not find itself.
    expect(output.answered.mean).toBeLessThan(0.95);
    const { stdout } = await runCommand(args);
    expect(stdout).toMatch(/\nwith 95 % probability between 0\.\d+ and 0\.\d+, from \d+ titles/);
    expect(stdout).toContain('calibrate again with those of your customers');
    expect(stdout).toMatch(/\nset: VERBATIM_LANE_CONFIDENCE=0\.\d\d\n$/);
  });

  it('says when the questions are too few', async () => {
    const { reliable } = await runCommandJson<Output>(args(inDomain, outOfDomain));
    expect(reliable).toBe(false);
    const none = await runCommand(['calibrate', '--db', join(folder, 'none.db')], { code: 1 });
    expect(none.stderr).toContain('none.db');
  });

  it('accepts the old names of its options with a warning', async () => {
    const files = ['--answered', inDomain, '--foreign', outOfDomain];
    const { stderr } = await runCommand(['calibrate', ...files, '--db', inject('sampleIndex')]);
    expect(stderr).toContain('--answered is now --in-domain');
    expect(stderr).toContain('--foreign is now --out-of-domain');
  });

  it.each([
    ['a file that does not exist', () => [inDomain, join(folder, 'none.jsonl')], 'none.jsonl'],
    ['a file without questions', () => [empty, outOfDomain], 'has no questions'],
    ['a record without text', () => [inDomain, textless], 'record 1 has no text'],
  ])('reports %s', async (_, files, message) => {
    const [first = '', second = ''] = files();
    const { stderr } = await runCommand(args(first, second), { code: 1 });
    expect(stderr).toContain(message);
  });
});
