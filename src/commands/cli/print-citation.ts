/** Prints a result of a search for people. */
import type { Citation } from '../../types.ts';
import { print } from './output.ts';

/** Prints a result with its number, which is counted from 0, and an empty line after it. */
export function printCitation(index: number, citation: Citation): void {
  const { d, t, y, a, s, q, ab, src, answers } = citation;
  const year = y === 0 ? '' : ` (${y})`;
  print(`${index + 1}. ${s.toFixed(3)}  ${t}${year}`);
  print(`   “${q}”${answers === undefined ? '' : ` (answers: ${answers.toFixed(2)})`}`);
  print(`   ${[a.join(', '), d, src].filter((part) => part !== '').join(' · ')}`);
  if (ab !== undefined) print(`   ${ab}`);
  print('');
}
