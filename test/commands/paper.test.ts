/** `verbatim paper` and `verbatim similar` on the sample index. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPapers, PRINTED_DELAY } from '../http/look-up-papers.ts';
import { jsonLines, scratchFolder, writeFiles } from '../ingest/index-files.ts';
import { copySampleIndex, removeDatabase } from '../support/service.ts';
import { runCommand } from '../support/verbatim.ts';

let database = '';

beforeAll(async () => {
  database = await copySampleIndex();
  await addPapers(database);
});

afterAll(() => removeDatabase(database));

describe('verbatim paper', () => {
  it('prints what the records say', async () => {
    const { stdout } = await runCommand(['paper', 'PMID:7654321', '--db', database]);
    expect(stdout).toContain('Tides of the northern shore after the full moon (2021)\n');
    expect(stdout).toContain('   Anna Berg, Bo Dahl\n   Journal of Shores\n');
    expect(stdout).toContain('   doi 10.5555/tides, pmid 7654321, openalex W77\n');
    expect(stdout).toContain('two days after the full moon');
  });

  it('prints that a paper was retracted', async () => {
    const { stdout } = await runCommand(['paper', '10.5555/gone', '--db', database]);
    expect(stdout).toContain('   retraction\n');
  });

  it('prints what a paper cites and who cites it', async () => {
    const { stdout } = await runCommand([
      ...['paper', '10.5555/delay', 'W77', '--references', '--cited-by', '--db', database],
    ]);
    const [delay = '', tides = ''] = stdout.split(
      'Tides of the northern shore after the full moon (2021)\n   Anna',
    );
    expect(delay).toContain(
      [
        '   cites 3',
        '   - Tides of the northern shore after the full moon (2021) · Anna Berg, Bo Dahl · 10.5555/tides',
        '   - A tide that never came (2018) (retraction) · Eva Falk · 10.5555/gone',
        '   - A tide table, 1901.',
        '',
        '   cited by 1',
        '   - Phases of the moon and the height of tides (2019) · 10.5555/moon,phase\n',
      ].join('\n'),
    );
    expect(tides).toContain(
      '   cited by 1\n   - Friction delays the tide in shallow water (2023) · Carl Ek · 10.5555/delay\n',
    );
    const json = await runCommand(['paper', 'W77', '--cited-by', '--json', '--db', database]);
    expect(JSON.parse(json.stdout).papers).toMatchObject([{ cited_by: { count: 1, indexed: 1 } }]);
  });

  it('prints the papers that printed references mean', async () => {
    const asked = ['paper', '10.5555/moon,phase', '--references', '--db', database];
    const { stdout } = await runCommand(asked);
    expect(stdout).toContain(`   - ${PRINTED_DELAY} · 10.5555/delay (match)\n`);
    const json = await runCommand([...asked, '--json']);
    const [{ references }] = JSON.parse(json.stdout).papers;
    expect(references.papers[1]).toMatchObject({ text: PRINTED_DELAY, d: '10.5555/delay' });
  });

  it.each(['before', 'after'])('prints citations whose table came %s the papers', async (order) => {
    const folder = await scratchFolder();
    const header = 'oci,citing,cited,creation,timespan,journal_sc,author_sc\n';
    const rows = ['mud', 'sand', 'clay'].map(
      (cited, at) =>
        `1-${at},omid:br/1 doi:10.5555/citing pmid:71,doi:10.5555/${cited},2020,,no,no\n`,
    );
    const [table = '', papers = ''] = await writeFiles(folder, {
      'table.csv': header + rows.join(''),
      'papers.jsonl': jsonLines([
        { id: '10.5555/mud', title: 'Of mud', abstract: 'It sank.' },
        { id: 'citing', title: 'Of soils', abstract: 'It rained.', identifiers: { pmid: '71' } },
      ]),
    });
    const of = ['--db', join(folder, 'index.sqlite')];
    const add = (file: string) => runCommand(['index', 'add', file, ...of, '--json']);
    const cited = async (): Promise<string> =>
      (await runCommand(['paper', '10.5555/mud', 'PMID:71', '--references', '--cited-by', ...of]))
        .stdout;
    for (const file of order === 'before' ? [table, papers] : [papers, table]) await add(file);
    expect(await cited()).toContain('   cited by 1\n   - Of soils');
    expect(await cited()).toContain('   cites 3\n   - Of mud');
    const why = await runCommand(['index', 'why', 'PMID:71', ...of]);
    expect(why.stdout).toMatch(
      /id:opencitations:1-0\+ \(references\) +- .+ opencitations +\S+table\.csv/,
    );
    const exported = await runCommand(['index', 'export', ...of]);
    expect(exported.stdout).toContain('"references":[{"doi":"10.5555/mud"}');
    // The same table again, and without one of its rows.
    expect(JSON.parse((await add(table)).stdout)).toMatchObject({ unchanged: 1 });
    await writeFiles(folder, { 'table.csv': header + rows.slice(0, 2).join('') });
    expect(JSON.parse((await add(table)).stdout)).toMatchObject({ updated: 1 });
    expect(await cited()).toContain('   cites 2\n');
    await runCommand(['index', 'verify', ...of]);
  });

  it('writes bibliographies', async () => {
    const ids = ['10.5555/tides', '10.5555/delay'];
    const run = async (...options: string[]): Promise<string> =>
      (await runCommand(['paper', ...ids, '--db', database, ...options])).stdout;
    expect(await run('--format', 'bibtex')).toMatch(/^@article\{berg2021tides,[^@]+@misc\{ek2023/);
    expect(await run('--format', 'ris')).toMatch(/^TY {2}- JOUR\n[\s\S]+\nER {2}-\n$/);
    expect(JSON.parse(await run('--format', 'csl-json'))).toHaveLength(2);
    expect(JSON.parse(await run('--json'))).toMatchObject({ n: 2, unknown: [] });
  });

  it('prints the papers that there are, and names the others', async () => {
    const ids = ['10.5555/none', 'W77', 'nobody'];
    const { stdout, stderr } = await runCommand(['paper', ...ids, '--db', database], { code: 1 });
    expect(stdout).toContain('Tides of the northern shore');
    expect(stderr).toContain('the index does not have 10.5555/none, nobody');
  });

  it('takes more ids than a call over HTTP', async () => {
    const ids = Array.from({ length: 20 }, (_, at) => `10.5555/none-${at}`);
    const { stdout } = await runCommand(['paper', 'W77', ...ids, '--json', '--db', database], {
      code: 1,
    });
    expect(JSON.parse(stdout)).toMatchObject({ n: 1, unknown: ids });
  });

  it('refuses an unknown format', async () => {
    await runCommand(['paper', 'W77', '--format', 'word', '--db', database], { code: 2 });
  });
});

describe('verbatim similar', () => {
  it('prints the papers nearest first', async () => {
    const { stdout } = await runCommand(['similar', 'W77', '--limit', '2', '--db', database]);
    expect(stdout).toMatch(/^1\. 0\.\d+ {2}/);
    expect(stdout).toContain('10.5555/delay');
    expect(stdout).toMatch(/\n2 results, confidence 0\.\d+\n$/);
  });

  it('prints JSON with abstracts', async () => {
    const args = ['similar', 'W77', '--abstract', '--json', '--db', database];
    const { n, results } = JSON.parse((await runCommand(args)).stdout);
    expect(n).toBe(10);
    for (const { ab } of results) expect(ab).toBeTypeOf('string');
  });

  it('prints only the papers that filters allow', async () => {
    const filter = ['--year', '2020..2023', '--with-abstract', '--json', '--db', database];
    const { results } = JSON.parse((await runCommand(['similar', 'W77', ...filter])).stdout);
    expect(results.map(({ d }: { d: string }) => d)).toEqual(['10.5555/delay']);
    const author = ['--author', 'Ek, Carl', '--doi-prefix', '10.5555', '--json', '--db', database];
    const found = JSON.parse((await runCommand(['similar', 'W77', ...author])).stdout);
    expect(found.results.map(({ d }: { d: string }) => d)).toEqual(['10.5555/delay']);
    for (const [option, value, message] of [
      ['--author', '0000-0002-1825-0090', 'The ORCID has a wrong check digit.'],
      ['--doi-prefix', 'PLOS', 'It must be such as 10.1371 or 10.1371/journal.pone.'],
    ] as const) {
      const refused = ['similar', 'W77', option, value, '--db', database];
      expect((await runCommand(refused, { code: 2 })).stderr).toContain(message);
    }
    const wrong = ['similar', 'W77', '--type', 'poem', '--db', database];
    const { stderr } = await runCommand(wrong, { code: 2 });
    expect(stderr).toContain('It must be some of article, review,');
  });

  it('says that the index does not have the paper', async () => {
    const { stderr } = await runCommand(['similar', 'nobody', '--db', database], { code: 1 });
    expect(stderr).toContain('no paper in the index has this id');
  });
});
