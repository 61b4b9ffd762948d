/** The text of src/http/API.md, made from the sections of the page /docs. */
import { markdownTable, sectionMarkdown } from '../../src/dashboard/docs/markdown.ts';
import { sectionsOf } from '../../src/dashboard/docs/sections.ts';
import { errors } from '../../src/dashboard/docs/tables.ts';
import { errorTable } from '../../src/errors.ts';
import { readSettings } from '../../src/settings/config.ts';

const FURTHER = 'Further errors of pages and the webhook:';
const ADDRESS = 'http://localhost:8080';

const intro = `# HTTP API: reference

[README](README.md) says how calls, credit, repeats, and errors work. \`VERBATIM_KEY\` is a key of yours.`;

/** The whole file. */
export function apiReference(): string {
  const sections = sectionsOf(ADDRESS, readSettings({}, {})).map((section) => {
    const text = sectionMarkdown(section);
    if (section.id === 'errors') return `${text}\n\n${FURTHER}\n\n${furtherErrors()}`;
    return section.id === 'limits' ? text.replace('\n', '\n\nThese are the defaults.\n') : text;
  });
  return `${[intro, ...sections.map(withoutPages)].join('\n\n')}\n`;
}

/** Returns a text without its links to pages of a service. */
function withoutPages(text: string): string {
  return text.replace(/\[([^\]]+)\]\(\/[^)]+\)/g, '$1');
}

/** The errors with a status that the table of the API does not have. */
function furtherErrors(): string {
  const known = new Set(errors.rows.map(([, code]) => code));
  const rows = Object.entries(errorTable).flatMap(([code, kind]) => {
    if (!('status' in kind) || known.has(`\`${code}\``)) return [];
    const message = 'message' in kind ? kind.message : '(says what is wrong)';
    return [[`${kind.status}`, `\`${code}\``, message]];
  });
  return markdownTable(
    ['status', 'code', 'message'],
    rows.sort(([a], [b]) => Number(a) - Number(b)),
  );
}
