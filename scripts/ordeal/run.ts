/** Runs the sections of an ordeal, one after another. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { indexSample } from '../bench/index-sample.ts';
import { describeMachine, type Machine } from '../bench/machine.ts';
import { copy } from '../bench/tasks/copy.ts';
import { findCores } from './cores.ts';
import type { OrdealOptions, SectionName } from './options.ts';
import type { Ordeal, Row, Section } from './section.ts';
import { connections } from './sections/connections.ts';
import { faults } from './sections/faults.ts';
import { kills } from './sections/kills.ts';
import { overload } from './sections/overload.ts';
import { threads } from './sections/threads.ts';

export interface Report {
  machine: Machine;
  /** On which cores server and clients ran. */
  cores: string;
  sections: { name: SectionName; rows: Row[] }[];
  /** One sentence for each thing that is wrong. */
  wrong: string[];
}

const sections: Record<SectionName, Section> = { overload, kills, faults, threads, connections };

/** Runs the chosen sections. All of their files are in `folder`. */
export async function runOrdeal(options: OrdealOptions, folder: string): Promise<Report> {
  const machine = describeMachine();
  const cores = findCores();
  const index = join(folder, 'index.db');
  const say = (text: string): void => {
    process.stderr.write(`${text}\n`);
  };
  if (options.db === undefined) await indexSample(index);
  else await copy({ from: options.db, to: index });
  const ordeal: Ordeal = {
    options,
    cores,
    say,
    async copyIndex(name) {
      mkdirSync(join(folder, name));
      const to = join(folder, name, 'verbatim.db');
      await copy({ from: index, to });
      return to;
    },
  };
  const report: Report = { machine, cores: cores.text, sections: [], wrong: [] };
  for (const name of options.only) {
    say(`${name} …`);
    const { rows, wrong } = await sections[name](ordeal);
    report.sections.push({ name, rows });
    report.wrong.push(...wrong.map((sentence) => `${name}: ${sentence}`));
  }
  return report;
}
