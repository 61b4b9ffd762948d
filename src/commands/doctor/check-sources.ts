/** The sources: which hosts are contacted for them, and do their runs end well? */
import { readOnSqlite } from '../../database/sqlite/run-on-sqlite.ts';
import { isOnPostgres } from '../../index/open/index-place.ts';
import { listSources } from '../../index/sources/list-sources.ts';
import type { Settings } from '../../settings/config.ts';
import type { Source } from '../../sources/ports/source.ts';
import { announce } from '../../sources/providers.ts';
import { withSources } from '../source/with-sources.ts';
import { type DatabaseCheck, type Finding, ok, warning } from './check.ts';

export const checkSources: DatabaseCheck = {
  name: 'sources',
  async run({ settings, now }, db) {
    if (settings.readOnlyIndex !== '') return [ok('another machine builds the index')];
    const sources = isOnPostgres(settings)
      ? await withSources(settings, (_, sources) => sources)
      : readOnSqlite(db, listSources<Source>(now));
    if (sources.length === 0) return [ok('none; nobody is contacted for records')];
    return sources.map((source) => findingOf(source, settings));
  },
};

function findingOf(source: Source, settings: Settings): Finding {
  const { name, state } = source;
  const { hosts } = announce(source, settings);
  const contacts = hosts.length === 0 ? 'contacts nobody' : `contacts ${hosts.join(', ')}`;
  const { run, failures } = state;
  if (failures === 0) return ok(`${name} ${contacts}`);
  return warning(
    `${name} ${contacts}; its last run ${run?.outcome}: ${run?.message}`,
    `run: verbatim source update ${name}`,
  );
}
