/** Runs README's commands on the sample in a shell, and draws what was typed and printed: .github/terminal.svg. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeText } from 'entities';
import { bundlePath, samplePath } from '../src/settings/bundle.ts';
import { exampleQuestion } from '../src/settings/example.ts';
import { freePort } from './measure/free-port.ts';
import type { Outcome } from './measure/report.ts';
import { defineMeasurement } from './measure/run.ts';
import { sourcePath } from './measure/sample.ts';
import { inTemporaryFolder } from './measure/temporary-folder.ts';

const PICTURE = '.github/terminal.svg';
const COLUMNS = 118;
/** In pixels; the width is that of the usual monospaced fonts at 13 pixels. */
const [CELL_WIDTH, LINE_HEIGHT, MARGIN] = [7.8, 19, 16];
/** Between two commands in what the shell prints. */
const SEPARATOR = '\x1e';

/** Lines of the shell as they are typed. papers.jsonl has the sample's abstracts. */
const commands = [
  'verbatim index add papers.jsonl',
  `verbatim search "${exampleQuestion}" --limit 2`,
  'verbatim customer add ada@example.org --credits 1000 | head -1',
  'VERBATIM_KEY=$(verbatim key create ada@example.org | tail -1)',
  'verbatim serve 2>log &',
  `curl -s http://localhost:8080/v1/search -H "Authorization: Bearer $VERBATIM_KEY" \\
  -H 'Content-Type: application/json' -d '{"query": "${exampleQuestion}", "limit": 1}'; echo`,
  'verbatim credit audit',
];

export interface Typed {
  command: string;
  printed: string;
}

export const measurement = defineMeasurement({
  options: {},
  notes: `Writes ${PICTURE}. Needs curl.`,
  run: () => inTemporaryFolder('terminal', record),
});

async function record(folder: string): Promise<Outcome> {
  const papers = readdirSync(samplePath()).map((name) => readFileSync(join(samplePath(), name)));
  writeFileSync(join(folder, 'papers.jsonl'), Buffer.concat(papers));
  const port = await freePort();
  // Port 8080 may be in use here.
  writeFileSync(join(folder, '.curlrc'), `connect-to = "localhost:8080:127.0.0.1:${port}"\n`);
  const program = `#!/bin/sh\nexec "${process.execPath}" "${bundlePath()}" "$@"\n`;
  writeFileSync(join(folder, 'verbatim'), program, { mode: 0o755 });
  const script = [
    'exec 2>&1; trap "kill %1; wait" EXIT',
    ...commands.flatMap((command) => [
      command,
      command.endsWith('&') ? 'until verbatim health >/dev/null 2>&1; do sleep 1; done' : '',
      `printf '\\x1e'`,
    ]),
  ];
  const env = {
    ...process.env,
    PATH: `${folder}:${process.env['PATH']}`,
    VERBATIM_CONFIG: 'none',
    VERBATIM_HOST: '127.0.0.1',
    VERBATIM_PORT: String(port),
    VERBATIM_METRICS_PORT: '0',
    CURL_HOME: folder,
  };
  const options = { cwd: folder, env, encoding: 'utf8' } as const;
  const printed = execFileSync('bash', ['-c', script.join('\n')], options).split(SEPARATOR);
  const typed = commands.map((command, at) => ({ command, printed: printed[at] ?? '' }));
  writeFileSync(sourcePath(PICTURE), drawTerminal(typed));
  return { report: { typed }, shown: [PICTURE] };
}

/** Returns an SVG of a terminal in which the commands were typed, light or dark as the reader's page. */
export function drawTerminal(typed: readonly Typed[]): string {
  const lines = typed.flatMap(({ command, printed }) => [
    ...command
      .split('\n')
      .map((text, at) => ({ kind: 'typed', text: `${at ? '>' : '$'} ${text}` })),
    ...wrap(printed.trimEnd()).map((text) => ({ kind: 'printed', text })),
    ...(printed === '' ? [] : [{ kind: 'printed', text: '' }]),
  ]);
  lines.pop();
  const width = COLUMNS * CELL_WIDTH + 2 * MARGIN;
  const height = lines.length * LINE_HEIGHT + 2 * MARGIN;
  const rows = lines.flatMap(({ kind, text }, at) => {
    if (text === '') return [];
    const y = MARGIN + (at + 0.75) * LINE_HEIGHT;
    // The length is that of a terminal, whatever font the reader has.
    const length = (text.length * CELL_WIDTH).toFixed(1);
    return `  <text class="${kind}" x="${MARGIN}" y="${y}" textLength="${length}">${escapeText(text)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" role="img" aria-label="A terminal in which verbatim indexes the sample, searches, and serves" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">
  <style>
    rect { fill: #f6f8fa; stroke: #d0d7de; }
    text { white-space: pre; }
    .printed { fill: #1f2328; }
    .typed { fill: #0550ae; font-weight: 600; }
    @media (prefers-color-scheme: dark) {
      rect { fill: #161b22; stroke: #30363d; }
      .printed { fill: #e6edf3; }
      .typed { fill: #79c0ff; }
    }
  </style>
  <rect x="0.5" y="0.5" width="${(width - 1).toFixed(0)}" height="${height - 1}" rx="8"/>
${rows.join('\n')}
</svg>
`;
}

/** Breaks lines where a terminal does: after the last column. */
function wrap(text: string): string[] {
  if (text === '') return [];
  return text
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${COLUMNS}}`, 'gu')) ?? ['']);
}
