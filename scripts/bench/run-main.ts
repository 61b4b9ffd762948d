/** How a script ends when it fails. */
import { detailsOf, VerbatimError } from '../../src/errors.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** Runs a script. Prints what it throws after its name, and sets the exit code: 2 for wrong usage. */
export async function runMain(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isUsage = error instanceof VerbatimError && error.code === 'usage';
    process.stderr.write(`${name}: ${isUsage ? error.message : detailsOf(error)}\n`);
    process.exitCode = isUsage ? EXIT_USAGE : EXIT_FAILED;
  }
}
