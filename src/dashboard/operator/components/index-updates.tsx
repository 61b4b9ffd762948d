/** The update of the index that runs, the form that starts one, and the last ones. */

import type { IndexUpdate } from '../../../accounts/sql/index-updates.ts';
import { formatBytes } from '../../../text/format-bytes.ts';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { EmailAddress } from '../../components/email-address.tsx';
import { Field } from '../../components/field.tsx';
import { formatCount } from '../../components/format-values.ts';
import { Timestamp } from '../../components/timestamp.tsx';
import { type RunningUpdate, sourceIn } from '../page/update-runner.ts';
import { ChangeForm } from './change-form.tsx';
import { Live } from './live.tsx';

export const INDEX_PATH = '/operator/index';

const RENEWED_EVERY_SECONDS = 2;

/** What is updated, by the path of `RunningUpdate`. */
function nameOf(path: string): string {
  const source = sourceIn(path);
  if (source !== undefined) return source === '' ? 'all sources' : source;
  return path === '' ? 'the whole folder' : path;
}

export function UpdateRuns({ update, token }: { update: RunningUpdate; token: string }) {
  const { path, actor, startedAt, isStopping } = update;
  return (
    <Card id="update" title="An update is running">
      <Live everySeconds={RENEWED_EVERY_SECONDS}>
        <p>
          It adds <span class="mono">{nameOf(path)}</span>, started at{' '}
          <Timestamp time={startedAt} /> by {actor}.{' '}
          {isStopping ? 'It stops after the documents at hand.' : null}
        </p>
        <Progress update={update} />
        <p class="soft">Reload this page to see more. Searches go on meanwhile.</p>
      </Live>
      <ChangeForm
        action={`${INDEX_PATH}/stop`}
        token={token}
        button={isStopping ? 'Stop at once' : 'Stop'}
        tone="danger"
      />
    </Card>
  );
}

function Progress({ update: { progress } }: { update: RunningUpdate }) {
  if (progress === undefined) return <p class="soft">It has just begun.</p>;
  const { bytesRead = 0, bytesTotal = 0, read = 0, added = 0, updated = 0, skipped = 0 } = progress;
  return (
    <>
      {bytesTotal === 0 ? null : (
        <progress aria-label="Read of the files" max={bytesTotal} value={bytesRead} />
      )}
      <p>
        {formatBytes(bytesRead)}
        {bytesTotal === 0 ? null : ` of ${formatBytes(bytesTotal)}`} read: {formatCount(read)}{' '}
        records, {formatCount(added)} added, {formatCount(updated)} updated, {formatCount(skipped)}{' '}
        skipped.
      </p>
    </>
  );
}

export interface StartUpdateProps {
  folder: string;
  token: string;
  /** What was entered, and what is wrong with it. */
  path?: string;
  error?: string | undefined;
}

export function StartUpdate({ folder, token, path, error }: StartUpdateProps) {
  return (
    <Card id="update" title="Update the index">
      <p class="soft measure">
        Adds the records of files, as <code>verbatim index add</code> does. What is unchanged is
        skipped. It runs with low priority beside the searches, and goes on after a restart.
      </p>
      <ChangeForm action={`${INDEX_PATH}/update`} token={token} button="Start">
        <Field
          label="File or folder (optional)"
          name="path"
          value={path}
          error={error}
          hint={`Within ${folder}. Empty: all of it.`}
          input={{ autoComplete: 'off', maxLength: 1_000 }}
        />
      </ChangeForm>
    </Card>
  );
}

const tones: Readonly<Record<NonNullable<IndexUpdate['outcome']>, string>> = {
  done: 'good',
  stopped: '',
  failed: 'bad',
};

export function UpdateTable({ updates }: { updates: readonly IndexUpdate[] }) {
  return (
    <DataTable
      caption="Updates that were started here, latest first"
      columns={[
        { head: 'Started' },
        { head: 'Who', isAddress: true },
        { head: 'What' },
        { head: 'Outcome' },
      ]}
      rows={updates.map(({ startedAt, actor, path, outcome, message }) => [
        <Timestamp key="at" time={startedAt} />,
        <EmailAddress key="who" address={actor} />,
        <span key="path" class="mono">
          {nameOf(path)}
        </span>,
        <>
          {outcome === null ? 'running' : <span class={`badge ${tones[outcome]}`}>{outcome}</span>}
          {message === null ? null : ` ${message}`}
        </>,
      ])}
    />
  );
}
