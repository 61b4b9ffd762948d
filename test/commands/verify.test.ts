/** `verbatim verify` with files of every format. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratchFolder, writeFiles } from '../ingest/index-files.ts';
import { copySampleIndex, removeDatabase } from '../support/service.ts';
import { runCommand, runVerbatim } from '../support/verbatim.ts';

const TITLE = 'Iron-catalysed synthesis of ammonia from nitrogen and hydrogen';
const ID = 'sample:chemistry-haber-bosch-ammonia';
let database = '';

beforeAll(async () => {
  database = await copySampleIndex();
});

afterAll(() => removeDatabase(database));

async function fileOf(name: string, content: string): Promise<string> {
  const folder = await scratchFolder();
  await writeFiles(folder, { [name]: content });
  return join(folder, name);
}

describe('verbatim verify', () => {
  it('prints what is wrong, and the corrected entry', async () => {
    const file = await fileOf(
      'refs.bib',
      `@article{good, title = {${TITLE}}, year = 2026}\n@article{wrong, title = {${TITLE}}, year = 1999}\n@article{broken, title = {x} junk}\n`,
    );
    const { stdout, stderr } = await runCommand(['verify', file, '--db', database], { code: 1 });
    expect(stdout).toContain('good: ok\n');
    expect(stdout).toContain('wrong: has errors\n');
    expect(stdout).toContain('    cited:    1999\n    recorded: 2026\n');
    expect(stdout).toContain('    year = {2026},\n');
    expect(stdout).toContain(
      'refs.bib:3: cannot be read: after title there is no field but "junk"\n',
    );
    expect(stdout).toContain('3 references, 1 match\n');
    expect(stderr).toContain('2 of 3 references do not match the index');
  });

  it('says what it cannot check, and what is likely fabricated', async () => {
    const file = await fileOf(
      'refs.bib',
      `@article{invented, title = {${TITLE}}, doi = {10.5555/nothing}}
@article{absent, title = {A paper that nobody ever wrote}, year = 2020}
`,
    );
    const { stdout } = await runCommand(['verify', file, '--db', database], { code: 1 });
    expect(stdout).toContain(
      'invented: found, but not all of it can be checked: no record speaks of its doi\n',
    );
    expect(stdout).toContain('absent: not in the index: no paper of the index has its title');
    const env = { VERBATIM_INDEX_COMPLETE: '*' };
    const args = ['verify', file, '--db', database];
    const declared = await runVerbatim([...args, '--json'], { code: 1, env });
    const { references } = JSON.parse(declared.stdout);
    expect(references.map((one: { assessment: string }) => one.assessment)).toEqual([
      'likely_real',
      'likely_fabricated',
    ]);
    const people = await runVerbatim(args, { code: 1, env });
    expect(people.stdout).toContain('absent: not in the index, likely fabricated: ');
  });

  it.each([
    ['refs.ris', `TY  - JOUR\nTI  - ${TITLE}\nPY  - 2026\nER  - \n`],
    [
      'refs.json',
      JSON.stringify([
        { id: 'a', type: 'article', title: TITLE, issued: { 'date-parts': [[2026]] } },
      ]),
    ],
    ['refs.txt', `1. ${TITLE}. 2026.\n`],
  ])('reads %s', async (name, content) => {
    const file = await fileOf(name, content);
    const { stdout } = await runCommand(['verify', file, '--db', database, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ n: 1, references: [{ verdict: 'match', d: ID }] });
  });

  it('says that a file has no references, or is missing', async () => {
    const file = await fileOf('empty.bib', '\n');
    const { stderr } = await runCommand(['verify', file, '--db', database], { code: 1 });
    expect(stderr).toContain('there are no references in');
    await runCommand(['verify', `${file}.missing`, '--db', database], { code: 1 });
  });
});
