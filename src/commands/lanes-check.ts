/** `verbatim lanes check`: asks each lane that is on one real question. */
import { Command } from 'commander';
import { VerbatimError } from '../errors.ts';
import type { LaneDocument, LanesAnswer } from '../lanes/lane.ts';
import { createLog } from '../log.ts';
import { splitSentences } from '../text/split-sentences.ts';
import { settingsOf } from './options.ts';
import { print, printable, printJson, printTable } from './output.ts';

interface CheckOptions {
  json?: boolean;
}

/** A question that every provider has something on. */
const QUESTION = 'does sleep help memory consolidation';

export function lanesCheckCommand(): Command {
  return new Command('check')
    .description('ask each lane that is on one real question; exits 1 where one has no answer')
    .option('--json', 'print JSON for programs')
    .action(async (options: CheckOptions) => {
      const settings = settingsOf({});
      const log = createLog((line) => process.stderr.write(line));
      const { createLanes } = await import('../lanes/create-lanes.ts');
      // Without the cache: a kept answer says nothing about today.
      const lanes = createLanes({ settings, split: splitSentences, log });
      try {
        const deadline = performance.now() + settings.requestTimeoutMs;
        const { documents, reports } = await lanes.ask(QUESTION, deadline);
        const rows = reports.map((report) => {
          const first = documents.find(({ lane }) => lane === report.lane);
          return { ...report, first: first === undefined ? null : { d: first.id, t: first.title } };
        });
        if (options.json) printJson(rows);
        else if (rows.length === 0) print('no lane is on: set VERBATIM_LANE_CONTACT, see README');
        else printRows(rows);
        const failed = rows.filter(({ outcome }) => outcome !== 'answered');
        if (failed.length > 0) {
          const names = failed.map(({ provider }) => provider).join(', ');
          throw new VerbatimError('lane_failed', `no answer from ${names}`);
        }
      } finally {
        await lanes.close();
      }
    });
}

type Row = LanesAnswer['reports'][number] & {
  first: { d: LaneDocument['id']; t: LaneDocument['title'] } | null;
};

function printRows(rows: readonly Row[]): void {
  printTable(
    ['lane', 'provider', 'status', 'ms', 'papers', 'first of them'],
    rows.map(({ lane, provider, outcome, reason, milliseconds, documents, first }) => [
      ...[lane, provider, reason === '' ? outcome : `${outcome}: ${reason}`],
      ...[milliseconds, documents],
      first === null ? '' : printable(`${first.d}  ${first.t}`),
    ]),
  );
}
