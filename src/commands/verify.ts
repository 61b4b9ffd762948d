/** `verbatim verify`: checks the references of a bibliography against the index. */
import { Command } from 'commander';
import { VerbatimError } from '../errors.ts';
import { indexPlace } from '../index/open/index-place.ts';
import type { OpenVerify } from '../verify/open-verify.ts';
import type { FieldComparison } from '../verify/references/compare-fields.ts';
import type { NamedReference } from '../verify/references/read-file.ts';
import type { ReferenceResult } from '../verify/references/verify-reference.ts';
import { type CommonOptions, settingsOf, withStoreOptions } from './cli/options.ts';
import { print, printable, printJson } from './cli/output.ts';

/** A reference of the file with its result. */
interface VerifiedReference extends ReferenceResult {
  /** Its citation key or its number in the file. */
  name: string;
}

const meanings: Readonly<Record<ReferenceResult['verdict'], string>> = {
  match: 'ok',
  match_unverified: 'ok as far as it can be checked',
  match_with_errors: 'has errors',
  possible_match: 'may be another work',
  conflict: 'identifier of one work, title of another',
  not_found: 'not in the index',
  unreadable: 'cannot be read',
};

export function verifyCommand(): Command {
  return withStoreOptions(new Command('verify'))
    .description('check the references of a bibliography against the index, free of charge')
    .argument('<file>', 'BibTeX, RIS, or CSL-JSON; or plain text with one reference in a line')
    .addHelpText(
      'after',
      `
Each field is compared with the records of the index: title, authors in order, year, venue, and
identifiers. Abbreviations, initials, accents, and "et al." are no errors. A preprint and its published
version are one work. A reference with errors is printed again, corrected, in its own format. What is
not found may be real: see VERBATIM_INDEX_COMPLETE.

The command returns 1 if a reference is not a plain match.

Examples:
  verbatim verify references.bib
  verbatim verify references.ris --json`,
    )
    .action(async (file: string, options: CommonOptions) => {
      const settings = settingsOf(options);
      const { readReferenceFile } = await import('../verify/references/read-file.ts');
      const { openVerify } = await import('../verify/open-verify.ts');
      const references = await readReferenceFile(file, settings);
      const { parseCompleteSets } = await import('../verify/references/coverage.ts');
      const complete = parseCompleteSets(settings.indexComplete);
      const opened = await openVerify({ store: indexPlace(settings), limits: settings, complete });
      const results = await verifyAll(opened, references).finally(opened.close);
      if (!options.json) for (const one of results) printResult(one);
      if (options.json) printJson({ n: results.length, references: results });
      finish(results, options);
    });
}

async function verifyAll(
  opened: OpenVerify,
  references: readonly NamedReference[],
): Promise<VerifiedReference[]> {
  const read = references.filter((one) => 'reference' in one);
  const results = (await opened.verify(read, ['assessment'])) as ReferenceResult[];
  return references.map((one) => {
    if ('reference' in one)
      return { name: one.name, ...(results[read.indexOf(one)] as ReferenceResult) };
    return { name: one.name, kind: 'reference', verdict: 'unreadable', reason: one.problem };
  });
}

function printResult({
  name,
  verdict,
  t,
  d,
  other,
  fields = [],
  ...rest
}: VerifiedReference): void {
  const { corrected, notices = [], reason, assessment } = rest;
  const doubt = assessment === 'likely_fabricated' ? ', likely fabricated' : '';
  const why = reason === undefined ? '' : `: ${printable(reason)}`;
  print(`${printable(name)}: ${meanings[verdict]}${doubt}${why}`);
  if (verdict !== 'match' && d !== undefined) print(`  found: ${printable(`${t} (${d})`)}`);
  if (other !== undefined) print(`  its title is that of: ${printable(`${other.t} (${other.d})`)}`);
  if (verdict !== 'match') for (const field of fields) printField(field);
  for (const { kind, date, id } of notices) {
    const details = [date, id].filter((part) => part !== '').join(', ');
    print(`  ${kind.replaceAll('_', ' ')}${details === '' ? '' : `: ${printable(details)}`}`);
  }
  if (corrected === undefined) return;
  const text = typeof corrected === 'string' ? corrected : JSON.stringify(corrected, undefined, 2);
  for (const line of text.split('\n')) print(`  ${printable(line)}`);
}

function printField({ field, verdict, cited, recorded, problem }: FieldComparison): void {
  if (verdict !== 'different') return;
  const show = (value: FieldComparison['cited'] | undefined): string =>
    Array.isArray(value) ? value.join(', ') : String(value ?? 'nothing');
  print(`  ${field}: ${problem ?? 'differs'}`);
  print(printable(`    cited:    ${show(cited)}`));
  print(printable(`    recorded: ${show(recorded)}`));
}

function finish(results: readonly VerifiedReference[], { json }: CommonOptions): void {
  const wrong = results.filter(({ verdict }) => verdict !== 'match').length;
  if (!json) print(`${results.length} references, ${results.length - wrong} match`);
  if (wrong === 0) return;
  const message = `${wrong} of ${results.length} references do not match the index`;
  throw new VerbatimError('verify_failed', message);
}
