/** The files that `npm run docs` writes, each with the function that returns its text. */
import { apiReference } from './api-reference.ts';
import { commandsReference } from './commands-reference.ts';
import { formatsReference } from './formats-reference.ts';
import { metricsReference } from './metrics-reference.ts';
import { settingsReference } from './settings-reference.ts';

/** By their paths from the top of the repository. The texts are the same on every machine. */
export const generatedFiles: Readonly<Record<string, () => string | Promise<string>>> = {
  'src/commands/COMMANDS.md': commandsReference,
  'src/http/API.md': apiReference,
  'src/ingest/FORMATS.md': formatsReference,
  'src/metrics/METRICS.md': metricsReference,
  'src/settings/SETTINGS.md': settingsReference,
};
