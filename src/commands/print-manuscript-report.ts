/** Prints the report about a manuscript for people, the most doubtful first. */

import {
  changeKindsOf,
  doubtfulFirst,
  meaningOf,
  summaryOf,
} from '../verify/manuscript/verdict-words.ts';
import type {
  CheckedQuote,
  CheckedReference,
  ManuscriptReport,
} from '../verify/manuscript/verify-manuscript.ts';
import type { FieldComparison } from '../verify/references/compare-fields.ts';
import { print, printable } from './cli/output.ts';

/** A cited reference that was not found is shown up to this length. */
const SHOWN_CHARACTERS_MAX = 200;

export function printManuscriptReport(report: ManuscriptReport): void {
  for (const reference of doubtfulFirst(report.references)) printReference(reference);
  for (const quote of doubtfulFirst(report.quotes)) printQuote(quote);
  print(summaryOf(report));
}

/** "paper.tex:12: ", which editors and CI open. */
function placeOf({ file, line }: { file: string; line?: number }): string {
  return `${printable(file)}${line === undefined ? '' : `:${line}`}: `;
}

function printReference(checked: CheckedReference): void {
  const { name, reference, verdict, t, d, other, fields = [] } = checked;
  const { corrected, notices = [], reason } = checked;
  const because = reason === undefined ? '' : `: ${printable(reason)}`;
  // "line 3" is in the place already.
  const called = checked.line !== undefined && name === `line ${checked.line}` ? '' : `${name}: `;
  print(`${placeOf(checked)}${printable(called)}${meaningOf(checked)}${because}`);
  if (verdict === 'not_found' && reference !== undefined) {
    const text = typeof reference === 'string' ? reference : JSON.stringify(reference);
    print(`  cited: ${shortened(text)}`);
  }
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

function printQuote(checked: CheckedQuote): void {
  const { quote, cites, verdict, t, d, wording, reason } = checked;
  const changes = changeKindsOf(checked).join(', ');
  const details = [changes, reason ?? ''].filter((part) => part !== '').join('; ');
  print(`${placeOf(checked)}quote: ${meaningOf(checked)}${details === '' ? '' : `: ${details}`}`);
  print(`  quoted: ${shortened(quote)}`);
  if (verdict === 'exact') return;
  print(printable(`  cites:  ${cites.join(', ')}`));
  if (d !== undefined) print(`  paper:  ${printable(`${t} (${d})`)}`);
  if (verdict === 'near') print(`  source: ${printable(wording ?? '')}`);
}

function shortened(text: string): string {
  const line = printable(text.replace(/\s+/g, ' '));
  return line.length <= SHOWN_CHARACTERS_MAX ? line : `${line.slice(0, SHOWN_CHARACTERS_MAX)}…`;
}
