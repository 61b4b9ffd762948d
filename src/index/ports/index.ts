/**
 * An index, wherever it is. Each of its users opens what it needs, and closes that. Opening rejects with
 * `model_mismatch` if a model is given and the index has another one, and with `database_unusable` or
 * `migration_needed`. On PostgreSQL, the views of a source do so.
 */
import type { ModelIdentity } from '../../types.ts';
import type { SourceStore } from '../sources/source-stores.ts';
import type { IndexBuilder } from './index-builder.ts';
import type { IndexSource, SourceLimits } from './index-source.ts';
import type { OperatorIndex } from './operator-index.ts';
import type { OnDamage } from './report-damaged.ts';

export interface Index {
  engine: 'sqlite' | 'postgresql';
  /** Makes the tables of a new index on PostgreSQL, so that a server may start before the first build. */
  prepare(): Promise<void>;
  /** For what one thread searches, looks up, or verifies. */
  source(options: SourceOptions): Promise<IndexSource>;
  /** For a build. Records the model of a new index. */
  builder(model: ModelIdentity): Promise<IndexBuilder>;
  /** For commands. */
  operator(): Promise<OperatorIndex>;
  /** What is fetched into it. Makes a new index. */
  sources(): Promise<SourceStore>;
}

export interface SourceOptions {
  limits: SourceLimits;
  model?: ModelIdentity | undefined;
  /** Whether views reject with `model_mismatch` once the index was moved to a model that does not fit. */
  staysWithModel?: boolean;
  /** Absent: Node prints a warning. */
  onDamage?: OnDamage | undefined;
}
