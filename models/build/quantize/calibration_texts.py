"""Texts that the ranges of activations are measured with."""

# Written for calibration. They cover many fields and formats.
CALIBRATION_TEXTS = (
    "Does vitamin D lower the risk of falls in older adults?",
    "aspirin",
    "Transformers pretrained on code generalise to unseen programming languages.",
    "We randomised 1,204 patients (mean age 61.3 years, 48% women) to 20 mg/day or placebo; "
    "all-cause mortality was 4.1% versus 5.9% (hazard ratio 0.69, 95% CI 0.51 to 0.93, P = 0.015).",
    "BACKGROUND: Chronic kidney disease is a growing burden. METHODS: We searched four databases.",
    "Loss of p53 and RB1 in Lgr5+ stem cells accelerates adenoma formation in Apc(min/+) mice, "
    "whereas deletion of Cdkn1a does not.",
    "The IL-6/JAK/STAT3 axis is activated in CD8+ T cells after anti-PD-1 treatment.",
    "How do galaxies quench their star formation at z > 2?",
    "We prove that every finite group of odd order is solvable, following Feit and Thompson.",
    "Let $f: \\mathbb{R}^n \\to \\mathbb{R}$ be convex with L-Lipschitz gradient; then "
    "$f(x_k) - f^* \\le \\frac{2L\\|x_0 - x^*\\|^2}{k+4}$.",
    "H2O2 + 2 Fe2+ + 2 H+ -> 2 Fe3+ + 2 H2O",
    "The perovskite CH3NH3PbI3 reaches a power conversion efficiency of 22.1% at 25 °C.",
    "Increasing atmospheric CO₂ acidifies the ocean (ΔpH ≈ −0.1) and slows coral calcification.",
    "Bayesian hierarchical models shrink noisy county estimates towards the national mean.",
    "graph neural networks molecule property prediction benchmark",
    "Is there evidence that minimum wages reduce teenage employment?",
    "Children who slept less than nine hours had poorer working memory one year later, even after "
    "adjusting for family income, screen time and physical activity; the effect was small.",
    "SARS-CoV-2 spike D614G increases infectivity, but neutralising titres stay the same.",
    "Le réchauffement climatique modifie la répartition des espèces alpines.",
    "Die Übertragung von Malaria durch Anopheles-Mücken hängt von der Temperatur ab.",
    "深度学习在医学图像分割中的应用",
    "Нейронные сети и распознавание речи",
    "def softmax(x): return np.exp(x - x.max()) / np.exp(x - x.max()).sum()",
    "Table 3. n = 12; 0.45 ± 0.03; 1.20 ± 0.11; 7.8e-4; < 0.001; †P < 0.05; ‡P < 0.01",
    "WHAT CAUSES ANTIBIOTIC RESISTANCE IN HOSPITALS???",
    "See Fig. 2a, Supplementary Methods, and doi:10.1000/xyz123 [12-15].",
    "In the two-slit experiment, interference vanishes once which-path information exists.",
    "The court held that the statute's plain language, not its legislative history, controlled.",
    "Soil microbial biomass carbon declined by 31% within five years of converting native "
    "grassland to maize, and no-till management restored less than half of the loss; fungi were "
    "more sensitive than bacteria, which suggests that disturbance rather than nutrient supply "
    "drives the response. We conclude that reserves of native vegetation are worth keeping.",
    "Magnetic resonance imaging (MRI) of the hippocampus at 7 T resolves its subfields.",
    "Women in the early medieval period were buried with brooches, beads, and weaving swords.",
    "Quantum error correction with surface codes needs a physical error rate below about 1%.",
    "🙂 :-) <p>no &amp; yes</p> --- *** (((",
    "a",
    "Dietary fibre, gut microbiota and short-chain fatty acids: a systematic review.",
    "The proportion of patients who relapsed within 12 months was lower after cognitive therapy "
    "than after medication alone, in contrast to what had been reported earlier.",
)
