/** The labels of sections in an abstract: "AUTHORS' CONCLUSIONS:" as a paragraph of its own. */

const LABEL_LENGTH_MAX = 100;

/**
 * Whether a paragraph in front of another one only names it. So formats write the label of a
 * section, which nobody said and which is not to be quoted.
 */
export function isSectionLabel(paragraph: string): boolean {
  return paragraph.length <= LABEL_LENGTH_MAX && /^[^.?!]*:\s*$/.test(paragraph);
}
