/** Checks a manuscript or a bibliography, and writes reports. */
import { writeFileSync } from 'node:fs';
import { writeReport } from '../dashboard/report/write-report.tsx';
import { messageOf, VerbatimError } from '../errors.ts';
import { indexPlace } from '../index/open/index-place.ts';
import { openLanes } from '../lanes/open-lanes.ts';
import type { Settings } from '../settings/config.ts';
import type { Manuscript } from '../verify/manuscript/manuscript.ts';
import { readManuscript } from '../verify/manuscript/read-manuscript.ts';
import { problemOf } from '../verify/manuscript/verdict-words.ts';
import { type ManuscriptReport, verifyManuscript } from '../verify/manuscript/verify-manuscript.ts';
import { openVerify } from '../verify/open-verify.ts';
import { parseCompleteSets } from '../verify/references/coverage.ts';
import { sayOnTerminal, storeOptions } from './cli/options.ts';
import { printable, printJson } from './cli/output.ts';
import { createProgressDisplay } from './cli/progress.ts';
import { openLog } from './cli/terminal-log.ts';
import { ALL } from './parse-lanes.ts';
import { printManuscriptReport } from './print-manuscript-report.ts';
import { lookUpAll, verifyLocally } from './verify-locally.ts';

export interface VerifyFileOptions {
  html?: string;
  json?: boolean;
  /** The lanes that look up what the index does not have, or `all`; absent: none. */
  lanes?: string;
}

/** Rejects with `verify_failed` if something is wrong with the references or the quotes. */
export async function verifyFile(
  file: string,
  options: VerifyFileOptions,
  settings: Settings,
): Promise<void> {
  const manuscript = await readManuscript(file, settings);
  for (const reason of manuscript.unread) sayOnTerminal(printable(reason));
  const report = await check(manuscript, options, settings);
  if (options.html !== undefined) writeFile(options.html, await writeReport(report, file));
  if (options.json) printJson({ n: report.references.length, ...report });
  else printManuscriptReport(report);
  const problem = problemOf(report);
  if (problem !== undefined) throw new VerbatimError('verify_failed', problem);
}

async function check(
  manuscript: Manuscript,
  { json, lanes: choice }: VerifyFileOptions,
  settings: Settings,
): Promise<ManuscriptReport> {
  const complete = parseCompleteSets(settings.indexComplete);
  const opened = await openVerify({ store: indexPlace(settings), limits: settings, complete });
  try {
    if (choice === undefined) return await verifyManuscript(manuscript, opened);
    return await checkWithLanes(manuscript, opened, { choice, json, settings });
  } finally {
    await opened.close();
  }
}

async function checkWithLanes(
  manuscript: Manuscript,
  opened: Awaited<ReturnType<typeof openVerify>>,
  { choice, json, settings }: { choice: string; json?: boolean | undefined; settings: Settings },
): Promise<ManuscriptReport> {
  const lanes = await openLanes(settings, storeOptions(settings), openLog(settings));
  if (lanes === undefined) {
    throw new VerbatimError('usage', 'no lane is on; set VERBATIM_LANE_CONTACT to turn lanes on');
  }
  const progress = createProgressDisplay(process.stderr, { format: json ? 'json' : 'text' });
  const lookUp = lookUpAll(lanes, settings, (done, all) =>
    progress.status(`looking up references: ${done} of ${all}`),
  );
  const named = choice === ALL ? lanes.names.join(',') : choice;
  try {
    return await verifyManuscript(manuscript, {
      verify: (items, asked) =>
        verifyLocally(opened, { ...asked, items: [...items], lanes: named }, lookUp),
    });
  } finally {
    progress.finish();
    await lanes.close();
  }
}

function writeFile(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new VerbatimError('unwritable_output', `cannot write ${path}: ${messageOf(error)}`);
  }
}
