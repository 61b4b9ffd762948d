/** Words that say the opposite of each other: rose and fell, before and after, stable and unstable. */
import { termOf } from '../../text/terms.ts';

/**
 * One axis in a line, with the words of its two poles. Inflections that share a stem need not be listed:
 * "increased" is "increase". A word may be on several axes.
 */
const AXES = `
increase rise rose risen raise grow grew grown growth gain climb elevate elevation escalate high higher highest more most great greater greatest large larger largest big bigger many up upward upper above over exceed maximum maximal maximize max expand expansion accumulate accumulation increment surge double | decrease fall fell fallen lower lowered low lowest reduce reduction decline drop diminish dwindle lessen less lesser least few fewer fewest loss lose lost shrink shrank shrunk small smaller smallest little down downward below beneath under minimum minimal minimize min contract contraction deplete depletion decrement plunge halve
enhance enhancement amplify amplification augment potentiate strengthen strength strong stronger strongest intensify boost sustain maintain | attenuate attenuation suppress suppression reduce reduction diminish impair impairment weaken weakness weak weaker weakest dampen blunt decrease abolish abrogate disrupt disruption
improve improvement better best good ameliorate ameliorates alleviate benefit beneficial help helpful mitigate recover recovery restore restoration heal favorable relieve relief | worsen worse worst bad poor poorer poorest deteriorate deterioration degrade degradation aggravate exacerbate harm harmful hurt impair impairment hinder detriment detrimental damage adverse decline amplify abolish disrupt
protect protection protective preserve preservation save safe safety | harm harmful damage destroy destruction danger dangerous endanger hazard hazardous toxic lose lost risk risky
activate activation activator activating active stimulate stimulatory induce induction trigger promote promoter facilitate enable excite excitatory express overexpression switch | inhibit suppress suppression suppressor repress repression block blockade silence silencing knockdown knockout deactivate prevent prevention hinder impede inactive passive restrain disable abolish abrogate quench inhibitor inhibitory
allow permit enable let cause causes encourage support promote facilitate | prevent prevention forbid prohibit block disallow impede hinder preclude discourage inhibit disable avoid
agonist | antagonist
positive plus | negative minus
positively | negatively
present presence exist existence available | absent absence lack missing
include inclusion inclusive contain recruit | exclude exclusion exclusive omit
add addition attach insert | remove removal subtract subtraction detach delete deletion
accept acceptance approve approval | reject rejection decline refuse refusal
support confirm confirmation prove verify corroborate consistent | contradict contradiction refute disprove oppose challenge undermine inconsistent
agree agreement accord | disagree disagreement conflict
similar similarity same identical alike equal equivalent resemble | different difference differ distinct dissimilar opposite unequal other
common frequent often usual prevalent ubiquitous | rare seldom infrequent unusual uncommon occasional scarce
always | never seldom rarely
all every everything everyone everybody | none nothing nobody some
any ever | never none
both | neither
with | without
major majority most | minor minority
before prior previous precede earlier early earliest former pre | after subsequent follow later late latest latter post since
until | after
first initial initially begin began begun beginning start onset open opening early | last final finally end ending finish stop offset close closing terminate late
old older oldest elderly aged | young younger youngest new newer
new newer novel recent modern | old older ancient
fast faster fastest rapid quick quicker quickly accelerate acceleration speed hasten prompt advance | slow slower slowest slowly sluggish gradual delay decelerate deceleration retard slowdown
long longer longest lengthen prolong chronic extend | short shorter shortest shorten brief acute
chronic lasting permanent persistent persist stable sustained | acute transient temporary short brief
continuous constant | discrete intermittent variable varying discontinuous
change vary variable | constant unchanged preserve fixed
static fixed rigid | dynamic mobile flexible
mild gentle moderate slight modest | severe intense harsh strong serious marked
benign | malignant
healthy health normal well | ill sick diseased disease patient abnormal
survive survivor survival alive live living | die died dead death lethal fatal mortality
male man men boy father paternal | female woman women girl mother maternal
adult grown | child children juvenile infant pediatric adolescent
obese overweight fat | lean underweight thin
wide wider broad broader | narrow narrower
thick thicker | thin thinner
deep deeper | shallow shallower superficial
heavy heavier | light lighter
dense denser | sparse sparser
rich richer abundant full | poor poorer scarce empty
hot hotter warm warmer heat | cold colder cool cooler
wet moist humid | dry dryer arid
bright light day | dark darkness night
hard harder | soft softer easy easier
easy easier easily simple simpler simply | difficult difficulty hard harder hardly complex complicated complexity
simple single uniform | complex multiple compound
single one individual alone | multiple many several group together
full fully complete completely entire entirely total totally whole | partial partially partly empty half
near nearer nearby close closer proximal proximity adjacent | far farther further distant distal remote
inside inner interior internal inward within | outside outer exterior external outward beyond outwith
into | from out
onto on | off
toward towards | away
left | right
right correct true accurate | wrong false incorrect inaccurate mistaken erroneous
top upper front anterior rostral superior | bottom lower back rear posterior caudal inferior
dorsal | ventral
medial | lateral
cranial | caudal
horizontal | vertical
forward ascend ascending | backward descend descending reverse
parallel simultaneous concurrent | sequential serial successive orthogonal perpendicular
superior outperform surpass win winner won exceed | inferior underperform lose loser lost trail lag
advantage strength | disadvantage drawback weakness
succeed succeeded success successful successfully achieve pass | fail failure
sensitive sensitivity susceptible susceptibility vulnerable responsive | resistant resistance resist tolerant tolerance refractory insensitive robust immune
for favor | against
import influx uptake enter absorb inhale | export efflux release exit excrete exhale
afferent | efferent
synthesize synthesis build assemble anabolic form formation | degrade degradation destroy disassemble catabolic break breakdown
oxidize oxidation | reduce reduction
gain | loss lose
differentiate | dedifferentiate
dominant | recessive
systolic | diastolic
congenital innate inherited hereditary | acquired learned
primary | secondary
donor sender | recipient receiver
attract attraction attractive | repel repulsion repulsive
linear | nonlinear exponential
convex | concave
local | global
public open | private closed secret
rural | urban
automatic automated | manual
explicit overt | implicit covert
lossless | lossy
encoder encode | decoder decode
online | offline
theory theoretical | practice empirical practical
prospective | retrospective
homogeneous uniform | heterogeneous diverse
homozygous | heterozygous
aerobic | anaerobic
general universal | specific particular
necessary needed required | unnecessary optional
adaptive | maladaptive
direct | indirect inverse
buy supply | sell demand
central center | peripheral periphery marginal
past | future
past previous | present current
birth born | death
absolute | relative
acidic acid | alkaline basic
qualitative | quantitative
objective | subjective
natural | artificial synthetic
spontaneous | induced
actual | potential
gross | net
cooperate cooperation | compete competition
domestic native | foreign
question | answer
gradual slow | sudden abrupt
synergistic synergy | antagonistic antagonism
digital | analog analogue
fertile | sterile
cheap | expensive
establish keep found find | abolish lose lost
come arrive | go leave
integrate together joint join unite | segregate separate divide
move change | stay remain
concentrate concentration concentrated | dilute dilution disperse distribute
repair | damage break
eukaryotic | prokaryotic
haploid | diploid polyploid
autologous | heterologous allogeneic
liquid | solid
mental | physical
national | international
sleep asleep | wake awake
competent sufficient | deficient insufficient
parent | child offspring
north northern | south southern
east eastern | west western
`;

/** Prefixes of which the second one makes the opposite, if what follows them is the same. */
const PREFIXES = [
  ...['/un', '/in', '/im', '/il', '/ir', '/dis', '/ab', '/de', '/anti', '/mis', '/mal', '/counter'],
  ...['hyper/hypo', 'over/under', 'up/down', 'pre/post', 'pro/anti', 'pro/retro', 'intra/extra'],
  ...['intra/inter', 'in/ex', 'im/ex', 'in/out', 'in/de', 'ac/de', 'en/dis', 'as/dis', 'con/di'],
  ...['endo/exo', 'micro/macro', 'mono/poly', 'homo/hetero', 'sub/super', 'uni/multi', 'uni/bi'],
  ...[
    'for/back',
    'ana/cata',
    'eu/dys',
    'up/under',
    'hyper/normo',
    'hypo/normo',
    'ob/sub',
    'bi/multi',
  ],
].map((pair) => pair.split('/') as [string, string]);
/** "a" makes the opposite of few words, and begins many others. */
const AFTER_A_MIN = 7;
const STEM_MIN = 3;

const poles = new Map<number, Set<number>>();
for (const [axis, line] of AXES.trim().split('\n').entries()) {
  for (const [side, words] of line.split('|').entries()) {
    for (const word of words.trim().split(' ')) {
      const term = termOf(word);
      poles.set(term, (poles.get(term) ?? new Set()).add(side === 0 ? axis + 1 : -axis - 1));
    }
  }
}

/** Whether two words, in lower case, are opposites. */
export function areOpposite(one: string, other: string): boolean {
  const [own, others] = [polesOf(one), polesOf(other)];
  if (own !== undefined && others !== undefined) {
    for (const pole of own) if (!others.has(pole) && others.has(-pole)) return true;
  }
  return differInPrefix(one, other) || differInPrefix(other, one) || differInSuffix(one, other);
}

/** The stem of "strongly" is another one than that of "strong". */
function polesOf(word: string): ReadonlySet<number> | undefined {
  return poles.get(termOf(word)) ?? poles.get(termOf(word.replace(/ly$/, '')));
}

function differInPrefix(one: string, other: string): boolean {
  for (const [left, right] of PREFIXES) {
    if (!one.startsWith(left) || !other.startsWith(right)) continue;
    const rest = one.slice(left.length);
    // "pro-" and "anti-" may stand alone before a hyphen.
    const isLong = rest.length >= STEM_MIN || (rest === '' && left !== '');
    if (isLong && isSame(rest, other.slice(right.length))) return true;
  }
  return one.length >= AFTER_A_MIN && other.startsWith('a') && isSame(one, other.slice(1));
}

/** "harmful" and "harmless". */
function differInSuffix(one: string, other: string): boolean {
  const pairs = [one, other].map((word) => /^(.{3,})(ful|less)(ly)?$/.exec(word));
  return (
    pairs[0]?.[1] !== undefined && pairs[0][1] === pairs[1]?.[1] && pairs[0][2] !== pairs[1]?.[2]
  );
}

function isSame(one: string, other: string): boolean {
  return one === other || (one[0] === other[0] && termOf(one) === termOf(other));
}
