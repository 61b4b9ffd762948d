/** `verbatim version`, which `verbatim --version` stands for: the program and its parts. */
import { Command } from 'commander';
import { commit, version } from '../settings/version.ts';
import { print, printJson } from './cli/output.ts';

export function versionCommand(): Command {
  return new Command('version')
    .description('print the version of the program and of its parts')
    .option('--json', 'print JSON for programs')
    .action(async (options: { json?: boolean }) => {
      const versions = await readVersions();
      if (options.json) printJson(versions);
      else printVersions(versions);
    });
}

interface Versions {
  version: string;
  commit: string;
  node: string;
  sqlite: string;
  sqliteVec: string;
  onnxRuntime: string;
  uWebSockets: string;
  model: string;
}

/** Asks each part, or reads its package. Loads no model and no server. */
async function readVersions(): Promise<Versions> {
  const { bundledModelName, packageVersion } = await import('../settings/bundle.ts');
  const { engineVersions } = await import('../database/sqlite/connect.ts');
  return {
    version,
    commit,
    node: process.versions.node,
    ...engineVersions(),
    onnxRuntime: packageVersion('onnxruntime-node'),
    uWebSockets: packageVersion('uWebSockets.js'),
    model: bundledModelName(),
  };
}

function printVersions(versions: Versions): void {
  print(`verbatim ${versions.version} (${versions.commit})`);
  const names = {
    node: 'Node',
    sqlite: 'SQLite',
    sqliteVec: 'sqlite-vec',
    onnxRuntime: 'ONNX Runtime',
    uWebSockets: 'uWebSockets',
    model: 'model',
  } as const;
  for (const [key, name] of Object.entries(names)) {
    print(`${name.padEnd(14)}${versions[key as keyof typeof names]}`);
  }
}
