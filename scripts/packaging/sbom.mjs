/**
 * The software bill of materials (CycloneDX) of the single file: what `npm sbom` knows of the packages that
 * are in the file, and the parts that npm does not know. It has no time and no random number, so that the
 * same build gives the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { processors } from './assemble.mjs';

/** Where it lies among the parts. `verbatim licenses --sbom` prints it. */
export const SBOM_FILE = 'app/sbom.cdx.json';

/**
 * Returns the text. `top` is the source tree, `delivered` the entries of licenses.json. The tools are
 * those of this machine, whose versions decide on the bytes of the file.
 */
export function sbomText({ top, arch, version, commit, delivered }) {
  // Not --omit=dev: npm then also omits what a package needs that is needed for development, too.
  const options = ['--sbom-format', 'cyclonedx', '--package-lock-only'];
  const known = JSON.parse(
    execFileSync('npm', ['sbom', ...options], {
      cwd: top,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    }),
  );
  const refOf = (part) => `${part.name}@${part.version}`;
  const byRef = new Map(known.components.map((component) => [component['bom-ref'], component]));
  const components = delivered.map((part) => {
    const component = byRef.get(refOf(part));
    if (component === undefined) return describePart(part);
    // An alias in the lock file is no name.
    return { ...component, name: part.name, scope: 'required' };
  });
  const refs = new Set(delivered.map(refOf));
  const own = `verbatim@${version}`;
  const dependencies = known.dependencies
    .filter(({ ref }) => ref === own || refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  const component = {
    'bom-ref': own,
    type: 'application',
    name: 'verbatim',
    version,
    properties: [{ name: 'commit', value: commit }],
  };
  const { $schema, bomFormat, specVersion } = known;
  const metadata = { tools: toolsOf(arch), component };
  const sbom = { $schema, bomFormat, specVersion, version: 1, metadata, components, dependencies };
  return `${JSON.stringify(sbom, null, 1)}\n`;
}

/** The compiler and xz of this machine. */
function toolsOf(arch) {
  const { compiler } = processors[arch];
  return [compiler, 'xz'].map((name) => ({ name, version: firstLine(name) }));
}

function firstLine(program) {
  return execFileSync(program, ['--version'], { encoding: 'utf8' }).split('\n', 1)[0];
}

function describePart({ name, version, license }) {
  const licenses = [{ license: { name: license } }];
  return { 'bom-ref': `${name}@${version}`, type: 'library', name, version, licenses };
}
