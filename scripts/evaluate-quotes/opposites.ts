/**
 * Pairs of words that say the opposite in the place of the other, as they stand in abstracts. Written
 * before the table of the program, without copying from one to the other. The errors of pairs at even
 * places were used to extend that table; the others, of which two errors were, measure what it does with
 * words that it was not made for.
 */
const PAIRS = `
increased/decreased increases/decreases increase/decrease increasing/decreasing elevated/reduced
increased/reduced increased/lower increase/reduction rose/fell rise/fall rising/falling raised/lowered
grew/shrank growth/decline gains/losses gain/loss gained/lost higher/lower high/low highest/lowest
more/less more/fewer most/least greater/smaller greater/lesser larger/smaller large/small largest/smallest
many/few majority/minority maximum/minimum maximal/minimal maximize/minimize maximizing/minimizing
upper/lower above/below over/under before/after prior/subsequent earlier/later early/late preceding/following
precedes/follows previous/subsequent first/last initial/final beginning/end onset/offset start/stop
improved/worsened improves/worsens improve/worsen improvement/deterioration improving/degrading
improved/impaired improves/degrades better/worse best/worst enhanced/diminished enhances/attenuates
enhance/suppress enhancement/suppression enhanced/suppressed enhancing/weakening strengthened/weakened
stronger/weaker strong/weak strongest/weakest strongly/weakly with/without positive/negative
positively/negatively presence/absence present/absent presence/lack activated/inhibited activates/inhibits
activate/inhibit activation/inhibition activation/repression active/inactive activator/inhibitor
activating/inhibiting stimulated/inhibited stimulates/inhibits stimulate/inhibit stimulation/inhibition
promoted/inhibited promotes/inhibits promote/suppress promotes/prevents promoting/blocking induced/blocked
induces/prevents induce/suppress induction/repression upregulated/downregulated up-regulated/down-regulated
upregulation/downregulation overexpression/knockdown upstream/downstream agonist/antagonist
agonists/antagonists beneficial/harmful benefit/harm benefits/harms protective/harmful protects/harms
advantage/disadvantage advantages/disadvantages efficient/inefficient effective/ineffective
sufficient/insufficient significant/nonsignificant significantly/insignificantly dependent/independent
direct/indirect directly/indirectly known/unknown stable/unstable stability/instability able/unable
possible/impossible likely/unlikely common/rare commonly/rarely frequent/rare frequently/rarely often/seldom
always/never similar/different similarity/difference same/different identical/distinct consistent/inconsistent
equal/unequal symmetric/asymmetric balanced/imbalanced normal/abnormal healthy/diseased healthy/sick
benign/malignant acute/chronic mild/severe old/young older/younger male/female men/women adult/juvenile
adults/children long/short longer/shorter longest/shortest long-term/short-term fast/slow faster/slower
rapid/slow rapidly/slowly quickly/slowly accelerated/slowed accelerates/delays advanced/delayed
primary/secondary inner/outer internal/external internally/externally inside/outside intracellular/extracellular
anterior/posterior dorsal/ventral proximal/distal left/right front/back top/bottom near/far nearer/farther
deep/shallow wide/narrow broad/narrow thick/thin dense/sparse rich/poor heavy/light hot/cold warm/cool dry/wet
simple/complex easy/difficult easily/hardly hard/soft sensitive/insensitive sensitive/resistant
susceptible/resistant sensitivity/resistance susceptibility/resistance resistant/vulnerable
toxic/nontoxic safe/unsafe safe/dangerous correct/incorrect correctly/incorrectly accurate/inaccurate right/wrong
true/false supported/refuted supports/contradicts confirmed/refuted confirm/contradict confirms/refutes
agree/disagree agreement/disagreement accepted/rejected accept/reject included/excluded including/excluding
includes/excludes include/exclude inclusion/exclusion allowed/prevented allows/prevents enable/prevent
enables/prevents facilitates/hinders facilitate/impede causes/prevents caused/prevented cause/prevent
survival/death survived/died alive/dead mortality/survival success/failure successful/unsuccessful
successfully/unsuccessfully succeeds/fails succeeded/failed winners/losers open/closed opening/closing
added/removed adding/removing adds/removes addition/removal gain-of-function/loss-of-function
expansion/contraction expanded/contracted convergence/divergence converge/diverge convergent/divergent
synthesis/degradation degraded/synthesized phosphorylation/dephosphorylation methylation/demethylation
hypermethylation/hypomethylation hypertension/hypotension hyperglycemia/hypoglycemia anabolic/catabolic
excitatory/inhibitory pro-inflammatory/anti-inflammatory proinflammatory/antiinflammatory
pro-apoptotic/anti-apoptotic influx/efflux import/export afferent/efferent systolic/diastolic
dominant/recessive homozygous/heterozygous homogeneous/heterogeneous prospective/retrospective
prospectively/retrospectively supervised/unsupervised linear/nonlinear parametric/nonparametric
continuous/discrete static/dynamic local/global locally/globally explicit/implicit explicitly/implicitly
single/multiple public/private manual/automatic manually/automatically convex/concave lossless/lossy
bounded/unbounded biased/unbiased labeled/unlabeled seen/unseen online/offline forward/backward
ascending/descending horizontal/vertical parallel/sequential input/output inputs/outputs encoder/decoder
constant/variable unchanged/changed exceeded/trailed outperforms/underperforms outperformed/underperformed
overestimate/underestimate overestimated/underestimated superior/inferior superiority/inferiority
favorable/unfavorable desirable/undesirable necessary/unnecessary relevant/irrelevant reversible/irreversible
regular/irregular mature/immature complete/incomplete adequate/inadequate appropriate/inappropriate
responsive/unresponsive expected/unexpected trained/untrained treated/untreated vaccinated/unvaccinated
exposed/unexposed smokers/nonsmokers responders/nonresponders diabetic/nondiabetic invasive/noninvasive
aerobic/anaerobic adaptive/maladaptive underweight/overweight obese/lean maternal/paternal
mothers/fathers urban/rural day/night fully/partially completely/partially entirely/partly
temporary/permanent transient/permanent transient/persistent mobile/immobile attractive/repulsive
into/from toward/away against/for up/down upward/downward all/none everyone/nobody
both/neither ever/never encourages/discourages hindered/helped alleviates/aggravates alleviate/exacerbate
ameliorated/exacerbated ameliorates/aggravates mitigates/exacerbates mitigate/amplify amplifies/dampens
attenuated/amplified attenuates/potentiates restored/abolished restores/disrupts maintained/disrupted
preserves/destroys preserved/lost accumulated/depleted accumulation/depletion enriched/depleted
recruited/excluded acquired/congenital inherited/acquired differentiated/undifferentiated
`;

export const opposites: readonly (readonly [string, string])[] = PAIRS.trim()
  .split(/\s+/)
  .map((pair) => pair.split('/') as [string, string]);
