/*
 * The install script of better-sqlite3 12 is `prebuild-install || node-gyp rebuild`. It downloads a
 * binary from a host that is not a package registry. If that host is unreachable, it compiles, which
 * takes a compiler, Node's headers, and a minute. Node 22 and later run version 13, whose binaries are
 * in its package, so there the work is for nothing.
 *
 * prebuild-install first loads github-from-package, a package that nothing else here uses.
 * package.json replaces that package with this file. On Node 22 and later, the script ends here and
 * counts as done. On Node 20, it goes on with the real package.
 */
'use strict';

const nodeMajor = Number(process.versions.node.split('.')[0]);
if (nodeMajor >= 22) process.exit(0);

module.exports = require('github-from-package-0');
