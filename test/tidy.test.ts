/** The house rules that neither the linter nor knip can hold, as tests over the source tree. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const top = resolve(import.meta.dirname, '..');

interface SourceFile {
  path: string;
  text: string;
}

function filesUnder(folder: string): SourceFile[] {
  return readdirSync(join(top, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      // What is loaded only when it is needed is imported all the same.
      const text = readFileSync(path, 'utf8').replaceAll("import('", "from '");
      return { path: relative(top, path), text };
    });
}

const sources = filesUnder('src');
const everything = [...sources, ...filesUnder('test'), ...filesUnder('scripts')];

/** Paths, with line numbers, where the pattern stands outside of the allowed files. */
function found(pattern: RegExp, isAllowed: (path: string) => boolean): string[] {
  return sources
    .filter(({ path }) => !isAllowed(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
    );
}

function importsOf({ path, text }: SourceFile): string[] {
  return [...text.matchAll(/from '(\.[^']+)'/g)].map((match) =>
    relative(top, resolve(top, path, '..', match[1] as string)),
  );
}

describe('each outside part is known to one place', () => {
  const rules: [what: string, pattern: RegExp, allowed: RegExp][] = [
    [
      'SQL',
      /\.(prepare|pragma|loadExtension)\(|\bdb\.exec\(/,
      /^src\/(accounts|commands\/file-check|database|index|lanes\/records)\//,
    ],
    [
      'better-sqlite3',
      /from 'better-sqlite3'/,
      /^src\/(accounts\/sqlite|database|index|lanes\/records)\//,
    ],
    [
      "PostgreSQL's library",
      /from 'pg'/,
      /^src\/(database\/postgres\/(address-parts|postgres-database|reset-connection)|accounts\/postgres\/postgres-answer-check)\.ts$/,
    ],
    // Pages, HTTP, and metrics ask through ports, whatever database an installation has.
    [
      ...(['a connection'] as const),
      /from '.*\/sqlite\/connection\.ts'/,
      /^src\/(accounts|commands|database|index|lanes\/records)\//,
    ],
    ['sqlite-vec', /from 'sqlite-vec'/, /^src\/database\/sqlite\/connect\.ts$/],
    ['the stemmer', /from 'stemmer'/, /^src\/text\/terms?\b/],
    ['WebAssembly', /\.WebAssembly\b|: WebAssembly/, /^src\/vectors\/wasm\.ts$/],
    ['the ONNX runtime', /from 'onnxruntime/, /^src\/text\/embed\/onnx-session\.ts$/],
    ['the tokenizer', /from 'tokenizers'/, /^src\/text\/embed\/tokenizer\.ts$/],
    [
      'the web framework',
      /from 'hyper-express'/,
      /^src\/http\/(server|hand-on-connections|read-body|send-response)\.ts$/,
    ],
    ["Stripe's library", /from 'stripe'/, /^src\/accounts\/payments\/stripe(-cards)?\.ts$/],
    // library-environment.ts sets a variable and reads none; in the last file it is the text of an example.
    [
      ...(['the environment', /process\.env/] as const),
      /^src\/(settings\/config|commands\/library-environment|dashboard\/docs\/typescript-examples)\.ts$/,
    ],
    ['the exit code', /process\.exit/, /^src\/main\.ts$/],
    [
      ...(['the renderer of pages', /from 'preact-render-to-string'/] as const),
      /^src\/dashboard\/page\/render-document\.ts$/,
    ],
    ['preact', /from 'preact/, /^src\/dashboard\//],
    ['the QR library', /from 'qr'/, /^src\/dashboard\/components\/qr-code\.tsx$/],
    ['the metrics library', /from 'prom-client'/, /^src\/metrics\//],
    ['the mail library', /from 'nodemailer'/, /^src\/accounts\/mail\.ts$/],
    ['commander', /from 'commander'/, /^src\/commands\//],
    ['signatures of S3', /from 'aws4fetch'/, /^src\/index\/object-storage\/send-signed\.ts$/],
    ['the HTTP client', /from 'undici'/, /^src\/lanes\/transport\/http-client\.ts$/],
    ['the parser of tables', /from 'csv-parse/, /^src\/ingest\/plain-text\/table\.ts$/],
    ['zstd', /from 'fzstd'/, /^src\/ingest\/read\/unzstd\.ts$/],
    ['bzip2', /from 'unbzip2-stream\//, /^src\/ingest\/read\/bunzip2\.ts$/],
    ['xz', /from 'xz-decompress'/, /^src\/ingest\/read\/unxz\.ts$/],
    ['tar', /from 'tar-stream'/, /^src\/ingest\/read\/tar\.ts$/],
    ['zip', /from 'yauzl'/, /^src\/ingest\/read\/zip\.ts$/],
    ['zip that is written', /from 'yazl'/, /^src\/accounts\/write-zip\.ts$/],
    ['patterns of files', /from 'tinyglobby'/, /^src\/ingest\/read\/list-files\.ts$/],
    ['patterns of paths', /from 'picomatch'/, /^src\/ingest\/read\/exclude\.ts$/],
    ['the TeX parser', /from '@retorquere\/bibtex-parser'/, /^src\/ingest\/values\/tex\.ts$/],
    // What services send is one small answer; files are read in pieces, and a bad record is passed over.
    ['the XML parser', /from 'saxes'/, /^src\/(text\/xml-tree|ingest\/xml\/read-records)\.ts$/],
    // Of files every word is kept; of what lanes send, headings and code are dropped.
    [
      ...(['the names of characters', /from 'entities'/] as const),
      /^src\/(lanes\/text\/plain-text|ingest\/values\/markup|ingest\/xml\/named-characters)\.ts$/,
    ],
    ['the MCP library', /from '@modelcontextprotocol\//, /^src\/mcp\//],
    ['worker threads', /from '(piscina|node:worker_threads)'/, /^src\/(workers\/|main\.ts)/],
  ];
  it.each(rules)('%s', (_what, pattern, allowed) => {
    expect(found(pattern, (path) => allowed.test(path))).toEqual([]);
    expect(sources.some(({ path, text }) => allowed.test(path) && pattern.test(text))).toBe(true);
  });
});

describe('imports point one way', () => {
  /** The rooms of src. A room may import only those before it in this list, and files at the top. */
  const rooms = [
    ...['client', 'identity', 'settings', 'vectors', 'database', 'workers', 'text', 'index'],
    ...[
      'accounts',
      'search',
      'ingest',
      'verify',
      'lanes',
      'sources',
      'http',
      'metrics',
      'dashboard',
      'mcp',
    ],
    'commands',
  ];
  const roomOf = (path: string): string => /^src\/([\w-]+)\//.exec(path)?.[1] ?? '';

  it('in no circle between folders', () => {
    const script = join(top, 'scripts/structure.mjs');
    const { folderCircles, files } = JSON.parse(
      execFileSync(process.execPath, [script, '--json'], { encoding: 'utf8' }),
    );
    expect(files).toBe(sources.filter(({ path }) => !path.endsWith('.mjs')).length);
    expect(folderCircles).toEqual([]);
  });

  it('knows every room', () => {
    const found = new Set(sources.map(({ path }) => roomOf(path)));
    expect([...found].sort()).toEqual(['', ...rooms].sort());
  });

  it.each(rooms)('from %s', (room) => {
    const below = rooms.slice(0, rooms.indexOf(room) + 1);
    const wrong = sources
      .filter(({ path }) => roomOf(path) === room)
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => !['', ...below].includes(roomOf(target)))
          .map((target) => `${file.path} -> ${target}`),
      );
    expect(wrong).toEqual([]);
  });
});

describe('bounds that several folders share', () => {
  it.each(['CREDITS_MAX', 'NAME_CHARACTERS_MAX'])('%s has one definition', (name) => {
    const definition = new RegExp(`^(export )?const ${name}\\b`);
    expect(found(definition, () => false)).toHaveLength(1);
  });
});

describe('nothing is left over', () => {
  it('no note to come back to', () => {
    expect(found(/\b(TODO|FIXME|XXX|HACK)\b/, () => false)).toEqual([]);
  });

  it('no object literal is spread where its fields could stand', () => {
    const spread = everything.filter(({ text }) => /\.\.\.\{ ?\w/.test(text));
    expect(spread.map(({ path }) => path)).toEqual([]);
  });
});
