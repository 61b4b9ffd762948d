/** The centres of the cells as the file has them, kept in memory while they stay the same. */
import { type Centre, type Centres, createCentres } from '../../../vectors/centres.ts';
import type { Connection } from '../../database/connection.ts';

export interface StoredCentres {
  /** The centres in the view that the connection sees. */
  now(): Centres;
  /** To be called with every change to the cells that `now()` has been told of already. */
  changed(): void;
}

/** `dimensions` of the index's model. */
export function openCentres(db: Connection, dimensions: number): StoredCentres {
  const readVersion = db.prepare("SELECT value FROM index_facts WHERE name = 'centres'").pluck();
  const bumpVersion = db.prepare(
    "UPDATE index_facts SET value = value + 1 WHERE name = 'centres' RETURNING value",
  );
  const readAll = db.prepare('SELECT cell, centre FROM cells ORDER BY cell');
  let centres: Centres | undefined;
  let version: unknown;
  return {
    now() {
      const current = readVersion.get();
      if (centres === undefined || version !== current) {
        const rows = readAll.all() as { cell: number; centre: Buffer }[];
        centres = createCentres(rows.map(toCentre), dimensions);
        version = current;
      }
      return centres;
    },
    changed() {
      version = bumpVersion.pluck().get();
    },
  };
}

/** A row of cells, its blob unpacked. */
export function toCentre({ cell, centre }: { cell: number; centre: Buffer }): Centre {
  // Copied: a blob may start anywhere, floats must not.
  return { cell, vector: new Float32Array(new Uint8Array(centre).buffer) };
}
