/** The report about a manuscript as one page that needs nothing else: it runs no script and loads nothing. */
import type { ComponentChildren } from 'preact';
import { doubtfulFirst, summaryOf } from '../../verify/manuscript/verdict-words.ts';
import type {
  CheckedReference,
  ManuscriptReport,
} from '../../verify/manuscript/verify-manuscript.ts';
import { Card } from '../components/card.tsx';
import { PageHead } from '../components/page-head.tsx';
import { loadTex } from '../components/tex-text.tsx';
import { loadAssets } from '../page/assets.ts';
import { renderDocument } from '../page/render-document.ts';
import { CheckedItem } from './checked-item.tsx';
import { QuoteDetails } from './quote-details.tsx';
import { ReferenceDetails } from './reference-details.tsx';

/** Returns HTML. `name` is that of the manuscript. */
export async function writeReport(report: ManuscriptReport, name: string): Promise<string> {
  await loadTex();
  const { references, quotes, unread } = report;
  return renderDocument(
    <Page title={`References of ${name}`}>
      <PageHead title="References and quotes">
        <bdi>{name}</bdi>: {summaryOf(report)}.
      </PageHead>
      {unread.length === 0 ? null : (
        <ul class="bullets">
          {unread.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {quotes.length === 0 ? null : (
        <Card id="quotes" title="Quotes">
          <ul class="citations">
            {doubtfulFirst(quotes).map((quote, at) => (
              <CheckedItem key={String(at)} checked={quote} name={`line ${quote.line}`}>
                <QuoteDetails checked={quote} />
                <PlaceLine {...quote} />
              </CheckedItem>
            ))}
          </ul>
        </Card>
      )}
      <Card id="references" title="References">
        <ul class="citations">
          {doubtfulFirst(references).map((reference, at) => (
            <CheckedItem key={String(at)} checked={reference} name={reference.name}>
              <ReferenceDetails checked={reference} id={String(at)} />
              <PlaceLine {...reference} />
            </CheckedItem>
          ))}
        </ul>
      </Card>
    </Page>,
  );
}

function Page({ title, children }: { title: string; children: ComponentChildren }) {
  const style = Buffer.from(loadAssets().style.body).toString('base64');
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src data:; form-action 'none'; base-uri 'none'"
        />
        <title>{title}</title>
        <link rel="stylesheet" href={`data:text/css;base64,${style}`} />
      </head>
      <body>
        <main class="inner stack loose">{children}</main>
      </body>
    </html>
  );
}

function PlaceLine({ file, line }: Pick<CheckedReference, 'file' | 'line'>) {
  return <p class="source mono">{line === undefined ? file : `${file}:${line}`}</p>;
}
