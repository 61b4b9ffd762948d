/**
 * Stop structures (Huston and Croft 2010): phrases that ask rather than tell. "I would be interested
 * to receive information on X" asks for X. Their words occur in few papers, so they would count as
 * rare. Pure.
 */

/** What stands between a phrase and its subject. */
const ABOUT =
  '(?:on|about|concerning|regarding|covering|discussing|describing|(?:pertinent|related|relating|pertaining) to|' +
  '(?:(?:that|which) )?(?:deals? with|dealing with|whether|how|why))';
/** These only after a noun for literature. */
const OF = `(?:of|for|in|${ABOUT})`;
const ADJECTIVES = '(?:(?:any|some|all|the|more|further|recent|relevant|other|basic) )*';
const MATERIAL = `${ADJECTIVES}(?:information|material|papers?|articles?|abstracts?|literature|references?|publications?|documents?|sources?|data|reports?|details|pointers|studies|research|works?|an overview|descriptions?|something|anything|everything)`;
const VERB =
  '(?:give|send|supply|provide|forward|show|find|get|list|suggest|recommend|tell|inform|look for|search for|look up)';
/** Up to so many words in the middle of a phrase. */
const FEW_WORDS = String.raw`(?: [\w'’/-]+){0,6}?`;

const OPENINGS = [
  // Dear librarian,
  String.raw`(?:hello|hi|dear)(?: \w+){0,3} ?[,:!.]`,
  // I would be interested to receive information on ...
  `(?:please,? )?(?:i|we)(?:['’](?:m|d|ve)| (?:am|are|was|were|would|want|need|wish|seek))${FEW_WORDS} (?:${MATERIAL} ${OF}|${ABOUT}|interested in)`,
  // Could you please give me articles about ...
  `(?:can|could|would|will) (?:you|anyone|someone)(?: please)? ${VERB}(?: me| us)? (?:${MATERIAL} ${OF}|${ABOUT})`,
  // Please send me everything that you have on ...
  `(?:please,? )?${VERB}(?: me| us)? ${MATERIAL}(?: (?:that )?you have)? ${OF}`,
  `(?:please,? )?(?:tell (?:me|us)(?: more)? about|look up|search for)`,
  // What is known about ...
  `what (?:is|has been|do we|have we) (?:known|know|written|published|learned|said) ${ABOUT}`,
  // Is there any research on ...
  `(?:is|are) there ${MATERIAL} ${OF}`,
  // Papers dealing with ...
  `${MATERIAL} ${ABOUT}`,
  // Please explain ...
  'please,? (?:explain|describe|discuss|define|summari[sz]e|give|send|supply|provide|list|find)',
  'please',
].map((phrase) =>
  phrase.replaceAll(' ', String.raw`\s+`).replaceAll(String.raw`\s+?`, String.raw`\s*`),
);

const CLOSINGS = [
  String.raw`(?:,?\s+please|,?\s+thank you|,?\s+thanks(?:\s+in advance)?|\s+(?:is|are)\s+(?:wanted|sought|needed)|,?\s+for my thesis)`,
];

const OPENING = new RegExp(String.raw`^\s*(?:${OPENINGS.join('|')})(?=[\s:,])[\s:,]*`, 'iu');
const CLOSING = new RegExp(String.raw`(?:${CLOSINGS.join('|')})\s*[.?!]*\s*$`, 'iu');

/** "Hello, I need help. Please give me papers on X" has three. */
const PHRASES_MAX = 3;
/** White space in a longer text would take quadratic time, because the pattern has no fixed start. */
const CLOSING_CHARACTERS_MAX = 64;
/** A word that may be the subject. */
const HAS_WORD = /\p{L}{2}|\p{N}/u;

/** Returns what is asked for: the text without such phrases, or the text itself if nothing remains. */
export function withoutStopStructures(text: string): string {
  let rest = text;
  for (let i = 0; i < PHRASES_MAX; i++) rest = rest.replace(OPENING, '');
  rest =
    rest.slice(0, -CLOSING_CHARACTERS_MAX) +
    rest.slice(-CLOSING_CHARACTERS_MAX).replace(CLOSING, '');
  return HAS_WORD.test(rest) ? rest : text;
}
