/**
 * Measures `verbatim verify` on a benchmark of true and fabricated references. Its folder has `dev.jsonl`,
 * the references to judge, and `true-entries.jsonl`. The index holds the latter and the true ones of the
 * former. Other files of the folder are judged with it, if they are there.
 */
import { join } from 'node:path';
import { VerbatimError } from '../../src/errors.ts';
import { count, positionals, type ValuesOf } from '../measure/options.ts';
import type { Outcome } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { inTemporaryFolder } from '../measure/temporary-folder.ts';
import { detectFabricated, varyTrueOnes } from './detection.ts';
import { readEntries } from './entries.ts';
import { addEntries, type Benchmark, embedEntries, openFor, type Section } from './judge.ts';
import { judgeLabelled } from './labelled.ts';
import { loseTrueOnes } from './missing.ts';
import { judgePrinted } from './print.ts';

const sections: readonly ((benchmark: Benchmark) => Promise<Section>)[] = [
  detectFabricated,
  varyTrueOnes,
  judgePrinted,
  loseTrueOnes,
  judgeLabelled,
];

const options = {
  folder: positionals('the folder of the benchmark', 'FOLDER'),
  wrong: count(0, 'print so many wrong verdicts'),
};

export const measurement = defineMeasurement({
  options,
  run: (values) => inTemporaryFolder('references', (folder) => evaluate(values, folder)),
});

async function evaluate(values: ValuesOf<typeof options>, scratch: string): Promise<Outcome> {
  const [folder] = values.folder;
  if (folder === undefined) throw new VerbatimError('usage', 'name the folder of the benchmark');
  const dev = readEntries(join(folder, 'dev.jsonl'));
  const trueOnes = dev.filter(({ label }) => label === 'valid');
  const fabricated = dev.filter(({ label }) => label !== 'valid');
  const indexed = [...trueOnes, ...readEntries(join(folder, 'true-entries.jsonl'))];
  const vectors = await embedEntries(join(scratch, 'vectors'), indexed);
  const path = join(scratch, 'index.db');
  await addEntries(path, indexed, vectors);
  const opened = await openFor(path);
  const benchmark: Benchmark = { folder, scratch, trueOnes, fabricated, indexed, vectors, opened };
  const outcomes: Section[] = [];
  try {
    for (const section of sections) outcomes.push(await section(benchmark));
  } finally {
    await opened.close();
  }
  const wrong = outcomes.flatMap((one) => one.wrong ?? []).slice(0, values.wrong);
  return {
    report: Object.assign({}, ...outcomes.map(({ report }) => report)),
    shown: [
      ...outcomes.flatMap(({ shown }) => shown),
      ...wrong.map((each) => JSON.stringify(each)),
    ],
  };
}
