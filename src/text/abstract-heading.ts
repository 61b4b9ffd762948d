/** Detects headings such as "Abstract" and "Summary". Pure. */

const HEADING = /^(?:abstract|summary|résumé|resumen|resumo|zusammenfassung)\s*[.:]?$/i;

/**
 * A heading in front of the first sentence. Without a colon it is one only in capitals or before a
 * word that starts a sentence, unlike in "Abstract algebra" and "Summary statistics".
 */
const LEADING_HEADINGS = [
  /^(?:abstract|summary)(?:\s*[:—–]\s*|\.\s+|\s+-\s+|[^\S\n]*\n\s*)/i,
  /^(?:ABSTRACT|SUMMARY)\s+(?=\p{Lu}[\p{Ll}\s])/u,
  new RegExp(
    '^(?:Abstract\\s*|Summary\\s+)(?=(?:The|This|These|We|In|Our|An|It|To|There|Here|Although|While|' +
      'Despite|Background|Introduction|Objectives?|Purpose|Aims?)[:\\s])',
  ),
];

/** Whether a line is nothing but the heading of an abstract. */
export function isAbstractHeading(line: string): boolean {
  return HEADING.test(line);
}

/** The length of the heading in front of a first sentence, with its separator. 0 if there is none. */
export function leadingHeadingLength(sentence: string): number {
  const lengths = LEADING_HEADINGS.map((heading) => heading.exec(sentence)?.[0].length ?? 0);
  return Math.max(...lengths);
}
