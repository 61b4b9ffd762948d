/**
 * The word lists of the sentence splitter for German, French, and Spanish, which have those of English
 * besides, except for the words that begin a sentence. Data only.
 */
import { ENGLISH, type SentenceWords } from './abbreviations.ts';
import type { TextLanguage } from './language.ts';

const german = extended({
  hasOrdinals: true,
  // Of those in two parts, such as "z. B.", the last ones. A single letter is an initial anyway.
  neverFinal: `
    Abb Abk Abs Abschn Anm Aufl Bd Bde Best Bez bez bspw bzgl bzw Chr dt einschl engl entspr evtl exkl Fa
    franz geb gegr gem gest ggf ggfs griech inkl insb insbes jew Kap lat lt max min mind mglw Mio Mrd
    Mwst Nr od österr phil rd rel resp schweiz sog St Std Str Tel Temp tgl u.a u.U usf Verf vergl vgl
    Vgl vs z.B z.T zit zzgl
  `,
  beforeNumber: 'Art Bd Jan Feb Apr Aug Sept Okt Nov Dez S Seite Ziff',
  beforeOpener: 'usw etc ff Hrsg Jh Jhd dgl Co GmbH',
  openers: `
    Der Die Das Des Dem Den Ein Eine Einem Einen Einer Eines Dieser Diese Dieses Diesem Diesen Jede
    Jeder Jedes Alle Beide Viele Einige Mehrere Andere Wir Ich Er Sie Es Man Unsere Unser Ihre Ihr Seine
    Sein In Im An Am Auf Aus Bei Beim Für Von Vom Vor Mit Nach Nachdem Ohne Seit Seitdem Trotz Über Um
    Unter Während Wegen Zu Zum Zur Zwischen Durch Gegen Bis Dabei Dadurch Dafür Dagegen Daher Dann Damit
    Danach Darüber Da Dass Deshalb Dennoch Doch Jedoch Aber Und Oder Auch Also Allerdings Außerdem
    Ferner Folglich Hier Hierbei Hierzu Insgesamt Ist Kann Kein Keine Nicht Nur Ob Obwohl Schließlich
    So Somit Sowohl Weil Weiterhin Wenn Weder Welche Wie Warum Was Wer Wird Zudem Zuerst Zunächst
    Zusätzlich Hintergrund Ziel Ziele Methode Methoden Methodik Ergebnis Ergebnisse Schlussfolgerung
    Schlussfolgerungen Fazit Einleitung Diskussion
  `,
});

const french = extended({
  neverFinal: `
    ap av chap Cf cf coll dir éd éds env ex Ex fasc fig Fig hab max min MM Mgr Mlle Mme Mmes
    obs p.ex réf Réf rééd sc St Ste suiv tab Tab trad
  `,
  beforeNumber: 'art Art janv févr avr juil sept oct nov déc no nos pp t vol',
  beforeOpener: 'etc al Cie',
  openers: `
    Le La Les Un Une Des Du De Ce Cet Cette Ces Chaque Tous Toutes Plusieurs Certains Certaines Nous Il
    Ils Elle Elles On Notre Nos Leur Leurs Son Sa Ses Dans En À Au Aux Avec Sans Sous Sur Par Pour
    Parmi Pendant Depuis Dès Après Avant Entre Chez Contre Selon Lors Lorsque Quand Comme Si Afin Ainsi
    Alors Aussi Bien Car Cependant Cela Ceci Celui Celle Donc Enfin Ensuite Et Mais Or Ou Où Néanmoins
    Notamment Par Puis Puisque Quant Que Quel Quelle Quelles Quels Qui Toutefois Pourtant Pourquoi
    Comment Contexte Introduction Objectif Objectifs But Buts Matériel Méthode Méthodes Patients
    Résultat Résultats Conclusion Conclusions Discussion
  `,
});

const spanish = extended({
  neverFinal: `
    Cf cf D Dª Dña Dr Dra Dras Dres EE Fdo fig Fig figs Figs gral ej Ej máx mín p.ej prof Prof Profa
    Sr Sra Sras Sres Srta Sta Sto tab Tab Ud Uds
  `,
  beforeNumber: 'art Art cap ene feb abr ago sept oct nov dic núm núms Núm no pág págs pp t vol',
  beforeOpener: 'etc al aprox Cía Ltda UU',
  openers: `
    El La Los Las Lo Un Una Unos Unas Este Esta Estos Estas Esto Ese Esa Esos Esas Aquel Aquella Cada
    Todos Todas Ambos Ambas Varios Varias Algunos Algunas Muchos Muchas Otros Otras Nosotros Ellos Ellas
    Él Ella Se Su Sus Nuestro Nuestra Nuestros Nuestras En Al De Del A Con Sin Sobre Por Para Entre Desde
    Durante Hasta Hacia Tras Según Mediante Además Así Aunque Como Cómo Cuando Cuándo Cuál Cuáles Qué
    Donde Dónde Debido Después Antes Entonces Finalmente Hay Luego Mientras No Ni O Pero Porque Por
    Posteriormente Pues Que Quién Si Sí Sin Sino También Tampoco Y Ya Antecedentes Contexto Introducción
    Objetivo Objetivos Material Método Métodos Pacientes Resultado Resultados Conclusión Conclusiones
    Discusión
  `,
});

const byLanguage: Partial<Record<TextLanguage, SentenceWords>> = {
  de: german,
  fr: french,
  es: spanish,
};

/** Returns the words of a language, those of English if it has none of its own. */
export function sentenceWordsOf(language: TextLanguage): SentenceWords {
  return byLanguage[language] ?? ENGLISH;
}

interface Lists {
  neverFinal: string;
  beforeNumber: string;
  beforeOpener: string;
  openers: string;
  hasOrdinals?: boolean;
}

function extended({ hasOrdinals = false, ...lists }: Lists): SentenceWords {
  const { neverFinal, beforeNumber, beforeOpener } = ENGLISH;
  return {
    hasOrdinals,
    neverFinal: new Set([...neverFinal, ...words(lists.neverFinal)]),
    beforeNumber: new Set([...beforeNumber, ...words(lists.beforeNumber)]),
    beforeOpener: new Set([...beforeOpener, ...words(lists.beforeOpener)]),
    openers: new Set(words(lists.openers)),
  };
}

function words(list: string): string[] {
  return list.trim().split(/\s+/);
}
