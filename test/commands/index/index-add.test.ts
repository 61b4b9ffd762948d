/** Bad input through the real program: a clear message, exact counts, and a sound index. */

import { createWriteStream } from 'node:fs';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { formats } from '../../../src/ingest/formats.ts';
import {
  addFiles,
  type Content,
  countsOf,
  expectSound,
  jsonLines,
  readIndex,
  scratchFolder,
  writeFiles,
} from '../../ingest/index-files.ts';
import { withLimits } from '../../support/limits.ts';
import { runCommand } from '../../support/verbatim.ts';

const GOOD = { id: 'good', title: 'Tides', abstract: 'It rose. It fell.' };
const BEIR = { _id: '1', title: 'Moon', text: 'It shone.' };

/** Files that can be read whole, and the ids of what they hold. */
const WHOLE: [what: string, content: Content, ids: string[]][] = [
  ['a byte order mark', `\ufeff${documents('bom')}`, ['bom']],
  ['Windows line ends', `\r\n${documents('crlf').trim()}\r\n\r\n \t\r\n`, ['crlf']],
  ['no line end', documents('cut').trim(), ['cut']],
  ['gzip', gzipSync(documents('gzip')), ['gzip']],
  ['gzip members', Buffer.concat(['m1', 'm2'].map((id) => gzipSync(documents(id)))), ['m1', 'm2']],
  ['padded gzip', Buffer.concat([gzipSync(documents('pad')), Buffer.alloc(100_000)]), ['pad']],
  ['a BEIR corpus', jsonLines([{ _id: 'beir', text: 'It rose. It fell.' }]), ['beir']],
];

const MAGIC = Buffer.from([0x1f, 0x8b]);

const NO_FORMAT = 'no format recognizes it';
const NO_TEXT = 'it is not text in UTF-8, or in UTF-16 with a byte order mark';

/** Unreadable files, and the reported reasons. */
const UNREADABLE: [what: string, content: Content, reason: string][] = [
  ['an empty file', '', 'it is empty'],
  ['nothing but blank lines', '\n\r\n  \n', 'it is empty'],
  ['an empty gzip file', gzipSync(''), 'it is empty'],
  ['binary rubbish', rubbish(100_000), NO_TEXT],
  ['binary rubbish in gzip', gzipSync(rubbish(100_000)), NO_TEXT],
  ['another encoding', Buffer.from(documents('utf-16'), 'utf16le'), NO_TEXT],
  ['one array of numbers', '[1, 2, 3]', NO_FORMAT],
];

/** Lines that are not documents, and the message for each. */
const BAD_LINES: [line: string | Buffer, reason: string | RegExp][] = [
  ['rubbish', /^not JSON: /],
  ['{"id": "cut", "title": "Ti', /^not JSON: /],
  ['{"id": "a"} {"id": "b"}', /^not JSON: /],
  ['[["nested"]]', 'not a JSON object'],
  ['1e400', 'not a JSON object'],
  ['null', 'not a JSON object'],
  [Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), /the line is not valid UTF-8; .*--encoding latin1/],
  [
    Buffer.from('{"id": "a", "title": "Caf\xe9"}', 'latin1'),
    /the line is not valid UTF-8; .*--encoding latin1/,
  ],
  ['{"title": "Tides"}', 'there is no id'],
  ['{"id": " ", "title": "Tides"}', 'there is no id'],
  ['{"id": "a", "title": " ", "abstract": ""}', 'there is neither title nor abstract'],
  ['{"id": ["a"], "title": "Tides"}', /^"id" must be /],
  ['{"id": 12345678901234567890, "title": "Tides"}', /^"id" must be /],
  ['{"id": "a", "doi": 5, "title": "Tides"}', '"doi" must be a string, not a number'],
  ['{"id": "a", "title": 5}', '"title" must be a string, not a number'],
  ['{"id": "a", "abstract": [["It"], ["rose."]]}', '"abstract" must be a string, not an array'],
  ['{"id": "a", "title": "T", "year": "MCM"}', '"year" must be a year, not "MCM"'],
  ['{"id": "a", "title": "T", "year": 1e400}', /^"year" must be a year/],
  [
    '{"id": "a", "title": "T", "authors": "A. Berg"}',
    '"authors" must be an array of names, not a string',
  ],
  ['{"id": "a", "title": "T", "venue": {}}', '"venue" must be a string, not a object'],
  [
    JSON.stringify({ id: 'a', title: 'T'.repeat(1_000_000) }),
    'the title has 1000000 characters, at most 4000 are taken',
  ],
  [
    JSON.stringify({ id: 'a', abstract: 'It rose. '.repeat(20_000) }),
    'the abstract has 180000 characters, at most 100000 are taken',
  ],
  [
    JSON.stringify({ id: 'a'.repeat(600), title: 'T' }),
    'the id has 600 characters, at most 512 are taken',
  ],
];

describe('verbatim index add', () => {
  it(`reads files with ${WHOLE.map(([what]) => what).join(', ')}`, async () => {
    const { database, paths } = await files(contentsOf(WHOLE));
    // More threads than there is work.
    const options = ['--threads', '4'];
    const { counts, problems } = await addFiles(paths, { database, options });
    const ids = WHOLE.flatMap(([, , expected]) => expected);
    const [added, sentences] = [ids.length, 2 * ids.length];
    expect(counts).toEqual(countsOf({ read: added, added, sentences }));
    expect(problems).toEqual([]);
    expect([...readIndex(database).keys()]).toEqual([...ids].sort());
    expectSound(database, { documents: added, sentences });
  });

  it(`continues after ${UNREADABLE.map(([what]) => what).join(', ')}`, async () => {
    const { database, paths } = await files({ ...contentsOf(UNREADABLE), last: documents('last') });
    const { counts, problems, error } = await addFiles(paths, { database, code: 1 });
    const filesFailed = UNREADABLE.length;
    expect(counts).toEqual(countsOf({ read: 1, added: 1, sentences: 2, filesFailed }));
    const failures = problems.filter((problem) => !problem.startsWith('formats known: '));
    expect(failures).toEqual(
      UNREADABLE.map(([what, , reason]) => `cannot index ${what}: ${reason}`),
    );
    // Once, with each that there is, however many files have none.
    const known = formats.map(({ name }) => name).sort();
    expect(problems.filter((problem) => !failures.includes(problem))).toEqual([
      `formats known: ${known.join(', ')}; --format NAME forces one`,
    ]);
    expect(error).toContain(`${filesFailed} of ${paths.length} files could not be read`);
    expectSound(database, { documents: 1, sentences: 2 });
  });

  it('reads the given encoding and rejects an unknown one', async () => {
    const record = { id: 'cafe', title: 'Caf\xe9', abstract: 'It rose.' };
    const { database, paths } = await files({ file: Buffer.from(jsonLines([record]), 'latin1') });
    const options = ['--encoding', 'latin1'];
    expect((await addFiles(paths, { database, options })).problems).toEqual([]);
    expect(readIndex(database).get('cafe')).toMatchObject({ title: 'Café' });
    const args = ['index', 'add', ...paths, '--db', database, '--encoding', 'latin-0'];
    const { stderr } = await runCommand(args, { code: 2 });
    expect(stderr).toContain('there is no encoding "latin-0"');
  });

  it('accepts records without title or abstract, and keeps the last of many with one id', async () => {
    // Lone surrogates and NUL are replaced.
    const odd = '{"id":"odd","title":"T\\ud83d","abstract":"It\\u0000 rose\\udc00. It fell."}\n';
    const content = jsonLines([
      { id: 'a', abstract: 'It rose.' },
      { id: 'b', title: 'Tides' },
      { ...GOOD, title: 'Old' },
      { id: 'c', title: null, abstract: 'It fell.', year: null, authors: null },
      ...[GOOD, GOOD],
    ]);
    const { database, paths } = await files({ file: content + odd });
    const { counts } = await addFiles(paths, { database });
    expect(counts).toEqual(
      countsOf({
        read: 7,
        added: 5,
        updated: 1,
        unchanged: 1,
        withoutAbstract: 1,
        sentences: 6,
        sentencesKept: 2,
      }),
    );
    const index = readIndex(database);
    expect(index.get('good')).toMatchObject({ title: GOOD.title });
    const row = index.get('odd');
    expect(row).toMatchObject({ title: 'T\ufffd', abstract: 'It\ufffd rose\ufffd. It fell.' });
    expect(row?.sentences.join(' ')).toBe(row?.abstract);
    expect((await addFiles(paths, { database })).counts).toMatchObject({ added: 0 });
    expectSound(database, { documents: 5, sentences: 6 });
  });

  it('reports each bad line and adds all good ones', async () => {
    const good = Array.from({ length: BAD_LINES.length }, (_, i) => ({ ...GOOD, id: `${i}` }));
    const lines = BAD_LINES.flatMap(([line], i) => [line, '\n', JSON.stringify(good[i]), '\n']);
    const { database, paths } = await files({ file: Buffer.concat(lines.map(toBuffer)) });
    const env = withLimits({ problemsShownMax: 100 });
    const { counts, problems } = await addFiles(paths, { database, env });
    const number = BAD_LINES.length;
    expect(counts).toEqual(
      countsOf({
        read: 2 * number,
        added: number,
        skipped: number,
        sentences: 2 * number,
        skippedBy: expect.objectContaining({ malformed: expect.any(Number), too_long: 3 }),
      }),
    );
    const reasons = problems.map((problem) => problem.replace(/^(file:\d+: skipped: )/, ''));
    expect(reasons).toEqual(BAD_LINES.map(([, reason]) => matching(reason)));
    for (const [i, problem] of problems.entries()) {
      expect(problem.startsWith(`file:${2 * i + 1}: skipped: `)).toBe(true);
      expect(problem.length).toBeLessThan(200);
    }
    expectSound(database, { documents: number, sentences: 2 * number });
  });

  it('shows the first bad lines of a file, without control characters, and counts the rest', async () => {
    const content = jsonLines([GOOD]);
    const { database, paths } = await files({
      'a.jsonl': `${content}${'rubbish\n'.repeat(30)}`,
      'b.jsonl': `${content}\u001b[31m\u0007\n${'rubbish\n'.repeat(29)}`,
    });
    const { counts, problems } = await addFiles(paths, { database });
    expect(counts).toMatchObject({ read: 62, added: 1, unchanged: 1, skipped: 60 });
    expect(problems).toHaveLength(42);
    expect(problems[20]).toBe('a.jsonl: further bad records are only counted');
    expect(problems[21]).toMatch(/^b\.jsonl:2: skipped: /);
    expect(problems[21]).not.toMatch(/\p{Cc}/u);
  });

  it('skips a line of 50 MB', async () => {
    const folder = await scratchFolder();
    const [path, database] = [join(folder, 'file'), join(folder, 'index.db')];
    await writeLongLine(path, 50 * 1024 * 1024);
    const { counts, problems } = await addFiles([path], { database });
    expect(counts).toEqual(
      countsOf({ read: 3, added: 2, skipped: 1, skippedBy: { too_long: 1 }, sentences: 4 }),
    );
    expect(problems).toEqual([
      'file:2: skipped: the line has 52428827 bytes, at most 8388608 are read',
    ]);
    expectSound(database, { documents: 2, sentences: 4 });
  });
});

it('adds every record that can be decompressed from damaged gzip files', async () => {
  const filler = rubbish(600_000).toString('base64');
  const zippedOf = (file: string): Buffer => {
    const papers = Array.from({ length: 100 }, (_, i) => ({
      id: `${file}-${i}`,
      title: `Title ${i} of ${file}`,
      filler: filler.slice(i * 7000, (i + 1) * 7000),
    }));
    return gzipSync(jsonLines(papers));
  };
  const half = zippedOf('half');
  const { database, paths } = await files({
    half: half.subarray(0, half.length / 2),
    unended: zippedOf('unended').subarray(0, -6),
    damaged: damaged(zippedOf('damaged')),
    false: Buffer.concat([MAGIC, rubbish(1000)]),
    other: jsonLines([GOOD]),
  });
  const { counts, problems, error } = await addFiles(paths, { database, code: 1 });
  expect(counts).toMatchObject({ filesFailed: 4 });
  expect(error).toContain('4 of 5 files could not be read to the end');
  const stored = readIndex(database);
  for (const [file, least, reason] of [
    ['half', 48, 'unexpected end of file'],
    ['unended', 100, 'unexpected end of file'],
    ['damaged', 40, ''],
    ['false', 0, ''],
  ] as const) {
    expect(problems).toContainEqual(
      expect.stringMatching(new RegExp(`^${file} breaks off: ${reason}`)),
    );
    for (let i = 0; i < least; i++) {
      expect(stored.get(`${file}-${i}`)?.title).toBe(`Title ${i} of ${file}`);
    }
  }
  expectSound(database, { documents: counts.added, sentences: 2 });
});

describe('the arguments of verbatim index add', () => {
  it('reports every record as bad when the named format fits none', async () => {
    const { database, paths } = await files({ file: jsonLines([BEIR, BEIR]) });
    const options = ['--format', 'verbatim'];
    const { counts, problems } = await addFiles(paths, { database, options });
    expect(counts).toEqual(countsOf({ read: 2, skipped: 2, skippedBy: { without_id: 2 } }));
    expect(problems).toEqual([
      'file:1: skipped: there is no id',
      'file:2: skipped: there is no id',
    ]);
    expectSound(database, { documents: 0, sentences: 0 });
  });

  it.each<[what: string, args: string[], code: number, message: string]>([
    ['a path that is not there', ['missing'], 1, 'verbatim: cannot read missing: ENOENT'],
    [
      'a good path and one that is not there',
      ['package.json', 'missing'],
      1,
      'cannot read missing',
    ],
    [
      'an unknown format',
      ['package.json', '--format', 'xls'],
      2,
      'no format "xls"; known are pubmed, ',
    ],
    ['no threads', ['package.json', '--threads', '0'], 2, 'must be a whole number of at least 1'],
  ])('are rejected before anything is written: %s', async (_, args, code, message) => {
    const { database } = await files({});
    const { stdout, stderr } = await runCommand(['index', 'add', ...args, '--db', database], {
      code,
    });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    await expect(access(database)).rejects.toThrow('ENOENT');
  });

  it('fails for a file that is not a database and leaves it unchanged', async () => {
    const { folder, paths } = await files({ file: jsonLines([GOOD]) });
    const database = join(folder, 'papers.txt');
    await writeFile(database, 'These are notes, and no database at all. '.repeat(50));
    const args = ['index', 'add', ...paths, '--db', database];
    const { stderr } = await runCommand(args, { code: 1 });
    expect(stderr).toContain(`verbatim: cannot use ${database} as a database: `);
  });
});

async function files(contents: Readonly<Record<string, Content>>) {
  const folder = await scratchFolder();
  const paths = await writeFiles(folder, contents);
  return { folder, paths, database: join(folder, 'index.db') };
}

function matching(expected: string | RegExp): unknown {
  return typeof expected === 'string' ? expected : expect.stringMatching(expected);
}

/** A line with a document of two sentences. */
function documents(id: string): string {
  return jsonLines([{ ...GOOD, id }]);
}

function contentsOf(rows: readonly [string, Content, unknown][]): Record<string, Content> {
  return Object.fromEntries(rows.map(([what, content]) => [what, content]));
}

/** Bytes that look random, the same in each run. */
function rubbish(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 12345;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

function damaged(content: Buffer): Buffer {
  const copy = Buffer.from(content);
  copy.fill(0xff, Math.floor(copy.length / 2), Math.floor(copy.length / 2) + 64);
  return copy;
}

/** A document, one whose title alone has that many bytes, and another document. */
async function writeLongLine(path: string, bytes: number): Promise<void> {
  const stream = createWriteStream(path);
  stream.write(jsonLines([GOOD]));
  stream.write('{"id": "long", "title": "');
  const piece = Buffer.alloc(1024 * 1024, 'a');
  for (let written = 0; written < bytes; written += piece.length) stream.write(piece);
  stream.end(`"}\n${jsonLines([{ ...GOOD, id: 'last' }])}`);
  await new Promise<void>((resolve) => stream.once('close', () => resolve()));
}

function toBuffer(part: string | Buffer | undefined): Buffer {
  return Buffer.from(part ?? '');
}
