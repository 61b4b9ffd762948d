/** Tables of verdicts and assessments for further files of the benchmark. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { groupBy } from '../measure/statistics.ts';
import { readEntries } from './entries.ts';
import { type Benchmark, counted, judge, type Section } from './judge.ts';

const files = {
  'stress.jsonl': 'Fabricated references of the stress test',
  'chatgpt.jsonl': 'References that ChatGPT wrote',
} as const;

/** What is labelled as real and called fabricated is wrong. Files that are not there are passed over. */
export async function judgeLabelled({ folder, opened }: Benchmark): Promise<Section> {
  const section: Required<Section> = { report: {}, shown: [], wrong: [] };
  for (const [name, title] of Object.entries(files)) {
    const path = join(folder, name);
    if (!existsSync(path)) continue;
    const judged = await judge(opened, readEntries(path), 30);
    const kinds = groupBy(judged, ({ entry }) => entry.kind ?? 'true');
    const rows = [...kinds].sort().map(([kind, all]) => {
      return [kind, String(all.length), counted(all), counted(all, 'assessment')];
    });
    Object.assign(section.report, { [name]: rows });
    const head = ['kind', 'references', 'verdicts', 'assessments'];
    section.shown = [...section.shown, `\n${title}`, { head, rows }];
    section.wrong = [
      ...section.wrong,
      ...judged.filter(
        ({ entry, result }) => entry.label === 'valid' && result.assessment === 'likely_fabricated',
      ),
    ];
  }
  return section;
}
