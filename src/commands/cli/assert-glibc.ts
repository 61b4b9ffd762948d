/** Native parts need a new enough C library. Without it they fail one by one, after files were made. */
import { VerbatimError } from '../../errors.ts';

/** That of Debian 12. The head of the single file asks for the same one. */
const LEAST = { major: 2, minor: 36 };

/** Throws `system_too_old` on Linux with another C library than glibc, or an older one. */
export function assertGlibc(): void {
  if (process.platform !== 'linux') return;
  const { header } = process.report.getReport() as unknown as ReportWithGlibc;
  const { glibcVersionRuntime: version } = header;
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  if (major > LEAST.major || (major === LEAST.major && minor >= LEAST.minor)) return;
  const has = version === undefined ? 'has no glibc' : `has glibc ${version}`;
  throw new VerbatimError(
    'system_too_old',
    `this system ${has}, and Verbatim needs glibc ${LEAST.major}.${LEAST.minor} or later (Debian 12, Ubuntu 24.04)`,
  );
}

/** The part of Node's report that is read here. musl has no version. */
interface ReportWithGlibc {
  header: { glibcVersionRuntime?: string };
}
