/** The heading of an abstract, which says only what everybody knows: this is the abstract. Pure. */

const HEADING = /^(?:abstract|summary|résumé|resumen|resumo|zusammenfassung)\s*[.:]?$/i;

/**
 * The heading in front of the first sentence. Without a colon it must be told from "Abstract
 * algebra" and "Summary statistics": by capitals alone, or by a word that starts a sentence.
 */
const LEADING_HEADINGS = [
  /^(?:abstract|summary)(?:\s*[:—–]\s*|\.\s+|\s+-\s+|[^\S\n]*\n\s*)/i,
  /^(?:ABSTRACT|SUMMARY)\s+(?=\p{Lu}[\p{Ll}\s])/u,
  new RegExp(
    '^(?:Abstract\\s*|Summary\\s+)(?=(?:The|This|These|We|In|Our|An|It|To|There|Here|Although|While|' +
      'Despite|Background|Introduction|Objectives?|Purpose|Aims?)[:\\s])',
  ),
];

/** Whether a line says no more than that the abstract follows. */
export function isAbstractHeading(line: string): boolean {
  return HEADING.test(line);
}

/** The length of the heading in front of a first sentence, with what separates them; 0 without. */
export function leadingHeadingLength(sentence: string): number {
  const lengths = LEADING_HEADINGS.map((heading) => heading.exec(sentence)?.[0].length ?? 0);
  return Math.max(...lengths);
}
