/*
 * onnxruntime-node's install script fetches GPU libraries from a host that is no package registry,
 * and fails the whole install where that host is out of reach. The CPU library that Verbatim runs on
 * is inside the package. npm 11 can be told by `allowScripts` to leave the script out; npm 10 cannot,
 * and the `.npmrc` line that it would take makes npm 11 warn. The script's first call is
 * `bootstrap()` of global-agent, a package that nothing else here uses: package.json puts this
 * file in its place, and the script ends before it downloads anything.
 */
'use strict';

exports.bootstrap = () => process.exit(0);
