/**
 * Tells what a sentence does in an abstract, by its words: report a finding, announce what the paper
 * does, or give background. The roles are those of argumentative zoning (Teufel and Moens,
 * "Summarizing Scientific Articles: Experiments with Relevance and Rhetorical Status", 2002), of
 * which three suffice here. The words are common English of abstracts; none comes from a test
 * collection. Pure.
 */

export type RhetoricalRole = 'finding' | 'announcement' | 'background' | 'other';

const ADVERB = '(?:[a-z]+ly |also |then |first |here |thus |now |next |hence |instead |further )?';
const AUXILIARY = '(?:(?:will|have|are|were|was) )?';
const PAPER = '(?:paper|work|article|study|letter|report|chapter|thesis|survey|review|note)';
/** Beginnings of words: "propos" is that of "propose" and of "proposed". */
const AIMS =
  '(?:propos|present|introduc|describ|stud[iy]|investigat|consider|address|explor|examin|develop|aim|' +
  'seek|sought|focus|discuss|review|revisit|ask|analy[sz]|tackl|design|formulat|evaluat|assess|' +
  'explain|outlin|characteri[sz])';
const REPORTS =
  '(?:show|demonstrat|find\\b|found\\b|prov[ei]|establish|observ|reveal|suggest|indicat|conclud|' +
  'confirm|achiev|obtain|support|illustrat|validat|identif|determined that|detect|uncover|' +
  'outperform|yield)';
const REPORTERS =
  '(?:we|i|it is|it was|results?|experiments?|findings?|data|evaluations?|analys[ei]s|simulations?|' +
  'observations?|stud(?:y|ies)|tests?|comparisons?|evidence|measurements?)';
const STATES = '(?:is|are|remains?|has been|have been)';
const DEGREE = '(?:still |also |often |usually )?(?:an? |one of the |the )?(?:most |[a-z]+ly )?';
const MOTIVES =
  '(?:important|fundamental|challenging|crucial|critical|essential|difficult|key|central|' +
  'long-standing|open|unclear|unknown|elusive|poorly|controversial|popular|limited|ubiquitous|debated)';

/** Labels of structured abstracts, in capitals as in PubMed. */
const findingLabel = /^(?:MAIN )?(?:RESULTS?|CONCLUSIONS?|FINDINGS?|INTERPRETATION)\b/;
const settingLabel =
  /^(?:OBJECTIVES?|AIMS?|PURPOSE|BACKGROUND|INTRODUCTION|CONTEXT|METHODS?|METHODOLOGY|MATERIALS|DESIGN|SETTING|IMPORTANCE|RATIONALE|HYPOTHESIS|INTERVENTIONS?|PARTICIPANTS|PATIENTS|MAIN OUTCOME|DATA SOURCES|STUDY)\b/;

const finding = new RegExp(
  `\\b${REPORTERS} ${ADVERB}(?:(?:in|on|from|of|for) .{1,60}? )?${ADVERB}${REPORTS}|` +
    `\\band ${ADVERB}${REPORTS}[a-z]* that\\b|\\b(?:outperform|surpass)`,
  'i',
);
const announcement = new RegExp(
  [
    `\\bin (?:this|the present|the current|our) ${PAPER}\\b`,
    `\\b(?:this|the present|the current|our) ${PAPER} ${ADVERB}${AIMS}`,
    `\\b(?:we|i|authors) ${ADVERB}${AUXILIARY}${ADVERB}${AIMS}`,
    '\\b(?:aims?|purpose|objectives?|goal)\\b(?: of .{1,60})? (?:is|was|were|are)\\b',
    '^to (?:determine|assess|evaluate|investigate|examine|compare|test|explore|identify|address|tackle|solve)\\b',
  ].join('|'),
  'i',
);
const background = new RegExp(
  [
    '^(?:despite|although|while|recent|recently|however|unfortunately|yet|nevertheless|traditionally|existing|previous|prior|current|conventional)\\b',
    `\\b${STATES} ${DEGREE}${MOTIVES}\\b`,
    '\\b(?:has|have) (?:recently |also )?(?:attracted|received|gained|emerged|become|drawn)\\b',
    '\\b(?:little|less|not much) is known\\b',
    '\\bnot (?:well|fully|yet) (?:understood|been)\\b',
  ].join('|'),
  'i',
);

/**
 * Returns the role of a sentence. A label decides before words do, and a sentence that announces and
 * reports ("We propose X and show that it outperforms Y") is a finding.
 */
export function rhetoricalRole(sentence: string): RhetoricalRole {
  if (settingLabel.test(sentence)) return 'announcement';
  if (findingLabel.test(sentence) || finding.test(sentence)) return 'finding';
  if (announcement.test(sentence)) return 'announcement';
  return background.test(sentence) ? 'background' : 'other';
}
