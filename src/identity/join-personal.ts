/**
 * Where the records of tables and personal bibliographies belong. The same paper stands in many of
 * them, in one of them twice, with wrong years and ids: so they join what they may be, and are no
 * evidence against anything. Pure.
 */
import { isPersonal, type KeptRecord } from './kept-record.ts';
import { areIdentifiersDistinct, type Paper, YEARS_APART_MAX } from './one-paper.ts';

interface Papers {
  paperOf: ReadonlyMap<KeptRecord, Paper>;
  /** Makes one paper of those that the records are of. */
  join(records: readonly KeptRecord[]): void;
}

/**
 * Joins each paper that only personal bibliographies have with the curated one that it may be. One
 * that may be either of several stays apart; where it can be none of them, it joins others of its
 * kind. `sharing`: all records with one title and first author, in a fixed order.
 */
export function joinPersonal(sharing: readonly KeptRecord[], { paperOf, join }: Papers): void {
  const paperNow = (record: KeptRecord): Paper => paperOf.get(record) as Paper;
  const isAlone = (record: KeptRecord): boolean => paperNow(record).records.every(isPersonal);
  const alone = sharing.filter(isAlone);
  const firstOfCurated = firstOfEach(
    sharing.filter((record) => !isAlone(record)),
    paperNow,
  );
  const firstOfPersonal: KeptRecord[] = [];
  const mayBe = (record: KeptRecord, other: KeptRecord): boolean =>
    areNear(
      ...[record, other].map((one) => sharing.filter((o) => paperNow(o) === paperNow(one))),
    ) &&
    !areIdentifiersDistinct(
      [paperNow(record), paperNow(other)].flatMap(({ records }) =>
        records.map(({ identifiers }) => identifiers),
      ),
    );
  for (const record of firstOfEach(alone, paperNow)) {
    const homes = firstOfCurated.filter((home) => mayBe(record, home));
    const companions = homes.length > 0 ? [] : firstOfPersonal;
    const [home] = homes.length === 1 ? homes : companions.filter((other) => mayBe(record, other));
    if (home !== undefined) join([home, record]);
    else if (homes.length === 0) firstOfPersonal.push(record);
  }
}

/** The first record of each paper. */
function firstOfEach(
  records: readonly KeptRecord[],
  paperNow: (record: KeptRecord) => Paper,
): KeptRecord[] {
  return records.filter(
    (record, at) => !records.slice(0, at).some((other) => paperNow(other) === paperNow(record)),
  );
}

function areNear(ones: readonly KeptRecord[] = [], others: readonly KeptRecord[] = []): boolean {
  return ones.some(({ year }) =>
    others.some((other) => Math.abs(other.year - year) <= YEARS_APART_MAX),
  );
}
