/**
 * Links records of tables and personal bibliographies to papers. People list a paper several times,
 * with wrong years and ids, so these records join a matching paper but never count as evidence
 * against a merge. Pure.
 */
import { isPersonal, type KeptRecord } from './kept-record.ts';
import { haveConflictingIdentifiers, type Paper, YEARS_APART_MAX } from './linkage-rules.ts';

interface Papers {
  paperOf: ReadonlyMap<KeptRecord, Paper>;
  /** Merges the papers of these records into one. */
  join(records: readonly KeptRecord[]): void;
}

/**
 * Joins each paper that only personal bibliographies have to the curated paper that it matches. If it
 * matches several, it stays apart. If it matches none, it joins the first personal record that matches.
 * `sharing` has all records with one title and first author, in a fixed order.
 */
export function linkPersonalRecords(
  sharing: readonly KeptRecord[],
  { paperOf, join }: Papers,
): void {
  const paperNow = (record: KeptRecord): Paper => paperOf.get(record) as Paper;
  const isPersonalOnly = (record: KeptRecord): boolean =>
    paperNow(record).records.every(isPersonal);
  const personal = sharing.filter(isPersonalOnly);
  const firstOfCurated = firstOfEach(
    sharing.filter((record) => !isPersonalOnly(record)),
    paperNow,
  );
  const firstOfPersonal: KeptRecord[] = [];
  const matches = (record: KeptRecord, other: KeptRecord): boolean =>
    areNear(
      ...[record, other].map((one) => sharing.filter((o) => paperNow(o) === paperNow(one))),
    ) &&
    !haveConflictingIdentifiers(
      [paperNow(record), paperNow(other)].flatMap(({ records }) =>
        records.map(({ identifiers }) => identifiers),
      ),
    );
  for (const record of firstOfEach(personal, paperNow)) {
    const curatedMatches = firstOfCurated.filter((target) => matches(record, target));
    const candidates = curatedMatches.length > 0 ? [] : firstOfPersonal;
    const [target] =
      curatedMatches.length === 1
        ? curatedMatches
        : candidates.filter((other) => matches(record, other));
    if (target !== undefined) join([target, record]);
    else if (curatedMatches.length === 0) firstOfPersonal.push(record);
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
