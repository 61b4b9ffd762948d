/** `verbatim lanes check`: asks each provider one real question. */
import { Command } from 'commander';
import { VerbatimError } from '../errors.ts';
import type { LaneDocument, LanesResponse } from '../lanes/lane/lane.ts';
import { splitSentences } from '../text/split-sentences.ts';
import { openSharedLanes } from './cli/open-shared-lanes.ts';
import { type CommonOptions, settingsOf, withStoreOptions } from './cli/options.ts';
import { print, printable, printJson, printTable } from './cli/output.ts';
import { openLog } from './cli/terminal-log.ts';

/** Every provider has papers about this. */
const QUESTION = 'does sleep help memory consolidation';

export function lanesCheckCommand(): Command {
  return withStoreOptions(new Command('check'))
    .description('ask each provider one real question; exit with 1 if one of them fails')
    .action(async (options: CommonOptions) => {
      const settings = settingsOf(options);
      const log = openLog(settings);
      const { createLanes } = await import('../lanes/create-lanes.ts');
      // With a database, a check keeps to the rate limits and backoffs of the server.
      const store = await openSharedLanes(settings);
      const records = store === undefined ? {} : { records: store.records };
      // Without the cache, because a cached response says nothing about today.
      const lanes = createLanes({
        settings,
        split: splitSentences,
        log,
        isCheck: true,
        ...records,
      });
      try {
        const deadline = performance.now() + settings.requestTimeoutMs;
        const { documents, reports } = await lanes.ask(QUESTION, deadline);
        const rows = reports.map((report, index) => {
          const before = reports.slice(0, index).reduce((sum, other) => sum + other.documents, 0);
          const first = report.documents === 0 ? undefined : documents[before];
          return { ...report, first: first === undefined ? null : { d: first.id, t: first.title } };
        });
        if (options.json) printJson(rows);
        else if (rows.length === 0)
          print('no lane is on; set VERBATIM_LANE_CONTACT to turn lanes on');
        else printRows(rows);
        const failed = rows.filter(({ outcome }) => outcome !== 'answered');
        if (failed.length > 0) {
          const names = failed.map(({ provider }) => provider).join(', ');
          throw new VerbatimError('lane_failed', `no answer from ${names}`);
        }
      } finally {
        await lanes.close();
        await store?.close();
      }
    });
}

type Row = LanesResponse['reports'][number] & {
  first: { d: LaneDocument['id']; t: LaneDocument['title'] } | null;
};

function printRows(rows: readonly Row[]): void {
  printTable(
    ['lane', 'provider', 'status', 'ms', 'papers', 'first paper'],
    rows.map(({ lane, provider, outcome, reason, milliseconds, documents, first }) => [
      ...[lane, provider, reason === '' ? outcome : `${outcome}: ${reason}`],
      ...[milliseconds, documents],
      first === null ? '' : printable(`${first.d}  ${first.t}`),
    ]),
  );
}
