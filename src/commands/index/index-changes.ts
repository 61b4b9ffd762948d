/** `verbatim index changes`: lists the papers that were added, changed, or withdrawn. */
import { Command, InvalidArgumentError } from 'commander';
import { type ChangesCursor, parseCursor, parseTime } from '../../search/papers/changes-cursor.ts';
import { CHANGES_DEFAULT, CHANGES_MAX, listChanges } from '../../search/papers/list-changes.ts';
import {
  type CommonOptions,
  parseCount,
  settingsOf,
  withSource,
  withStoreOptions,
} from '../cli/options.ts';
import { formatTime, print, printable, printJson, printTable } from '../cli/output.ts';

interface ChangesOptions extends CommonOptions {
  since?: number | ChangesCursor;
  limit: number;
}

/** What is listed without `--since`. */
const DAYS_DEFAULT = 7;
const DAY_MS = 86_400_000;

export function indexChangesCommand(): Command {
  return withStoreOptions(new Command('changes'))
    .description('list the papers that were added, changed, or withdrawn')
    .option(
      '--since <when>',
      `a date, a time, or the cursor of an earlier list (default: ${DAYS_DEFAULT} days ago)`,
      parseSince,
    )
    .option('--limit <n>', `number of papers, 1 to ${CHANGES_MAX}`, parseLimit, CHANGES_DEFAULT)
    .addHelpText(
      'after',
      `
Examples:
  verbatim index changes --since 2026-11-01
  verbatim index changes --since 2026-11-21T09:30:00Z --limit 1000 --json

Each paper is listed once, with its last change, the earliest first. A paper that came since then is
"added", also if it has changed again. "withdrawn" papers are no longer among the results: they were
retracted, withdrawn, or removed. The last line has the cursor with which to go on: nothing is missed
between two lists. Changes are known since the database was made or migrated by version 0.3.0.`,
    )
    .action(async ({ since, limit, ...options }: ChangesOptions) => {
      const changesSince = since ?? Date.now() - DAYS_DEFAULT * DAY_MS;
      const listed = await withSource(settingsOf(options), (source) =>
        source.view((view) => listChanges({ changesSince, limit }, view)),
      );
      if (options.json) {
        printJson(listed);
        return;
      }
      printTable(
        ['at', 'what', 'paper', 'title'],
        listed.changes.map(({ at, kind, reason, d, t, y }) => [
          formatTime(Date.parse(at)),
          reason === undefined || reason === kind ? kind : `${kind} (${reason})`,
          printable(d),
          printable(`${t ?? ''}${y ? ` (${y})` : ''}`),
        ]),
      );
      print(`${listed.more ? 'there are more; ' : ''}go on with --since ${listed.cursor}`);
    });
}

function parseSince(text: string): number | ChangesCursor {
  const since = parseCursor(text) ?? parseTime(text);
  if (since !== undefined) return since;
  throw new InvalidArgumentError(
    'It must be a date, a time with its zone such as 2026-11-21T09:30:00Z, or a cursor.',
  );
}

function parseLimit(text: string): number {
  const limit = parseCount(text);
  if (limit <= CHANGES_MAX) return limit;
  throw new InvalidArgumentError(`It must be at most ${CHANGES_MAX}.`);
}
