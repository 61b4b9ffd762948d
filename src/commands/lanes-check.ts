/** `verbatim lanes check`: asks each lane that is on one real question. */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { VerbatimError } from '../errors.ts';
import type { LaneDocument, LanesResponse } from '../fallback/lane/lane.ts';
import { openLaneStore } from '../store/lanes/lane-store.ts';
import { splitSentences } from '../text/split-sentences.ts';
import { type CommonOptions, settingsOf, storeOptions, withStoreOptions } from './options.ts';
import { print, printable, printJson, printTable } from './output.ts';
import { openLog } from './terminal-log.ts';

/** A question that every provider has something on. */
const QUESTION = 'does sleep help memory consolidation';

export function lanesCheckCommand(): Command {
  return withStoreOptions(new Command('check'))
    .description('ask each provider of a lane one real question; exits 1 where one has no answer')
    .action(async (options: CommonOptions) => {
      const settings = settingsOf(options);
      const log = openLog();
      const { createLanes } = await import('../fallback/create-lanes.ts');
      // The pace and the pauses of a server; a check needs no database, and makes none.
      const store = existsSync(settings.database)
        ? openLaneStore(storeOptions(settings), settings)
        : undefined;
      const records = store === undefined ? {} : { records: store.records };
      // Without the cache: a kept answer says nothing about today.
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
        else if (rows.length === 0) print('no lane is on: set VERBATIM_LANE_CONTACT, see README');
        else printRows(rows);
        const failed = rows.filter(({ outcome }) => outcome !== 'answered');
        if (failed.length > 0) {
          const names = failed.map(({ provider }) => provider).join(', ');
          throw new VerbatimError('lane_failed', `no answer from ${names}`);
        }
      } finally {
        await lanes.close();
        store?.close();
      }
    });
}

type Row = LanesResponse['reports'][number] & {
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
