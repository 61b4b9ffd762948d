/** Element names in titles and abstracts of HTML, JATS, MathML, PubMed and the ACL Anthology. */

/** Elements that end a paragraph. */
export const BLOCK_NAMES: readonly string[] =
  `abstract trans-abstract sec p title list list-item def-list def-item disp-formula disp-quote
  boxed-text br break div section ul ol li dl dt dd h1 h2 h3 h4 h5 h6 table tr caption fig
  abstracttext blockquote hr`.split(/\s+/);

/** Elements within a paragraph. */
export const INLINE_NAMES: readonly string[] =
  `a abbr alternatives annotation annotation-xml article-title b big bold cite code del dfn em email
  ext-link fixed-case fn font i inf inline-formula inline-graphic ins italic kbd label math
  monospace named-content overline q ref roman s samp sans-serif sc scp small source span strike
  strong styled-content sub sup tex-math tt u underline uri url var xref
  maction menclose mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot
  mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none
  semantics`.split(/\s+/);
