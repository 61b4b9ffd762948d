/** The versions of Node and of the native parts, each of which is loaded. */
import { engineVersions } from '../../database/sqlite/connect.ts';
import { version } from '../../settings/version.ts';
import { type Check, ok, warning } from './check.ts';

/** The least minor version of each supported major version of Node, as in `engines` in package.json. */
export const SUPPORTED_NODE: Readonly<Record<number, number>> = { 20: 19, 22: 14, 24: 0 };

export const checkVersions: Check = {
  name: 'versions',
  async run() {
    const { sqlite, sqliteVec } = engineVersions();
    // Throws if the web server has no binary for this Node.
    await import('../../http/server.ts');
    const found = `Verbatim ${version}, Node ${process.versions.node}, SQLite ${sqlite}, sqlite-vec ${sqliteVec}`;
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const leastMinor = SUPPORTED_NODE[major];
    const isSupported = leastMinor !== undefined && minor >= leastMinor;
    if (isSupported) return [ok(found)];
    return [warning(`${found}: this Node is not tested`, 'use Node 20.19, 22.14 or 24')];
  },
};
