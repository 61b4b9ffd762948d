/** Where the packages of a lock file come from, what they may run, and what is known against them. Pure. */

const STRONG_HASH = /^sha512-/;
const MODULES = 'node_modules/';

export interface LockFile {
  packages: Record<string, LockedPackage>;
}

interface LockedPackage {
  link?: boolean;
  inBundle?: boolean;
  resolved?: string;
  integrity?: string;
  hasInstallScript?: boolean;
}

/**
 * Returns the number of packages, and one sentence for each that has no strong integrity hash, names
 * a source of its own, or has an install script that `allowScripts` does not name. The lock file
 * names no registry (`omit-lockfile-registry-resolved`), so a package that names a source is not
 * from there.
 */
export function checkLockFile(
  { packages }: LockFile,
  { allowScripts = {} }: { allowScripts?: Record<string, boolean> },
): { packages: number; wrong: string[] } {
  const entries = Object.entries(packages).filter(
    ([path, { link, inBundle }]) => path.startsWith(MODULES) && !link && !inBundle,
  );
  const wrong = entries.flatMap(([path, { resolved, integrity = '', hasInstallScript }]) => {
    const name = path.slice(path.lastIndexOf(MODULES) + MODULES.length);
    const problems: string[] = [];
    if (!STRONG_HASH.test(integrity)) problems.push('has no sha512 integrity hash');
    if (resolved !== undefined) problems.push(`comes from ${resolved}, not from the registry`);
    if (hasInstallScript && !(name in allowScripts)) {
      problems.push('has an install script; name it in "allowScripts" of package.json');
    }
    return problems.map((problem) => `${name} ${problem}`);
  });
  return { packages: entries.length, wrong };
}

/** What `npm audit --json` prints. */
interface AuditAnswer {
  statusCode?: number;
  error?: { summary?: string };
  vulnerabilities?: Record<string, Vulnerability>;
}

interface Vulnerability {
  name: string;
  severity: string;
  range: string;
  via: (string | { title: string })[];
}

/**
 * Returns one sentence for each vulnerable package. `unanswered` says why the registry told nothing;
 * it is undefined if it did.
 */
export function readAdvisories(printed: string): {
  advisories: string[];
  unanswered: string | undefined;
} {
  let answer: AuditAnswer;
  try {
    answer = JSON.parse(printed);
  } catch {
    return { advisories: [], unanswered: 'npm audit printed no JSON' };
  }
  if (answer.vulnerabilities === undefined) {
    const status = answer.statusCode === undefined ? undefined : `status ${answer.statusCode}`;
    return { advisories: [], unanswered: status ?? answer.error?.summary ?? 'no list' };
  }
  const advisories = Object.values(answer.vulnerabilities).map(({ name, severity, range, via }) => {
    const titles = via.flatMap((cause) => (typeof cause === 'string' ? [] : [cause.title]));
    return `${name} ${range}, ${severity}: ${titles.join('; ') || `through ${via.join(', ')}`}`;
  });
  return { advisories, unanswered: undefined };
}
