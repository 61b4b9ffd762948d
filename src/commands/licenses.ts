/** `verbatim licenses`: the licenses of everything that is delivered. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { VerbatimError } from '../errors.ts';
import { licensesPath, sbomPath } from '../settings/bundle.ts';
import { print, printJson } from './cli/output.ts';

/** One package or part, as scripts/licenses collects it. */
interface License {
  name: string;
  version: string;
  /** The short name, as the author states it. */
  license: string;
  text: string;
}

export function licensesCommand(): Command {
  return new Command('licenses')
    .description('print the licenses of all parts')
    .option('--json', 'print JSON for programs')
    .option('--sbom', "print the single file's bill of materials (CycloneDX)")
    .addHelpText('after', '\nExample:\n  verbatim licenses | less')
    .action((options: { json?: boolean; sbom?: boolean }) => {
      if (options.sbom) {
        process.stdout.write(readSbom());
        return;
      }
      const licenses = JSON.parse(readFileSync(licensesPath(), 'utf8')) as License[];
      if (options.json) printJson(licenses);
      else for (const license of licenses) print(describe(license));
    });
}

function readSbom(): string {
  const path = sbomPath();
  if (path !== undefined) return readFileSync(path, 'utf8');
  throw new VerbatimError('unreadable_input', 'only the single file has a bill of materials');
}

function describe({ name, version, license, text }: License): string {
  const title = `${name} ${version} (${license})`;
  return `${title}\n${'='.repeat(title.length)}\n\n${text}\n`;
}
