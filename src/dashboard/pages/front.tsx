/** GET /: what the service is, what is indexed, how good it is, the price, and who runs it. For visitors. */
import { type Contact, readContact } from '../../accounts/operator-contact.ts';
import type { Offer } from '../../accounts/payments/packs.ts';
import type { Settings } from '../../settings/config.ts';
import type { LaneName } from '../../settings/lane-choice.ts';
import { ButtonLink, PlainLink } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { AskOperator, ContactLink } from '../components/contact-link.tsx';
import { Table } from '../components/docs-table.tsx';
import { formatCounted } from '../components/format-values.ts';
import { FrontExample } from '../components/front-example.tsx';
import { IndexFacts } from '../components/index-facts.tsx';
import { PackPrice } from '../components/pack-price.tsx';
import { Snippet } from '../components/snippet.tsx';
import { sourceTitle } from '../components/source-titles.ts';
import { loadTex } from '../components/tex-text.tsx';
import { quickStart } from '../docs/examples.ts';
import { measuredFigures } from '../docs/measured-figures.ts';
import type { DashboardDeps } from '../page/dashboard-deps.ts';
import { sampleExample } from '../page/index-figures.ts';
import type { PageCall, Reply } from '../page/page.ts';
import { redirectTo } from '../page/page-redirects.ts';

const list = new Intl.ListFormat('en');

export async function frontPage(deps: DashboardDeps, call: PageCall): Promise<Reply> {
  const { settings } = deps.accounts;
  if (call.session !== undefined || !settings.frontPage) return redirectTo('/dashboard');
  const [figures] = await Promise.all([deps.indexFigures.read(), loadTex()]);
  const canRegister = settings.selfRegistration;
  const contact = readContact(settings);
  return {
    title: 'Literature search that quotes',
    description:
      'Ask a question in plain words. Get the one sentence of each research paper that answers it best, word for word.',
    main: (
      <>
        <div class="hero">
          <div class="stack">
            <h1>Ask a question. Get the sentence that answers it.</h1>
            <p class="lead">
              Verbatim searches research papers. For each relevant paper, it quotes the one sentence
              that answers best, word for word, with title, authors, year, and DOI.
            </p>
            {settings.frontPageNote === '' ? null : <p class="note">{settings.frontPageNote}</p>}
            <div class="row">
              <ButtonLink href={canRegister ? '/dashboard/register' : '#get-a-key'}>
                Get a key
              </ButtonLink>
              <PlainLink href="/docs">Read the documentation</PlainLink>
            </div>
          </div>
          <FrontExample example={figures?.example ?? sampleExample} />
        </div>
        {figures === undefined ? null : <IndexFacts summary={figures.summary} />}
        <div class="split">
          <Price offer={deps.service.topUp.offer} />
          <GetKey settings={settings} contact={contact} />
        </div>
        <Card id="measured" title="How good it is">
          <Table table={measuredFigures} />
        </Card>
        <div class="split">
          <Questions settings={settings} lanes={deps.service.lanes?.names ?? []} />
          <Card id="operator" title="Who runs it">
            <p>
              Verbatim is software that anybody can run. This service has an operator of its own
              {contact === undefined ? (
                ', who names no address here.'
              ) : (
                <>
                  : <ContactLink contact={contact} />.
                </>
              )}
            </p>
          </Card>
        </div>
        <section class="card" aria-labelledby="one-request">
          <div class="card-head">
            <h2 id="one-request">One request</h2>
            <a class="small" href="/docs">
              Full API reference
            </a>
          </div>
          {quickStart(deps.baseUrl())
            .slice(0, 1)
            .map((example) => (
              <Snippet key={example.id} {...example} />
            ))}
        </section>
      </>
    ),
  };
}

function Price({ offer }: { offer: Offer | undefined }) {
  return (
    <Card id="price" title="Price">
      <p>
        A search costs one credit. You pay in advance, there is no subscription, and credits don’t
        expire. A search that fails is free.
      </p>
      {offer === undefined ? (
        <p>The operator of this service sets the price of credits.</p>
      ) : (
        <ul class="prices">
          {offer.packs.map((pack) => (
            <li key={pack.credits}>
              <strong>{formatCounted(pack.credits, 'credit')}</strong>{' '}
              <PackPrice pack={pack} currency={offer.currency} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

interface QuestionsProps {
  settings: Pick<Settings, 'keepQuestions' | 'keptQuestionDaysMax'>;
  /** Those that are on. */
  lanes: readonly LaneName[];
}

function Questions({ settings, lanes }: QuestionsProps) {
  const { keepQuestions, keptQuestionDaysMax: days } = settings;
  const places = lanes.map((lane) => (lane === 'web' ? 'the web' : sourceTitle(lane)));
  return (
    <Card id="questions" title="What happens to questions">
      <p>
        {keepQuestions
          ? `Questions to which the index has nothing close are kept for ${formatCounted(days, 'day')}, so that the operator sees what is missing. Others are not kept,`
          : 'Questions are not kept,'}{' '}
        unless you turn that on for your account.
      </p>
      <p>
        {lanes.length === 0
          ? 'No question leaves this server.'
          : `A question to which the index has nothing close may be sent to ${list.format(places)}, without e-mail addresses and phone numbers. Each account, key, and request can forbid it.`}
      </p>
    </Card>
  );
}

interface GetKeyProps {
  settings: Pick<Settings, 'selfRegistration' | 'welcomeCredits'>;
  contact: Contact | undefined;
}

function GetKey({ settings: { selfRegistration, welcomeCredits }, contact }: GetKeyProps) {
  return (
    <Card id="get-a-key" title="Get a key">
      <ol class="steps">
        <li>
          {selfRegistration ? (
            <>
              <a href="/dashboard/register">Register</a> with your e-mail address.
              {welcomeCredits === 0
                ? ''
                : ` You start with ${formatCounted(welcomeCredits, 'credit')}.`}
            </>
          ) : (
            <AskOperator contact={contact}>for an account</AskOperator>
          )}
        </li>
        <li>{selfRegistration ? 'Open the link to get' : 'Sign in and create'} a key.</li>
        <li>Send your first question.</li>
      </ol>
      <div class="row">
        <PlainLink href="/dashboard/sign-in">Sign in</PlainLink>
      </div>
    </Card>
  );
}
