/**
 * The unit of the Debian package. A unit with the same name in /etc would hide it, and later versions of
 * it, so `verbatim init` writes only what a server needs otherwise: a drop-in, systemd.unit(5).
 */
import { SYSTEM_SETTINGS_FILE } from '../../settings/find-settings-file.ts';
import { serviceSettings } from '../../settings/service-settings.ts';
import { capabilities, stopSeconds, type UnitOptions } from './systemd-unit.ts';

export const PACKAGED_UNIT_PATH = '/usr/lib/systemd/system/verbatim.service';
export const DROP_IN_PATH = '/etc/systemd/system/verbatim.service.d/init.conf';

/** What the packaged unit is made for. */
export const packagedUnit: UnitOptions = {
  command: ['/usr/bin/verbatim'],
  settingsFile: SYSTEM_SETTINGS_FILE,
  port: serviceSettings.port.value,
  drainTimeoutMs: serviceSettings.drainTimeoutMs.value,
};

/** Returns the text of the drop-in; undefined if the packaged unit fits. */
export function dropIn({
  port,
  drainTimeoutMs,
}: Pick<UnitOptions, 'port' | 'drainTimeoutMs'>): string | undefined {
  const lines: string[] = [];
  if (capabilities(port) !== capabilities(packagedUnit.port)) {
    lines.push(capabilities(port), 'PrivateUsers=no');
  }
  const seconds = stopSeconds(drainTimeoutMs);
  if (seconds !== stopSeconds(packagedUnit.drainTimeoutMs)) lines.push(`TimeoutStopSec=${seconds}`);
  return lines.length === 0 ? undefined : `[Service]\n${lines.join('\n')}\n`;
}
