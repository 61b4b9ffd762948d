/**
 * Collects the licenses of everything that a build contains: packages in the bundle, packages beside
 * it, and parts that are no packages. A part without a license text fails the build.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const LICENSE_FILE = /^(licen[cs]e|copying|unlicense)(\.\w+|-\w+)*$/i;

const standardTexts = {
  MIT: readFileSync(join(here, 'MIT.txt'), 'utf8'),
  ISC: readFileSync(join(here, 'ISC.txt'), 'utf8'),
  // The model's notice stands before the license.
  'Apache-2.0': readFileSync(join(here, '../../models/verbatim-MiniLM-L6/LICENSE'), 'utf8').replace(
    /^[\s\S]*?(?=^ +Apache License$)/m,
    '',
  ),
};

/**
 * Packages without a license file: the license that their package.json states, under the name of the
 * author that it states.
 */
const withoutFile = JSON.parse(readFileSync(join(here, 'without-file.json'), 'utf8'));

/**
 * Returns one entry per package or part, sorted by name: name, version, license, and the texts.
 * Throws if a package has no license text.
 *
 * @param {object} sources
 * @param {string} sources.top the source tree
 * @param {import('esbuild').Metafile} sources.metafile what is in the bundle
 * @param {string[]} sources.folders the folders of the packages beside the bundle
 * @param {{ name: string, version: string, license: string, file: string }[]} sources.parts others
 */
export function collectLicenses({ top, metafile, folders, parts }) {
  const packages = [...new Set([...bundledFolders(top, metafile), ...folders])].map(
    describePackage,
  );
  const others = parts.map(({ file, ...part }) => ({ ...part, text: readFileSync(file, 'utf8') }));
  const entries = new Map();
  for (const entry of [...packages, ...others]) {
    entries.set(`${entry.name} ${entry.version}`, { ...entry, text: entry.text.trim() });
  }
  return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The folders of the packages from which code is in the bundle. */
function bundledFolders(top, metafile) {
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const folders = used.flatMap((path) => {
    const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
    return folder === undefined ? [] : [join(top, folder)];
  });
  return [...new Set(folders)];
}

function describePackage(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version } = manifest;
  // Some packages still use the list of older versions of npm.
  const license = manifest.license ?? manifest.licenses?.[0]?.type;
  const text = readTexts(folder) ?? standardText(name);
  if (text === undefined || license === undefined) {
    throw new Error(`${name} has no license text; add it to scripts/licenses/without-file.json`);
  }
  return { name, version, license, text };
}

function readTexts(folder) {
  const files = readdirSync(folder)
    .filter((file) => LICENSE_FILE.test(file))
    .sort();
  if (files.length === 0) return undefined;
  return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
}

/** The text of a standard license under the package's copyright line. */
function standardText(name) {
  const known = withoutFile[name];
  if (known === undefined) return undefined;
  return `${known.copyright}\n\n${standardTexts[known.text]}`;
}
