/** The text of src/ingest/FORMATS.md, made from the list of formats. */

import { markdownTable } from '../../src/dashboard/docs/markdown.ts';
import { formats } from '../../src/ingest/formats.ts';

const intro = `# Formats

\`verbatim index add\` recognizes the format of each file by its content. It tries the formats in this order, and \`--format NAME\` forces one.`;

/** The whole file. */
export function formatsReference(): string {
  const rows = formats.map(({ name, description }) => [`\`${name}\``, description]);
  return `${intro}\n\n${markdownTable(['format', 'what it reads'], rows)}\n`;
}
