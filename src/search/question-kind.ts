/**
 * What a question asks for, by its words: the kinds of answers that question answering distinguishes
 * (Li and Roth, "Learning Question Classifiers", 2002), of which five suffice here. A query that is no
 * question, such as a claim or keywords, is a statement. Pure.
 */
import { withoutStopStructures } from '../text/stop-structures.ts';

const kinds = {
  quantity:
    /how (?:much|many|fast|long|large|big|often|far|high|low|accurate|well|common|likely|strong)|what (?:percent|percentage|fraction|share|proportion|accuracy|speed|rate)|by how|\bcosts?\b/,
  yesOrNo: /^(?:is|are|do|does|did|can|could|has|have|was|were|will|should)\b/,
  reason: /\bwhy\b|\bcauses?\b/,
  which: /\b(?:which|what|who|where)\b/,
  way: /\bhow (?:do|does|can|to|is|are)\b/,
  statement: /^(?!(?:is|are|do|does|how|what|which|why)\b)[^?]*$/,
};

export type QuestionKind = keyof typeof kinds;

export const questionKinds = Object.keys(kinds) as readonly QuestionKind[];

/** The kinds of a question. It may be of several, or of none. */
export function questionKindsOf(question: string): QuestionKind[] {
  const asked = withoutStopStructures(question).trim().toLowerCase();
  return questionKinds.filter((kind) => kinds[kind].test(asked));
}

/** A question with one of these words asks for literature, so any paper about its subject helps. */
const ASKS_FOR_PAPERS =
  /\b(?:available|exists?|existing|known|information|literature|anyone|anybody)\b/i;

/**
 * Whether a question asks for a fact that few of the papers about its subject state: a quantity, a reason,
 * which one, or a way. A question for yes or no is often answered in part by many.
 */
export function asksForFact(question: string): boolean {
  const kinds = questionKindsOf(question);
  if (kinds.includes('quantity')) return true;
  const asks = kinds.some((kind) => kind === 'reason' || kind === 'which' || kind === 'way');
  return asks && !ASKS_FOR_PAPERS.test(question);
}
