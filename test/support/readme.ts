/** What the tests of README files share. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';

/** Checks every relative link of a Markdown file, its heading included. */
export function expectLinksToExist(path: string): void {
  const links = [...readFileSync(path, 'utf8').matchAll(/\]\((?!https?:)([^)]+)\)/g)];
  const broken = links.filter(([, link = '']) => !isThere(path, link)).map(([, link]) => link);
  expect(broken).toEqual([]);
}

/** Checks that a README names every source file of its folder. */
export function expectFilesToBeNamed(path: string): void {
  const text = readFileSync(path, 'utf8');
  const files = readdirSync(dirname(path)).filter((name) => /\.tsx?$/.test(name));
  expect(files.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
}

function isThere(path: string, link: string): boolean {
  const [file = '', heading] = link.split('#');
  const target = file === '' ? path : join(dirname(path), file);
  if (!existsSync(target)) return false;
  return heading === undefined || headingsOf(target).includes(heading);
}

function headingsOf(path: string): string[] {
  const headings = [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)];
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  );
}
