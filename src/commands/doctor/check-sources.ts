/** The sources: which hosts are contacted for them, and do their runs end well? */
import { readOnSqlite } from '../../database/sqlite/run-on-sqlite.ts';
import { isOnPostgres } from '../../index/open/index-place.ts';
import { listSources as listStored } from '../../index/sources/list-sources.ts';
import type { Settings } from '../../settings/config.ts';
import { type Source, type SourceRow, sourceOf } from '../../sources/ports/source.ts';
import { providerNamed } from '../../sources/providers.ts';
import { listSources, withSources } from '../source/with-sources.ts';
import { type DatabaseCheck, type Finding, ok, warning } from './check.ts';

export const checkSources: DatabaseCheck = {
  name: 'sources',
  async run({ settings, now }, db) {
    if (settings.readOnlyIndex !== '') return [ok('another machine builds the index')];
    const sources = isOnPostgres(settings)
      ? await withSources(settings, listSources)
      : readOnSqlite(db, listStored<SourceRow>(now)).map(sourceOf);
    if (sources.length === 0) return [ok('none; nobody is contacted for records')];
    return sources.map((source) => findingOf(source, settings));
  },
};

function findingOf(source: Source, settings: Settings): Finding {
  const { name, state } = source;
  const { hosts } = providerNamed(source.provider).announce(source.options, settings);
  const contacts = hosts.length === 0 ? 'contacts nobody' : `contacts ${hosts.join(', ')}`;
  const { run, failures } = state;
  if (failures === 0) return ok(`${name} ${contacts}`);
  return warning(
    `${name} ${contacts}; its last run ${run?.outcome}: ${run?.message}`,
    `run: verbatim source update ${name}`,
  );
}
