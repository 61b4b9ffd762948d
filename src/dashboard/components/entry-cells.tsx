/** Cells of a ledger entry. */
import type { LedgerPageEntry } from '../../accounts/sql/ledger-pages.ts';

/** Names the key of an entry, with its prefix for the pointer. */
export function keyCell({ keyName, keyPrefix }: Pick<LedgerPageEntry, 'keyName' | 'keyPrefix'>) {
  return keyName === null ? '–' : <span title={keyPrefix ?? undefined}>{keyName}</span>;
}

/** What an entry is about, by the ids that others know it by, and the note of its author. */
export function Reference({
  line: { requestId, reference, note },
}: {
  line: Pick<LedgerPageEntry, 'requestId' | 'reference' | 'note'>;
}) {
  return (
    <>
      {requestId === null ? null : <span class="mono id">{requestId}</span>}
      {reference === null ? null : <span class="mono id">{reference}</span>}
      {note === null ? null : <bdi class="soft"> {note}</bdi>}
    </>
  );
}
