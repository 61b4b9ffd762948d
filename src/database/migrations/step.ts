/** One step of the migrations. A step that has landed never changes. */
import type { Connection } from '../sqlite/connection.ts';

export interface Step {
  name: string;
  sql: string;
  /** Brings what was stored before into the new tables. */
  convert?: (db: Connection) => void;
}
