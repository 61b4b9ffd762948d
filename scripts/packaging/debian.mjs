/** Builds the Debian package: the single file as /usr/bin/verbatim, and a systemd unit. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { importSource } from '../import-source.mjs';

const here = dirname(fileURLToPath(import.meta.url));
/** Whoever builds the package, by the variables of Debian's own tools. */
const { DEBFULLNAME = 'Verbatim', DEBEMAIL = 'verbatim@example.org' } = process.env;
const TIGHT = { level: 9 };
const MAINTAINER = `${DEBFULLNAME} <${DEBEMAIL}>`;

/**
 * Writes the package into the folder `out` and returns its path. `arch` is Debian's name of the
 * processor, `sbom` the file's bill of materials, `seconds` the time stamp of everything inside.
 */
export async function buildDebianPackage({ file, sbom, out, work, version, arch, seconds }) {
  const root = join(work, 'debian');
  const add = (source, path, mode) => {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(source, target);
    chmodSync(target, mode);
  };
  add(file, 'usr/bin/verbatim', 0o755);
  const write = (path, content) => {
    const source = join(work, 'content');
    writeFileSync(source, content);
    add(source, path, 0o644);
  };
  for (const { name, text } of await unitFiles()) write(`usr/lib/systemd/system/${name}`, text);
  add(join(here, 'copyright'), 'usr/share/doc/verbatim/copyright', 0o644);
  add(sbom, 'usr/share/doc/verbatim/sbom.cdx.json', 0o644);
  write(
    'usr/share/doc/verbatim/changelog.gz',
    gzipSync(changelogText({ version, seconds }), TIGHT),
  );
  write(
    'usr/share/man/man1/verbatim.1.gz',
    gzipSync(readFileSync(join(here, 'verbatim.1')), TIGHT),
  );
  for (const script of ['postinst', 'prerm', 'postrm']) {
    add(join(here, 'debian', script), `DEBIAN/${script}`, 0o755);
  }
  const kilobytes = Math.ceil(statSync(file).size / 1024);
  writeFileSync(join(root, 'DEBIAN/control'), controlText({ version, arch, kilobytes }));
  // Folders keep the mode that umask gives them otherwise.
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', root]);
  const path = join(out, `verbatim_${version}_${arch}.deb`);
  // The file is packed already. Debian wants the package packed all the same, so this takes the fastest way.
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Zgzip', '-z1', root, path], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return path;
}

/** Returns the units that `verbatim init --systemd` writes, from the same TypeScript, for the default port. */
async function unitFiles() {
  const setup = (name) => importSource(`src/commands/setup/${name}.ts`);
  const { packagedUnit } = await setup('packaged-unit');
  const { systemdTimers } = await setup('systemd-timers');
  const { systemdUnit } = await setup('systemd-unit');
  const server = { name: 'verbatim.service', text: systemdUnit(packagedUnit) };
  return [server, ...systemdTimers(packagedUnit)];
}

/** What Debian's policy asks for. The changes themselves are in .github/CHANGELOG.md. */
function changelogText({ version, seconds }) {
  const date = new Date(seconds * 1000).toUTCString().replace('GMT', '+0000');
  return `verbatim (${version}) unstable; urgency=medium\n\n  * Version ${version}.\n\n -- ${MAINTAINER}  ${date}\n`;
}

/** The fields of Debian's policy. */
function controlText({ version, arch, kilobytes }) {
  return `Package: verbatim
Version: ${version}
Architecture: ${arch}
Maintainer: ${MAINTAINER}
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.36), libstdc++6, libgcc-s1
Recommends: ca-certificates
Section: web
Priority: optional
Description: literature search that quotes the sentence that answers
 A self-hosted literature search service: ask in plain words and get the
 one sentence of each paper that answers, word for word. It is one process
 and one SQLite file.
`;
}
