/** Checks where the packages of a lock file come from, and what they may run. Pure. */

const STRONG_HASH = /^sha512-/;

/**
 * Returns the number of packages, and one sentence for each that has no strong integrity hash, names
 * a source of its own, or has an install script that `allowScripts` does not name. The lock file
 * names no registry (`omit-lockfile-registry-resolved`), so a package that names a source is not
 * from there.
 */
export function checkLockFile({ packages }, { allowScripts = {} }) {
  const entries = Object.entries(packages).filter(
    ([path, { link, inBundle }]) => path.startsWith('node_modules/') && !link && !inBundle,
  );
  const wrong = entries.flatMap(([path, { resolved, integrity = '', hasInstallScript }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const problems = [];
    if (!STRONG_HASH.test(integrity)) problems.push('has no sha512 integrity hash');
    if (resolved !== undefined) problems.push(`comes from ${resolved}, not from the registry`);
    if (hasInstallScript && !(name in allowScripts)) {
      problems.push('has an install script; name it in "allowScripts" of package.json');
    }
    return problems.map((problem) => `${name} ${problem}`);
  });
  return { packages: entries.length, wrong };
}
