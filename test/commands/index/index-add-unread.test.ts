import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DryRunReport } from '../../../src/commands/index/print-dry-run.ts';
import { scratchFolder, writeFiles } from '../../ingest/index-files.ts';
import { runCommand } from '../../support/verbatim.ts';

/** Spreadsheets are archives of XML. Made by Python, which is there wherever the tests run. */
const PACK = `
import sys, zipfile
for out in sys.argv[1:]:
  with zipfile.ZipFile(out, 'w') as archive:
    archive.writestr('docProps/app.xml', '<Properties/>')
    archive.writestr('[Content_Types].xml', '<Types/>')
    archive.writestr('xl/worksheets/sheet1.xml', '<worksheet/>')
`;

const SPREADSHEET = 'it is a spreadsheet; save it as CSV (UTF-8) and add that';
const PDF = 'it is a PDF file; export its record from a reference manager or a database';
const LOOKS = 'it looks like a bibliography, but no format recognizes it';
const NOTHING = 'no format recognizes it';

it('counts apart what looks like a bibliography and is not read', async () => {
  const folder = await scratchFolder();
  await writeFiles(folder, {
    'a.csv': 'id,title\n1,Tides\n',
    'b.pdf': '%PDF-1.7\nTitle Author 10.5555/tides\0',
    'c.bib': 'Tides, by Berg.\n',
    'd.txt': '<Paper>\n  Title: Tides\n  Author: Berg\n  DOI: 10.5555/tides.1\n',
    'e.html': '<!DOCTYPE html><title>Tides</title><p>By the author, 10.5555/tides.1',
    'f.xls': Buffer.from('d0cf11e0a1b11ae1', 'hex'),
  });
  execFileSync('python3', ['-c', PACK, join(folder, 'g.xlsx'), join(folder, 'h.XLSX')]);

  const dry = await runCommand(['index', 'add', folder, '--dry-run', '--json']);
  const { passedOver, passedOverBy, filesFailed } = JSON.parse(dry.stdout) as DryRunReport;
  expect(passedOver.map(({ file, why }) => [file.slice(folder.length + 1), why])).toEqual([
    ['b.pdf', PDF],
    ['c.bib', LOOKS],
    ['d.txt', LOOKS],
    ['e.html', NOTHING],
    ['f.xls', SPREADSHEET],
    ['g.xlsx', SPREADSHEET],
    ['h.XLSX', SPREADSHEET],
  ]);
  expect(passedOverBy).toEqual({ unknown_format: 2, unread_bibliography: 5 });
  expect(filesFailed).toBe(0);

  const { stdout } = await runCommand(['index', 'add', folder, '--dry-run']);
  expect(stdout).toContain('passed over: 2 unknown format, 5 unread bibliography\n');
});

it.each([
  ['g.xlsx', SPREADSHEET],
  ['b.pdf', PDF],
  [
    'e.parquet',
    'it is a Parquet file; take the JSON Lines that the source publishes, or convert it',
  ],
])('gives one sentence of advice for %s', async (name, why) => {
  const folder = await scratchFolder();
  const path = join(folder, name);
  await writeFiles(folder, { [name]: name === 'b.pdf' ? '%PDF-1.7\n' : 'PAR1' });
  if (name === 'g.xlsx') execFileSync('python3', ['-c', PACK, path]);
  const { stderr } = await runCommand(['index', 'add', path, '--dry-run'], { code: 1 });
  const lines = stderr.split('\n').filter((line) => line.includes(path));
  expect(lines).toEqual([`cannot index ${path}: ${why}`]);
});
