/** `verbatim verify` with manuscripts: the program as a process, on papers of these tests. */
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundlePath } from '../../src/settings/bundle.ts';
import { jsonLines, scratchFolder, writeFiles } from '../ingest/index-files.ts';
import { overhang, runAxe } from '../support/axe.ts';
import { useBrowser } from '../support/browser.ts';
import { copySampleIndex, removeDatabase } from '../support/service.ts';
import { runVerbatim } from '../support/verbatim.ts';

const tides = {
  id: '10.5555/tides.7',
  title: 'Tides and the growth of eelgrass in sheltered bays',
  abstract:
    'Eelgrass grew 12 cm faster in sheltered bays than on open shores. Tides carried fine sediment into the beds.',
  year: 2020,
  authors: ['Anna Berg', 'Bo Dahl'],
  venue: 'Marine Notes',
};
const urchins = {
  id: '10.5555/urchins.3',
  title: 'Sea urchins graze kelp faster in warm autumns',
  abstract:
    'Urchins grazed kelp twice as fast in warm autumns. Otters were seen in none of the plots.',
  year: 2019,
  authors: ['Eva Falk'],
  venue: 'Shore Letters',
};
const limpets = {
  id: '10.5555/limpets.2',
  title: 'Limpets hold to wet rock with a force of $10^2$ newtons',
  abstract: 'Limpets held to wet rock for nine hours.',
  year: 2018,
  authors: ['Gro Hall'],
  venue: 'Shore Letters',
};

const MARKDOWN = `# Meadows under water

As Berg and Dahl (2020) write, "eelgrass grew 12 cm faster
in sheltered bays than on open shores".
"Eelgrass grew 21 cm faster in sheltered bays than on open shores" (Berg & Dahl, 2020, p. 3).
They add that “urchins grazed kelp twice as fast in warm autumns” (Berg & Dahl, 2020).
"Never has a meadow been so green" is what people say.

Falk (2021) writes:

> Whales sing in major keys above the <equator>.

They had "no funding from anybody at all" (Falk, 2019).

## References

Berg, A., & Dahl, B. (2020). Tides and the growth of eelgrass in sheltered bays. Marine Notes. https://doi.org/10.5555/tides.7

Falk, E. (2019). Sea urchins graze kelp faster in warm autumns. Shore Letters.

Falk, E. (2021). Whales sing in major keys above the equator. Whale Notes. https://doi.org/10.5555/whales.1
`;

const BIBTEX = `@article{tides, title = {${tides.title}}, author = {Berg, Anna and Dahl, Bo}, year = 2020}
@article{uncited, title = {Nothing of the kind}, year = 2020}
@article{urchins,
  title = {${urchins.title}}, author = {Falk, Eva}, year = 2009}
`;

let database = '';
beforeAll(async () => {
  database = await copySampleIndex();
  const path = join(database, '..', 'papers.jsonl');
  await writeFiles(join(database, '..'), { 'papers.jsonl': jsonLines([tides, urchins, limpets]) });
  await runVerbatim(['index', 'add', path, '--db', database]);
});
afterAll(() => removeDatabase(database));
const browser = useBrowser();

/** Runs `verbatim verify` in a folder with a text on standard input. */
function verify(folder: string, args: readonly string[], input = '') {
  const env = { ...process.env, VERBATIM_CONFIG: 'none', VERBATIM_DB: database };
  const options = { cwd: folder, env, input, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [bundlePath(), 'verify', ...args],
    options,
  );
  return { status, stdout, stderr };
}

describe('verbatim verify with a manuscript', () => {
  it('checks references and quotes in Markdown, the doubtful first', async () => {
    const folder = await scratchFolder();
    await writeFiles(folder, { 'paper.md': MARKDOWN });
    const { status, stdout, stderr } = verify(folder, ['paper.md']);
    expect(status).toBe(1);
    expect(stdout.match(/^paper\.md:.*/gm)).toEqual([
      expect.stringMatching(/^paper\.md:21: Falk, E\. \(2021\): not in the index/),
      'paper.md:17: Berg, A., & Dahl, B. (2020): ok',
      'paper.md:19: Falk, E. (2019): ok',
      'paper.md:6: quote: not in the cited paper, but in another one',
      expect.stringMatching(/^paper\.md:5: quote: differs from its source/),
      'paper.md:13: quote: not in the abstract of the cited paper',
      'paper.md:11: quote: the cited paper is not in the index',
      'paper.md:3: quote: word for word',
    ]);
    expect(stdout).toContain(`  paper:  ${urchins.title} (${urchins.id})\n`);
    expect(stdout).toContain('  source: Eelgrass grew 12 cm faster');
    expect(stdout).toContain(
      '3 references, 2 match; 5 quotes, 1 word for word; 1 quote without a citation, not checked\n',
    );
    expect(stderr).toContain(
      '1 of 3 references do not match the index; 2 of 5 quotes do not match the cited paper\n',
    );
  });

  it('reads TeX with what it includes and its .bib, but nothing outside of its folder', async () => {
    const outer = await scratchFolder();
    const folder = join(outer, 'paper');
    await mkdir(join(folder, 'parts'), { recursive: true });
    await writeFiles(outer, { 'secret.bib': '@misc{secret, title = {A secret of somebody}}' });
    await symlink(join(outer, 'secret.bib'), join(folder, 'linked.bib'));
    await writeFiles(folder, {
      'paper.tex':
        "\\bibliography{../secret,linked,refs}\n``Otters were \\emph{seen} in none of the plots'' \\cite{urchins, secret}.\n\\input{parts/more}",
      'parts/more.tex':
        '%\n\\enquote{Tides carried fine sediment into the beds}~\\autocite[3]{tides}',
      'refs.bib': BIBTEX,
    });
    const { status, stdout, stderr } = verify(folder, ['paper.tex', '--json']);
    expect(status).toBe(1);
    expect(stderr).toContain('cannot read ../secret.bib: it is in another folder\n');
    expect(stderr).toContain('cannot read linked.bib: it is in another folder\n');
    expect(stdout).not.toContain('A secret');
    expect(JSON.parse(stdout)).toMatchObject({
      n: 2,
      references: [
        { name: 'tides', file: 'refs.bib', line: 1, verdict: 'match', d: tides.id },
        { name: 'urchins', file: 'refs.bib', line: 3, verdict: 'match_with_errors' },
      ],
      quotes: [
        { file: 'paper.tex', line: 2, cites: ['urchins', 'secret'], verdict: 'exact' },
        { file: 'parts/more.tex', line: 2, cites: ['tides'], verdict: 'exact', d: tides.id },
      ],
      uncited: 0,
    });
  });

  it('reads the list of references within TeX', async () => {
    const folder = await scratchFolder();
    await writeFiles(folder, {
      'paper.tex': `\\cite{b}\n\\begin{thebibliography}{9}\n\\bibitem[Berg and Dahl(2020)]{b}\nA. Berg and B. Dahl.\n\\newblock ${tides.title}.\n\\newblock {\\em Marine Notes}, 2020.\n\\bibitem{f} E.~Falk. ${urchins.title}. Shore Letters, 2019.\n\\end{thebibliography}`,
    });
    const { status, stdout } = verify(folder, ['paper.tex']);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'paper.tex:3: b: ok\npaper.tex:7: f: ok\n2 references, 2 match\n',
    });
  });

  it('reads plain text and BibTeX from standard input', async () => {
    const folder = await scratchFolder();
    const text = `So "tides carried fine sediment into the beds" [1].\n\nReferences\n\n[1] A. Berg and B. Dahl, "${tides.title}," Marine Notes, 2020.\n[2] E. Falk, "${urchins.title}," Shore Letters, 2019.\n`;
    const plain = verify(folder, ['-'], text);
    expect(plain.stdout).toBe(
      'standard input:5: 1: ok\nstandard input:6: 2: ok\nstandard input:1: quote: word for word\n  quoted: tides carried fine sediment into the beds\n2 references, 2 match; 1 quote, 1 word for word\n',
    );
    expect(plain.status).toBe(0);
    const { status, stdout } = verify(folder, ['-'], BIBTEX);
    expect(stdout).toContain('standard input:1: tides: ok\n');
    expect(status).toBe(1);
    expect(verify(folder, ['-'], 'No list, no quote.\n\n## References\n')).toMatchObject({
      status: 1,
      stderr: 'verbatim: there are no references in standard input\n',
    });
  });

  it('writes a page that a browser shows without errors, in light and dark', async () => {
    const folder = await scratchFolder();
    await writeFiles(folder, {
      'paper.md': `${MARKDOWN.replace('Falk, E. (2019)', 'Falk, E. (2018)')}
Hall, G. (2018). ${limpets.title}. Shore Letters.
`,
    });
    verify(folder, ['paper.md', '--html', 'report.html']);
    const page = join(folder, 'report.html');
    expect(await readFile(page, 'utf8')).not.toMatch(/<script|<equator>/);
    for (const isDark of [false, true]) {
      const visit = await browser.visit(pathToFileURL(page).href, { isDark, isPhone: isDark });
      await visit.page.goto(pathToFileURL(page).href);
      const { violations, passes } = await runAxe(visit.page);
      expect(passes.length).toBeGreaterThan(10);
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      expect(await overhang(visit.page)).toEqual([]);
      const heads = await visit.page.locator('li.citation h3').allInnerTexts();
      expect(heads).toContain('line 5 differs from its source');
      expect(heads).toContain('Falk, E. (2018) has errors');
      expect(await visit.page.locator('blockquote del').allInnerTexts()).toEqual(['21']);
      expect(await visit.page.locator('cite math').textContent()).toBe('102');
      const links = visit.page.getByRole('link', { name: tides.title });
      expect(await links.first().getAttribute('href')).toBe('https://doi.org/10.5555/tides.7');
    }
  });

  it('says which file it cannot read or write', async () => {
    const folder = await scratchFolder();
    await writeFiles(folder, { 'paper.tex': '\\cite{a}\\bibliography{none}', 'a.md': MARKDOWN });
    expect(verify(folder, ['paper.tex']).stderr).toMatch(
      /no references in paper\.tex; cannot read none\.bib: ENOENT/,
    );
    expect(verify(folder, ['a.md', '--html', 'none/a.html']).stderr).toMatch(/cannot write none/);
    const { status, stderr } = verify(folder, [database]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/is not a text in UTF-8|is longer than/);
  });
});
