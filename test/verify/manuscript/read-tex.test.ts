/** Lists of references in TeX, as BibTeX styles write them. */
import { beforeAll, expect, it } from 'vitest';
import { loadTex } from '../../../src/ingest/values/tex.ts';
import { readTex } from '../../../src/verify/manuscript/read-tex.ts';

beforeAll(loadTex);

it.each<[style: string, item: string, expected: string]>([
  [
    'of the AAS',
    `\\bibitem[{{Berg} {et~al.}(2015){${'{Berg}, '.repeat(2_000)}}]{a}
{Berg}, A., {Dahl}, B., {et~al.} 2015, \\apj, 812, 5, \\dodoi{10.5555/tides}`,
    'Berg, A., Dahl, B., et al. 2015, apj, 812, 5, 10.5555/tides',
  ],
  [
    'of REVTeX',
    `\\bibitem [{\\citenamefont {Berg}(2017{\\natexlab{a}})}]{a}%
  \\BibitemOpen
  \\bibfield  {author} {\\bibinfo {author} {\\bibfnamefont {A.}~\\bibnamefont {Berg}}, }\\href@noop {} {\\bibfield {journal} {\\bibinfo {journal} {Mon.\\ Rev.}\\ }\\textbf {\\bibinfo {volume} {465}},\\ \\bibinfo {pages} {4838} (\\bibinfo {year} {2017})}\\BibitemShut {NoStop}%`,
    'A. Berg, Mon. Rev. 465, 4838 (2017)',
  ],
  [
    'of the IEEE',
    `\\bibitem{a}
\\BIBentryALTinterwordspacing
A.~Berg, \`\`{\\BIBforeignlanguage{en}{Tides},}'' \\emph{Shores}, vol.~1, 2020.`,
    'A. Berg, “Tides,” Shores, vol. 1, 2020.',
  ],
  [
    'of the ACM',
    `\\bibitem[\\protect\\citeauthoryear{Berg}{Berg}{[n.d.]}]%
        {a}
\\bibfield{author}{\\bibinfo{person}{Anna Berg}.} \\bibinfo{year}{2020}\\natexlab{}.
\\newblock \\showarticletitle{Tides of Shores}. \\bibinfo{journal}{\\emph{Notes}} (\\bibinfo{year}{2020}).`,
    'Anna Berg. 2020. Tides of Shores. Notes (2020).',
  ],
])('in the style %s', (_, item, expected) => {
  const list = `\\begin{thebibliography}{9}\n${item}\n\\bibitem{b} Next.\n\\end{thebibliography}`;
  expect(readTex(list).references).toMatchObject([
    { name: 'a', reference: expected },
    { name: 'b', reference: 'Next.' },
  ]);
});
