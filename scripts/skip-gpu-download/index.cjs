/*
 * The install script of onnxruntime-node downloads GPU libraries from a host that is not a package
 * registry. If that host is unreachable, the whole install fails. Verbatim uses the CPU library,
 * which is inside the package.
 *
 * In npm 11, `allowScripts` can skip the script. npm 10 would need a line in `.npmrc` that makes
 * npm 11 warn. The script first calls `bootstrap()` of global-agent, a package that nothing else here
 * uses. package.json replaces that package with this file, so the script exits before it downloads
 * anything.
 */
'use strict';

exports.bootstrap = () => process.exit(0);
