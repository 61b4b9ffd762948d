/** Builds the Debian package: the single file as /usr/bin/verbatim, and a systemd unit. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));

/**
 * Writes the package into the folder `out` and returns its path. `arch` is Debian's name of the
 * processor, `seconds` the time stamp of everything inside.
 */
export async function buildDebianPackage({ file, out, work, version, arch, seconds }) {
  const root = join(work, 'debian');
  const add = (source, path, mode) => {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(source, target);
    chmodSync(target, mode);
  };
  add(file, 'usr/bin/verbatim', 0o755);
  const unit = join(work, 'verbatim.service');
  writeFileSync(unit, await unitText());
  add(unit, 'usr/lib/systemd/system/verbatim.service', 0o644);
  add(join(here, 'copyright'), 'usr/share/doc/verbatim/copyright', 0o644);
  for (const script of ['postinst', 'prerm', 'postrm']) {
    add(join(here, 'debian', script), `DEBIAN/${script}`, 0o755);
  }
  const kilobytes = Math.ceil(statSync(file).size / 1024);
  writeFileSync(join(root, 'DEBIAN/control'), controlText({ version, arch, kilobytes }));
  // Folders keep the mode that umask gives them otherwise.
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', root]);
  const path = join(out, `verbatim_${version}_${arch}.deb`);
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Znone', root, path], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return path;
}

/** Returns the unit that `verbatim init --systemd` writes, from the same TypeScript, for the default port. */
async function unitText() {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { systemdUnit } from './setup/systemd-unit.ts';
        export { serviceSettings } from './settings/service.ts';`,
      resolveDir: join(here, '../../src'),
    },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const source = Buffer.from(outputFiles[0].contents).toString('base64');
  const { systemdUnit, serviceSettings } = await import(`data:text/javascript;base64,${source}`);
  return systemdUnit({
    command: ['/usr/bin/verbatim'],
    settingsFile: '/etc/verbatim/verbatim.conf',
    port: serviceSettings.port.value,
    drainTimeoutMs: serviceSettings.drainTimeoutMs.value,
  });
}

/** The fields of Debian's policy. The file is packed already, so the package is not packed again. */
function controlText({ version, arch, kilobytes }) {
  return `Package: verbatim
Version: ${version}
Architecture: ${arch}
Maintainer: Verbatim <verbatim@localhost>
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.36), libstdc++6, libgcc-s1
Recommends: ca-certificates
Section: web
Priority: optional
Description: literature search that quotes the sentence that answers
 A self-hosted literature search service: ask in plain words and get the one sentence of
 each paper that answers, word for word. One process, one SQLite file.
`;
}
