/** The dependencies of the operator's pages. `verbatim serve` builds them. */
import type { Settings } from '../../../config.ts';
import type { Log } from '../../../log.ts';
import type { ServerHistory } from '../../../metrics/server-history.ts';
import type { Assets } from '../../page/assets.ts';

export interface OperatorDeps {
  settings: Settings;
  log: Log;
  assets: Assets;
  now: () => number;
  history: Pick<ServerHistory, 'numbers' | 'samples'>;
}
