/**
 * Runs `verbatim source update` with stubs of the providers: a first run, an update, and a run that finds
 * nothing new. The first two are also killed at many places, each in a copy of the index, and completed.
 * Each copy must then have the papers of the index whose runs were not killed.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { count, some, type ValuesOf } from '../measure/options.ts';
import { type Outcome, say } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { inTemporaryFolder } from '../measure/temporary-folder.ts';
import { type Trial, updateWithKills } from './kills.ts';
import { indexIn } from './program.ts';
import { REVISED, type StubbedSource, sources } from './stubs.ts';

/** Much of the time is waiting for the pace of a source. */
const AT_ONCE = 2;

const names = Object.keys(sources) as (keyof typeof sources)[];
const options = {
  papers: count(300, 'papers of each source', 12),
  kills: count(10, 'places at which the runs of each source are killed', 2),
  only: some(names),
};

export const measurement = defineMeasurement({
  options,
  run: (values) => inTemporaryFolder('sources', (folder) => measureAll(values, folder)),
});

async function measureAll(values: ValuesOf<typeof options>, folder: string): Promise<Outcome> {
  const wrong: string[] = [];
  const measured = new Map<string, Awaited<ReturnType<typeof measure>>>();
  const left = [...values.only];
  const measureNext = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      say(name);
      const note = (sentence: string) => void wrong.push(`${name}: ${sentence}`);
      measured.set(name, await measure(name, values, { folder: join(folder, name), note }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, measureNext));
  const figures = values.only.flatMap((name) => measured.get(name) ?? []);
  const head = ['source', 'papers', 'first run', 'update', 'nothing new', 'kills', 's', 'equal'];
  const rows = figures.map(({ source, papers, requests, kills, seconds, isEqual }) => [
    ...[source, papers, requests.first, requests.update, requests.idle, kills],
    ...[seconds.toFixed(1), isEqual ? 'yes' : 'no'],
  ]);
  return { report: { sources: figures }, shown: [{ head, rows }], wrong };
}

async function measure(
  name: keyof typeof sources,
  { papers, kills }: ValuesOf<typeof options>,
  trial: Trial,
) {
  const started = performance.now();
  const own = join(trial.folder, 'index');
  mkdirSync(own, { recursive: true });
  const source: StubbedSource = await sources[name](papers, join(trial.folder, 'papers'));
  const index = indexIn(own, source.env);
  try {
    await index.add(source.args);
    const first = await updateWithKills(source, trial, Math.ceil(kills / 2));
    source.change();
    const update = await updateWithKills(source, trial, Math.floor(kills / 2));
    const idle = await updateWithKills(source, trial, 0);
    const [updateMax, idleMax] = source.requests;
    if (update.requests > updateMax) trial.note(`the update sent ${update.requests} requests`);
    if (idle.requests > idleMax) trial.note(`without changes, ${idle.requests} requests were sent`);
    const found = index.papers().filter(({ reason }) => reason === null);
    const revised = found.filter((paper) => JSON.stringify(paper).includes(REVISED));
    const isComplete = found.length === papers && revised.length === 1;
    if (!isComplete) trial.note('the changes are not all there');
    return {
      source: name,
      papers: found.length,
      requests: { first: first.requests, update: update.requests, idle: idle.requests },
      kills: first.killed + update.killed,
      seconds: (performance.now() - started) / 1_000,
      isEqual: first.isEqual && update.isEqual,
    };
  } finally {
    await source.stub?.close();
  }
}
