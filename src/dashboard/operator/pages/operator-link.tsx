/** GET /operator/links/:name: shows a one-time link for a customer. */
import { VerbatimError } from '../../../errors.ts';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Snippet } from '../../components/snippet.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { View } from '../../page/page.ts';
import { OPERATORS } from '../page/change-once.ts';
import type { OperatorCall } from '../page/operator-call.ts';
import type { OperatorDeps, ShownLink } from '../page/operator-deps.ts';

export function shownLinkPage({ links }: OperatorDeps, { parameters }: OperatorCall): View {
  const link = links.get(OPERATORS, parameters['name'] ?? '');
  if (link === undefined) {
    throw new VerbatimError('link_over', 'this link is not shown any more; make another one');
  }
  return {
    title: 'One-time link',
    main: (
      <>
        <PageHead title="One-time link">
          For {link.email}, to choose a password. It works once, until{' '}
          <Timestamp time={link.expiresAt} />. An earlier link has ended.
        </PageHead>
        <Delivery link={link} />
        <div class="row">
          <a class="button plain" href={`/operator/customers/${link.customerId}`}>
            Go to the customer
          </a>
        </div>
      </>
    ),
  };
}

function Delivery({ link: { url, mailFault, email } }: { link: ShownLink }) {
  if (url === null) {
    return (
      <Notice tone="good">
        <p>The link was mailed to {email}.</p>
      </Notice>
    );
  }
  return (
    <>
      {mailFault === undefined ? null : (
        <Notice tone="warn">
          <p>The mail was not sent: {mailFault}.</p>
        </Notice>
      )}
      <section class="card" aria-labelledby="hand-out">
        <h2 id="hand-out">Hand it out yourself</h2>
        <p class="soft">
          Anyone who has the link can sign in as the customer. Send it in a way that only they can
          read.
        </p>
        <Snippet id="link" label="Link" code={url} />
      </section>
    </>
  );
}
