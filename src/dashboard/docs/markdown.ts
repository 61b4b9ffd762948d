/** Sections of the reference in Markdown. Pure. */
import type { Part, Section } from './sections.ts';

/** Returns a section without the parts that `isShown` refuses. */
export function sectionMarkdown(
  { title, parts }: Section,
  isShown: (part: Part) => boolean = () => true,
): string {
  return [`## ${title}`, ...parts.filter(isShown).map(partMarkdown)].join('\n\n');
}

function partMarkdown(part: Part): string {
  if (typeof part === 'string') return part;
  if ('code' in part) return `${part.label}:\n\n${codeBlock(part.language, part.code)}`;
  return `${part.caption}:\n\n${markdownTable(part.heads, part.rows)}`;
}

export function markdownTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cellOf).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function codeBlock(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

/** A bar would begin another cell. */
function cellOf(text: string): string {
  return text.replaceAll('|', '\\|');
}
