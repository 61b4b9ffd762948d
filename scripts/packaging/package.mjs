/**
 * Makes the single file, and on request the Debian package around it.
 *
 *   npm run package -- [--arch x64|arm64] [--debian] [--quick]
 *   npm run package -- --verify FILE [--quick]    builds again elsewhere; exits with 1 if bytes differ
 *   npm run package -- --sign KEY                 signs what is in dist/
 *
 *   dist/verbatim-linux-x64            the file
 *   dist/verbatim-linux-x64.cdx.json   what is in it
 *   dist/verbatim_0.3.0_amd64.deb      with --debian
 *   dist/SHA256SUMS, SHA256SUMS.sig    with --sign
 *
 * `--quick` packs fast and badly, for tests of the file. Everything is built in a folder of its own;
 * dist/ stays as it is, except for the results.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildInto, commit } from '../../build.mjs';
import { isElf } from '../uwebsockets/elf.mjs';
import { addProgram, assembleFile, compileUnpacker, processors } from './assemble.mjs';
import { buildDebianPackage } from './debian.mjs';
import { refuseNewerSymbols, withoutSections } from './elf-check.mjs';
import { fetchPackage } from './fetch-package.mjs';
import { SBOM_FILE, sbomText } from './sbom.mjs';
import { signFolder } from './sign.mjs';
import { verifyFile } from './verify.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const top = resolve(here, '../..');
/** Node 24's: process.versions.modules. The name of uWebSockets' binary has it. */
const ABI = '137';
/** xz's presets. 9 is the tightest that takes bearable time. */
const PRESETS = { tight: 9, quick: 0 };

const { values: options } = parseArgs({
  options: {
    arch: { type: 'string', default: process.arch },
    out: { type: 'string', default: join(top, 'dist') },
    debian: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    verify: { type: 'string' },
    sign: { type: 'string' },
  },
});
if (!(options.arch in processors)) {
  console.error(`package: --arch must be ${Object.keys(processors).join(' or ')}`);
  process.exit(2);
}
const work = mkdtempSync(join(tmpdir(), 'verbatim-package-'));
try {
  if (options.verify !== undefined) verify(options);
  else if (options.sign !== undefined) sign(options);
  else await makePackage(options);
} catch (error) {
  console.error(`package: ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

function verify({ verify: file, quick }) {
  const differences = verifyFile(file, { top, work, options: quick ? ['--quick'] : [] });
  for (const line of differences) console.log(line);
  if (differences.length > 0) throw new Error(`${file} differs from what this commit makes here`);
  console.log(`${file} is what this commit makes, byte for byte`);
}

function sign({ sign: key, out }) {
  console.log(`${join(out, 'SHA256SUMS')} is signed. For allowed_signers:`);
  console.log(signFolder(out, key, top));
}

async function makePackage({ arch, out, debian, quick }) {
  const { version } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
  const seconds = commitSeconds();
  const parts = join(work, 'parts');
  await stageParts(parts, arch);
  const delivered = JSON.parse(readFileSync(join(parts, 'app/licenses.json'), 'utf8'));
  const sbom = join(parts, SBOM_FILE);
  writeFileSync(sbom, sbomText({ top, arch, version, commit: commit(), delivered }));
  const unxz = compileUnpacker(arch, work);
  refuseNewerSymbols(readFileSync(unxz), unxz);
  mkdirSync(out, { recursive: true });
  const file = join(out, `verbatim-linux-${arch}`);
  const preset = quick ? PRESETS.quick : PRESETS.tight;
  assembleFile({ parts, unxz, file, work, version, arch, seconds, preset });
  copyFileSync(sbom, `${file}.cdx.json`);
  report(file);
  if (!debian) return;
  const named = { version, arch: processors[arch].debian, seconds };
  report(await buildDebianPackage({ file, sbom, out, work, ...named }));
}

/** Fills the folder with Node and the program. */
async function stageParts(parts, arch) {
  const inputs = JSON.parse(readFileSync(join(here, 'inputs.json'), 'utf8'));
  const fetched = join(work, 'fetched');
  const input = inputs.node[arch];
  const node = fetchPackage(input, fetched, ['package/bin/node', 'package/LICENSE']);
  addProgram(join(node, 'bin/node'), parts, 'node');

  // npm does not install it on Node 20.
  const { packages } = JSON.parse(readFileSync(join(top, 'package-lock.json'), 'utf8'));
  const { version, integrity } = packages['node_modules/better-sqlite3-13'];
  const sqlite = { package: 'better-sqlite3', version, integrity };
  const folders = { 'better-sqlite3': fetchPackage(sqlite, fetched) };
  const vectors = `sqlite-vec-linux-${arch}`;
  if (vectors in inputs) folders[vectors] = fetchPackage(inputs[vectors], fetched);
  const publicDomain = join(top, 'scripts/licenses/public-domain.txt');
  const liblzma = { version: 'of the unpacker', license: 'public domain', file: publicDomain };
  const others = [
    { name: 'Node.js', version: input.version, license: 'MIT', file: join(node, 'LICENSE') },
    { name: 'liblzma', ...liblzma },
  ];
  const target = { platform: 'linux', arch, abi: ABI };
  await buildInto(join(parts, 'app'), target, { folders, parts: others });
  prepareNativeParts(parts);
}

/** Checks and strips every native part. Throws if one is missing or does not fit. */
function prepareNativeParts(parts) {
  const natives = readdirSync(parts, { recursive: true })
    .map((name) => join(parts, name))
    .filter((path) => statSync(path).isFile() && isElf(readFileSync(path)));
  for (const needed of [
    /bin\/node$/,
    /better-sqlite3\/prebuilds\/[^/]+\.node$/,
    /vec0\.so$/,
    /libonnxruntime\.so/,
    /onnxruntime_binding\.node$/,
    /tokenizers\.[^/]+\.node$/,
    /uws_[^/]+\.node$/,
  ]) {
    if (!natives.some((path) => needed.test(path))) throw new Error(`no part matches ${needed}`);
  }
  for (const path of natives) {
    const bytes = readFileSync(path);
    refuseNewerSymbols(bytes, path);
    writeFileSync(path, withoutSections(bytes));
  }
}

/** When the commit was made, in seconds: the time stamp of everything, so that builds are alike. */
function commitSeconds() {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given !== undefined) return Number(given);
  try {
    const options = { cwd: top, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return Number(execFileSync('git', ['log', '-1', '--format=%ct'], options));
  } catch {
    return 0;
  }
}

function report(path) {
  console.log(`${path}  ${(statSync(path).size / 1e6).toFixed(1)} MB`);
}
