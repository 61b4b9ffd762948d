/** The page that shows recovery codes once, and what it shows after that. */
import { VerbatimError } from '../../errors.ts';
import { type View, withError } from '../page/page.ts';
import { ButtonLink, PlainLink } from './button.tsx';
import { Notice } from './notice.tsx';
import { PageHead } from './page-head.tsx';
import { CopyButton } from './snippet.tsx';

export function recoveryCodesView(codes: readonly string[], nextPath: string): View {
  return {
    title: 'Recovery codes',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Your recovery codes">
          Save them now. They are shown only once, and only their hashes are stored.
        </PageHead>
        <section class="card" aria-labelledby="codes-head">
          <div class="snippet-bar">
            <h2 id="codes-head">Recovery codes</h2>
            <CopyButton of="recovery-codes" what="the recovery codes" />
          </div>
          <p class="secret lines" id="recovery-codes">
            {codes.join('\n')}
          </p>
          <p class="small soft">
            If you lose your authenticator app, a recovery code takes the place of its code. Each
            works once. Print them, or keep them in a password manager. Earlier recovery codes no
            longer work.
          </p>
        </section>
        <div>
          <ButtonLink href={nextPath}>I have saved the codes</ButtonLink>
        </div>
      </>
    ),
  };
}

export function recoveryCodesGoneView({
  newCodesPath,
  backPath,
}: Record<'newCodesPath' | 'backPath', string>): View {
  const view: View = {
    title: 'Recovery codes already shown',
    isNarrow: true,
    main: (
      <>
        <PageHead title="These recovery codes are no longer available" />
        <Notice tone="warn">
          <p>
            Recovery codes are shown once and are not stored. If you did not save them, create new
            ones.
          </p>
        </Notice>
        <div class="row">
          <ButtonLink href={newCodesPath}>New recovery codes</ButtonLink>
          <PlainLink href={backPath}>Back to security</PlainLink>
        </div>
      </>
    ),
  };
  return withError(view, new VerbatimError('secret_shown'));
}

/** Says how many recovery codes are left. */
export function recoveryCodesLeft(count: number): string {
  if (count === 0) return 'No recovery codes are left. Create new ones now.';
  return `${count} recovery ${count === 1 ? 'code is' : 'codes are'} left.`;
}
