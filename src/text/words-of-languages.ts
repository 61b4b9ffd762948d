/**
 * Words by which languages in Latin script are told apart, and which a question does not look up. Data
 * only, in lower case and without diacritics, as `wordsOf` makes words. None of them is an English stop
 * word.
 */

/** Languages in Latin script besides English. */
export const wordsByLanguage = {
  de: words(`
    aber als auch auf aus bei beim bis da dadurch dafur damit daran das dass dem den denn der des
    dessen die diese diesem diesen dieser dieses durch ein eine einem einen einer eines es fur gegen
    gibt haben hat hatte hatten ihre ihrem ihren ihrer im ist jede jeder jedoch kann kein keine konnen
    konnte man mehr mit nach nicht noch nur ob oder ohne sehr sein seine seit sich sie sind sowie
    uber um und unter viel vom von vor warum wann warden waren weil welche welchem welchen welcher
    welches wenn wer werden wie wieso wird wo wodurch wofur womit wurde wurden zu zum zur zwischen
  `),
  fr: words(`
    afin ainsi apres au aucun aussi autre autres aux avait avant avec c ce cela ces cet cette ceux
    chaque combien comme comment d dans de depuis des deux donc dont du elle elles en encore entre
    est et etaient etait ete etre eux font fait il ils j je jusqu l la le les leur leurs lors
    lorsque lorsqu m mais meme moins n ne notre nous ont ou par parce pas pendant peut peuvent plus
    pour pourquoi qu quand que quel quelle quelles quels qui quoi s sans se selon ses si son sont
    sous sur t tous tout toute toutes tres un une vers vous
  `),
  es: words(`
    al ante aunque cada como con contra cual cuales cuando cuanto cuantos de del desde donde dos
    durante e el ella ellos en entre era eran es esta estan estas este esto estos fue fueron ha han
    hasta hay la las lo los mas mediante mientras muy ni o otra otras otro otros para pero por porque
    pueden puede que quien se segun ser si sin sobre su sus tambien tan tiene tienen todo todos tras
    un una unos y ya
  `),
  it: words(`
    agli ai al alla alle anche c che chi ci come con cosa cui d da dal dalla dalle dei del della delle
    dello di dove e ed era erano essere fra gli ha hanno il invece l la le lo loro ma mediante
    mentre nei nel nella nelle non o ogni perche piu possono puo qual quale quali quando quanto
    quella quelle quello questa queste questi questo se si sia sono su sua sue sui sulla suo tra tutti
    tutto un una uno viene vengono
  `),
  pt: words(`
    ao aos apenas apos ate cada com como da das de del dela dele dos durante e ela eles em entre era
    eram essa esse esta estao este estes foi foram ha isso isto ja la mais mas mesmo muito na nao nas
    nem nos num numa o onde os ou para pela pelas pelo pelos por porque pode podem qual quais quando
    quanto que quem se sem ser seu seus sao sobre sua suas tambem tem um uma umas
  `),
  nl: words(`
    aan al als bij dan dat de deze die dit door dus een en er geen heeft hebben het hij hoe hoeveel
    hun kan konden kunnen maar meer met na naar niet nog nu ook omdat ons op sinds te tegen
    ten tot tussen uit vaak van veel voor waar waarom waardoor wanneer waren wat welke werd werden wie
    wij worden wordt zeer zich zij zijn zo zoals zonder
  `),
} as const;

export type WordedLanguage = keyof typeof wordsByLanguage;

/** Those of them that English texts have in names and in citations: "El Niño", "de la Cruz", "die casting". */
export const wordsInNames: ReadonlySet<string> = new Set(
  words(`
    al au aus c con d da das de del dela dem den der des di die dos du e ein el em en er es et
    gli il im j l la las le les lo los m man mas met mit n na non nos o op os par s se sem si son
    sur t te ten tot um un van vom von y zum zur
  `),
);

/** They ask, and mean nothing in English, so that one is enough if no English word is beside it. */
export const wordsThatAsk: ReadonlySet<string> = new Set(
  words(`
    warum welche welchem welchen welcher welches wie wieso wodurch wofur womit pourquoi quel quelle
    quelles quels cual cuales cuanto cuantos perche quale quali qual quais waarom wanneer welke
  `),
);

/** English stop words that some of these languages have as well, so that they tell nothing. */
export const wordsOfSeveral: ReadonlySet<string> = new Set(
  words('a also am an as do had in is me no of on or over so under was we were will'),
);

function words(list: string): readonly string[] {
  return list.trim().split(/\s+/);
}
