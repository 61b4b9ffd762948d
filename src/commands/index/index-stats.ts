/** `verbatim index stats`: shows what is in the index. */
import { Command } from 'commander';
import { formatNumber } from '../../text/format-number.ts';
import { parseCompleteSets } from '../../verify/references/coverage.ts';
import { type CommonOptions, settingsOf, withStoreOptions } from '../cli/options.ts';
import { describeMostFrequent, print, printJson } from '../cli/output.ts';
import { withOperatorIndex } from '../cli/with-operator-index.ts';

export function indexStatsCommand(): Command {
  return withStoreOptions(new Command('stats'))
    .description('show what is in the index')
    .action(async (options: CommonOptions) => {
      const settings = settingsOf(options);
      const complete = parseCompleteSets(settings.indexComplete).map(({ text }) => text);
      const { place, ...stats } = await withOperatorIndex(settings, (index) => index.stats());
      if (options.json) {
        printJson({ ...stats, complete });
        return;
      }
      const { documents, sentences, languages, fields, removed, model } = stats;
      print(`documents  ${formatNumber(documents)}`);
      print(`sentences  ${formatNumber(sentences)}`);
      print(`languages  ${describeTotals(languages.map((one) => [one.language, one.documents]))}`);
      print(`fields     ${describeTotals(fields.map((one) => [one.field, one.documents]))}`);
      print(`complete   ${complete.length === 0 ? '(nothing declared)' : complete.join('; ')}`);
      if (removed > 0) print(`removed    ${formatNumber(removed)} records, which stay out`);
      print(`model      ${model === null ? '(none yet)' : model.name}`);
      print(`file       ${place}`);
    });
}

/** Documents by a value: `en 12, de 3; unknown 1`. Null stands for unknown. */
function describeTotals(totals: readonly (readonly [value: string | null, number])[]): string {
  const known = totals.flatMap(([value, count]) =>
    value === null ? [] : [[value, count] as const],
  );
  const unknown = totals.find(([value]) => value === null)?.[1] ?? 0;
  const texts = known.length === 0 ? [] : [describeMostFrequent(known)];
  if (unknown > 0) texts.push(`unknown ${formatNumber(unknown)}`);
  return texts.length === 0 ? '(none yet)' : texts.join('; ');
}
