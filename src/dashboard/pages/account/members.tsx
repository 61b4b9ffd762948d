/** GET and POST /dashboard/account/members, and the page that shows an invitation once. */
import {
  type DeliveredInvitation,
  inviteMember,
  listMembers,
  readRole,
} from '../../../accounts/members.ts';
import { type ListedMember, ROLES } from '../../../accounts/sql/member-rows.ts';
import { VerbatimError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/messages.ts';
import { accountView } from '../../components/account-page.tsx';
import { Badge } from '../../components/badge.tsx';
import { ButtonLink, Submit } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { EmailAddress } from '../../components/email-address.tsx';
import { errorView } from '../../components/error-view.tsx';
import { Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { RoleField, roleName } from '../../components/role-names.tsx';
import { CopyButton } from '../../components/snippet.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { formHandler } from '../../page/forms.ts';
import type { CustomerCall, View } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';

export const MEMBERS_PATH = '/dashboard/account/members';

const notes: Readonly<Record<string, string>> = {
  invited: 'The invitation was mailed.',
  role: 'Saved. The new role applies from the next page.',
  removed: 'The member was removed and signed out. The keys of the account stay.',
};

export const inviteForm = formHandler(membersPage, async (deps, call) => {
  const { id: customerId } = call.session.customer;
  const { email: inviter } = call.session.member;
  const email = call.form.get('email') ?? '';
  const role = readRole(call.form.get('role') ?? '');
  const invitation = await inviteMember(deps.accounts, { customerId, email, role, inviter });
  return redirectInvited(deps, call, invitation);
});

/** Redirects to the members if the invitation was mailed, else to the page that shows its link. */
export function redirectInvited(
  deps: DashboardDeps,
  call: CustomerCall,
  invitation: DeliveredInvitation,
): HttpResponse {
  if (invitation.path === undefined) return redirectTo(`${MEMBERS_PATH}?done=invited`);
  const name = deps.invitations.put(call.session.customer.id, invitation);
  return redirectTo(`${MEMBERS_PATH}/invited/${name}`);
}

/** Shows the link of an invitation once. */
export function invitedPage(deps: DashboardDeps, call: CustomerCall): View {
  const name = call.parameters['name'] ?? '';
  // A HEAD request does not use it up.
  const invitation =
    call.request.method === 'GET'
      ? deps.invitations.take(call.session.customer.id, name)
      : undefined;
  if (invitation === undefined) {
    const message = 'a link is shown once; invite the member again to get another one';
    const leave = { href: MEMBERS_PATH, text: 'Members' };
    return errorView(new VerbatimError('secret_shown', message), { leave });
  }
  return {
    title: 'Invitation',
    isNarrow: true,
    main: (
      <>
        <PageHead title="Hand out the invitation">
          This service sends no mail. Give this link to {invitation.email}. It is shown only once.
        </PageHead>
        <section class="card" aria-labelledby="link-head">
          <div class="snippet-bar">
            <h2 id="link-head">Link</h2>
            <CopyButton of="invitation" what="the link" />
          </div>
          <p class="secret" id="invitation">
            {`${deps.baseUrl()}${invitation.path}`}
          </p>
          <p class="small soft">
            It works once, within {deps.accounts.settings.linkHoursMax} hours. The person who opens
            it chooses the password.
          </p>
        </section>
        <div>
          <ButtonLink href={MEMBERS_PATH}>I have copied the link</ButtonLink>
        </div>
      </>
    ),
  };
}

export async function membersPage(
  { accounts }: DashboardDeps,
  call: CustomerCall,
  error?: VerbatimError,
): Promise<View> {
  const { customer, member } = call.session;
  const members = await listMembers(accounts, customer.id);
  const role = ROLES.find((name) => name === call.form.get('role')) ?? 'developer';
  return accountView({
    section: MEMBERS_PATH,
    intro: 'Who can sign in to this account. Each member has a password of their own.',
    note: notes[call.query.get('done') ?? ''],
    children: (
      <>
        <Card id="members-head" title="Members">
          <MemberTable members={members} ownId={member.id} />
        </Card>
        <Card id="invite-head" title="Invite a member">
          <Form action={MEMBERS_PATH} token={call.formToken()}>
            <Field
              label="E-mail address"
              name="email"
              type="email"
              value={call.form.get('email') ?? undefined}
              error={error?.message}
              hint="An address belongs to one account. Someone who already has an account needs another address, or must delete that account first."
              input={{ required: true, autoComplete: 'off' }}
            />
            <RoleField role={role} />
            <div>
              <Submit>Invite</Submit>
            </div>
          </Form>
        </Card>
      </>
    ),
  });
}

function MemberTable({ members, ownId }: { members: readonly ListedMember[]; ownId: number }) {
  return (
    <DataTable
      caption="Members"
      isCaptionHidden
      columns={[
        { head: 'Address' },
        { head: 'Role' },
        { head: 'Two-step sign-in' },
        { head: 'Last used' },
        { head: 'Action' },
      ]}
      rows={members.map(({ id, email, role, hasPassword, hasSecondFactor, seenAt }) => [
        <>
          <EmailAddress address={email} />
          {id === ownId ? <Badge tone="good">You</Badge> : null}
          {hasPassword ? null : <Badge tone="warn">Invited</Badge>}
        </>,
        roleName(role),
        hasSecondFactor ? 'on' : 'off',
        seenAt === null ? 'Not signed in' : <Timestamp key="seen" time={seenAt} />,
        <a key="edit" href={`${MEMBERS_PATH}/${id}`}>
          Change<span class="hidden"> {email}</span>
        </a>,
      ])}
    />
  );
}
