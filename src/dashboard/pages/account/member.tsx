/** GET /dashboard/account/members/ID and its forms: role, another invitation, removal. */
import {
  inviteAgain,
  listMembers,
  readRole,
  removeMember,
  setRole,
} from '../../../accounts/members.ts';
import type { ListedMember, MemberName } from '../../../accounts/sql/member-rows.ts';
import { VerbatimError } from '../../../errors.ts';
import { Submit } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Form } from '../../components/form.tsx';
import { Message } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { RoleField, roleName } from '../../components/role-names.tsx';
import { SaveForm } from '../../components/save-form.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { formHandler } from '../../page/forms.ts';
import type { CustomerCall, View } from '../../page/page.ts';
import { redirectSignedOut, redirectTo } from '../../page/page-redirects.ts';
import { MEMBERS_PATH, redirectInvited } from './members.tsx';

export async function memberPage(
  deps: DashboardDeps,
  call: CustomerCall,
  error?: VerbatimError,
): Promise<View> {
  return memberView(call, await memberOf(deps, call), error);
}

export const setRoleForm = formHandler(memberPage, async (deps, call) => {
  const name = await nameOf(deps, call);
  await setRole(deps.accounts, { ...name, role: readRole(call.form.get('role') ?? '') });
  // An owner who is one no longer does not see the members.
  return redirectTo(isSelf(call, name) ? '/dashboard/account' : `${MEMBERS_PATH}?done=role`);
});

export const inviteAgainForm = formHandler(memberPage, async (deps, call) => {
  const name = await nameOf(deps, call);
  const { email: inviter } = call.session.member;
  return redirectInvited(deps, call, await inviteAgain(deps.accounts, { ...name, inviter }));
});

export const removeMemberForm = formHandler(memberPage, async (deps, call) => {
  const name = await nameOf(deps, call);
  await removeMember(deps.accounts, name);
  if (isSelf(call, name)) return redirectSignedOut(deps, 'left');
  return redirectTo(`${MEMBERS_PATH}?done=removed`);
});

async function nameOf(deps: DashboardDeps, call: CustomerCall): Promise<MemberName> {
  const { id: memberId } = await memberOf(deps, call);
  return { customerId: call.session.customer.id, memberId };
}

/** Throws `not_found` for a member of another customer. */
async function memberOf({ accounts }: DashboardDeps, call: CustomerCall): Promise<ListedMember> {
  const members = await listMembers(accounts, call.session.customer.id);
  const member = members.find(({ id }) => String(id) === call.parameters['id']);
  if (member === undefined) throw new VerbatimError('not_found');
  return member;
}

function isSelf(call: CustomerCall, { memberId }: MemberName): boolean {
  return memberId === call.session.member.id;
}

function memberView(call: CustomerCall, member: ListedMember, error?: VerbatimError): View {
  const { id, email, role, hasPassword } = member;
  const path = `${MEMBERS_PATH}/${id}`;
  const token = call.formToken();
  return {
    title: `Change ${email}`,
    isNarrow: true,
    main: (
      <>
        <PageHead title="Change a member">
          {email}
          {hasPassword
            ? `, ${roleName(role)} of this account.`
            : ` is invited as ${roleName(role)} and has not chosen a password yet.`}
        </PageHead>
        <Message tone="bad" text={error?.message} />
        <SaveForm action={`${path}/role`} token={token} cancelHref={MEMBERS_PATH}>
          <RoleField role={role} />
        </SaveForm>
        {hasPassword ? null : (
          <Card id="again-head" title="Invite again">
            <p class="soft">A new link replaces the one that was handed out.</p>
            <Form action={`${path}/invite`} token={token} class="">
              <Submit look="plain">Invite again</Submit>
            </Form>
          </Card>
        )}
        <Card id="remove-head" title="Remove">
          <p class="soft">
            {email} is signed out at once and can no longer sign in. The keys of the account stay.
          </p>
          <Form action={`${path}/remove`} token={token} class="">
            <Submit look="danger">Remove member</Submit>
          </Form>
        </Card>
      </>
    ),
  };
}
