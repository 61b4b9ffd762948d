/** `verbatim doctor`: checks what can be wrong, and says what to do. */
import { Command } from 'commander';
import { VerbatimError } from '../errors.ts';
import { readSettingsFile } from '../settings/config.ts';
import { print, printable, printJson } from './cli/output.ts';
import type { Severity } from './doctor/check.ts';
import { examine, type NamedFinding } from './doctor/examine.ts';
import { type ServeOptions, serveSettings, withServeOptions } from './serve.ts';

interface DoctorOptions extends ServeOptions {
  full?: boolean;
  online?: boolean;
}

const marks: Readonly<Record<Severity, { mark: string; color: number }>> = {
  ok: { mark: '✓', color: 32 },
  warning: { mark: '!', color: 33 },
  error: { mark: '✗', color: 31 },
};
/** The longest name of a check, and a blank. */
const NAME_COLUMNS = 12;

export function doctorCommand(): Command {
  return withServeOptions(new Command('doctor'))
    .description('check what can be wrong, and say what to do')
    .option('--full', 'also check all of the file and the index; takes minutes for a large index')
    .option('--online', 'also ask each provider of the fallback lanes one question')
    .addHelpText(
      'after',
      `
Examples:
  verbatim doctor                 while the server runs, or before
  verbatim doctor --full          in a quiet hour: the full text is checked under the write lock
  verbatim doctor --json

It changes nothing. ✓ is in order, ! may become a problem, ✗ is one. Each problem has a line that
begins with an arrow and says what to do. The exit code is 1 if there is a ✗.`,
    )
    .action(async (options: DoctorOptions) => {
      const findings: NamedFinding[] = [];
      const context = {
        settings: serveSettings(options),
        file: readSettingsFile(options.config),
        isFull: options.full ?? false,
        isOnline: options.online ?? false,
        now: Date.now(),
      };
      for await (const finding of examine(context, showName)) {
        findings.push(finding);
        clearName();
        if (!options.json) printFinding(finding);
      }
      clearName();
      report(findings, options);
    });
}

function printFinding({ check, severity, found, advice }: NamedFinding): void {
  const { mark, color } = marks[severity];
  // hasColors() respects NO_COLOR; a file or a pipe has none.
  const hasColors = process.stdout.isTTY && process.stdout.hasColors();
  const painted = hasColors ? `\u{1b}[${color}m${mark}\u{1b}[0m` : mark;
  print(`${painted} ${check.padEnd(NAME_COLUMNS)} ${printable(found)}`);
  if (advice !== '') print(`  ${' '.repeat(NAME_COLUMNS)} → ${printable(advice)}`);
}

/** Throws `doctor_found_errors` if there is an error. */
function report(findings: readonly NamedFinding[], { json }: DoctorOptions): void {
  const count = (wanted: Severity): number =>
    findings.filter(({ severity }) => severity === wanted).length;
  const [errors, warnings] = [count('error'), count('warning')];
  if (json) printJson({ errors, warnings, findings });
  const summary = `${plural(errors, 'error')}, ${plural(warnings, 'warning')}`;
  if (errors > 0) throw new VerbatimError('doctor_found_errors', summary);
  if (!json) print(errors + warnings === 0 ? 'everything is in order' : summary);
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Names the check that runs, on a terminal: some take minutes. */
function showName(check: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u{1b}[Kchecking: ${check}`);
}

function clearName(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u{1b}[K');
}
