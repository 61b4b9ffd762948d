/** Runs the command, and maps errors to exit codes. */
import { CommanderError } from 'commander';
import { detailsOf, VerbatimError } from '../errors.ts';
import { createProgram } from './program.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
/** What shells report for a program ended by Ctrl-C. */
const EXIT_INTERRUPTED = 130;

/** Runs the command in `argv`, as in process.argv. Resolves to the exit code after printing any error. */
export async function runCommandLine(argv: readonly string[] = process.argv): Promise<number> {
  try {
    const [node = '', script = '', ...words] = withVersionAsCommand(argv);
    const program = await createProgram(words);
    await program.parseAsync([node, script, ...words]);
    return 0;
  } catch (error) {
    return report(error);
  }
}

/**
 * `--version` stands for the command `version`, so that it can take `--json`. An option `--json` of
 * the program itself would take it away from the other commands.
 */
function withVersionAsCommand([node = '', script = '', first = '', ...rest]: readonly string[]) {
  const words = first === '' ? [] : [first];
  return [node, script, ...(/^(-V|--version)$/.test(first) ? ['version'] : words), ...rest];
}

function report(error: unknown): number {
  // Commander has printed its own message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (!(error instanceof VerbatimError)) {
    process.stderr.write(`verbatim: unexpected error\n${detailsOf(error)}\n`);
    return EXIT_FAILED;
  }
  process.stderr.write(`verbatim: ${error.message}\n`);
  if (error.code === 'interrupted') return EXIT_INTERRUPTED;
  return error.code === 'usage' ? EXIT_USAGE : EXIT_FAILED;
}
