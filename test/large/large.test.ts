/** `npm run measure -- large` at a tiny scale. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { lines, sentences } from '../../scripts/large/records.ts';

const script = resolve(import.meta.dirname, '../../scripts/measure.mjs');

describe('the records of a large file', () => {
  it('are new papers first, then the same papers with small changes', () => {
    const drawn: string[] = [];
    for (const line of lines(50)) if (drawn.push(line) === 2000) break;
    expect(new Set(drawn.slice(0, 50)).size).toBe(50);
    const further = drawn.slice(50);
    const changed = further.filter((line) => !drawn.slice(0, 50).includes(line));
    expect(changed.length).toBeGreaterThan(20);
    expect(changed.length).toBeLessThan(100);
    const texts = new Set(sentences());
    for (const line of drawn.slice(0, 50)) {
      const { title, abstract } = JSON.parse(line) as { title: string; abstract: string };
      for (const text of [title, ...abstract.split(/(?<=\.) /)]) expect(texts).toContain(text);
    }
  });
});

describe('npm run measure -- large', () => {
  it('builds an index of the file and prints the memory used', async () => {
    const args = [script, 'large', '--megabytes', '1', '--documents', '100'];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toMatch(/^file +1\.0 MB\nrecords +[\d,]+: 100 added, \d+ updated, [\d,]+ unch/m);
    expect(stdout).toMatch(/^memory of the builder at most +\d{2,3}\.\d MB +<= 1\.0 GB +yes$/m);
  });
});
