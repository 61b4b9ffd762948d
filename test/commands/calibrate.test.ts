/** `verbatim calibrate` on the sample index. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { Separation } from '../../src/eval/confidence.ts';
import { temporaryFolder } from '../support/accounts.ts';
import { checkHelp } from '../support/command-line.ts';
import { runJson, runVerbatim } from '../support/verbatim.ts';

const folder = temporaryFolder();
const answered = join(folder, 'answered.jsonl');
const foreign = join(folder, 'foreign.jsonl');
const empty = join(folder, 'empty.jsonl');
const textless = join(folder, 'textless.jsonl');

beforeAll(() => {
  writeQuestions(answered, [
    'place cells of the rat hippocampus fire together again during sleep',
    'sleep after learning strengthens memory',
  ]);
  writeQuestions(foreign, ['how is a harpsichord tuned', 'which ovens bake sourdough best']);
  writeQuestions(empty, []);
  writeFileSync(textless, '{"_id":"1"}\n');
});

function writeQuestions(path: string, texts: string[]): void {
  writeFileSync(path, texts.map((text, i) => `${JSON.stringify({ _id: i, text })}\n`).join(''));
}

function args(answeredFile: string, foreignFile: string): string[] {
  const store = ['--db', inject('sampleIndex')];
  return ['calibrate', '--answered', answeredFile, '--foreign', foreignFile, ...store];
}

describe('verbatim calibrate', () => {
  checkHelp([[['calibrate'], 'calibrate [options]', ['--answered', '--foreign', '--json']]]);

  it('finds a threshold between questions that are answered and foreign ones', async () => {
    const separation = await runJson<Separation>(args(answered, foreign));
    expect(separation).toMatchObject({
      answered: { questions: 2 },
      foreign: { questions: 2 },
      areaUnderCurve: 1,
      best: { answeredAsked: 0, foreignKept: 0 },
    });
    const { best } = separation;
    expect(best.threshold).toBeGreaterThan(separation.foreign.mean);
    expect(best.threshold).toBeLessThan(separation.answered.mean);
  });

  it('prints the distributions, error rates, and the threshold', async () => {
    const { stdout } = await runVerbatim(args(answered, foreign));
    expect(stdout).toMatch(/^questions +number +mean +1 % +5 %/);
    expect(stdout).toMatch(/\n0\.5 +[\d.]+ % +[\d.]+ %\n/);
    expect(stdout).toMatch(/\narea under the curve 1\.0000\n/);
    expect(stdout).toMatch(/\nbest threshold 0\.\d+: lanes are asked for 0\.0 % of the answered/);
  });

  it.each([
    ['a file that is not there', () => [answered, join(folder, 'none.jsonl')], 'none.jsonl'],
    ['a file without questions', () => [empty, foreign], 'there is no question'],
    ['a record without text', () => [answered, textless], 'record 1 has no text'],
  ])('explains %s', async (_, files, message) => {
    const [first = '', second = ''] = files();
    const { stderr } = await runVerbatim(args(first, second), { code: 1 });
    expect(stderr).toContain(message);
  });
});
