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
import type { HttpResponse } from '../../../http/messages.ts';
import { sentence } from '../../components/error-view.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { RoleField, roleName } from '../../components/role-names.tsx';
import { SaveForm } from '../../components/save-form.tsx';
import type { DashboardDeps } from '../../page/dashboard-deps.ts';
import { expectedErrorOf } from '../../page/forms.ts';
import { type CustomerCall, type View, withError } from '../../page/page.ts';
import { redirectTo } from '../../page/page-redirects.ts';
import { leftResponse } from './leave.tsx';
import { MEMBERS_PATH } from './members.tsx';

export async function memberPage(deps: DashboardDeps, call: CustomerCall): Promise<View> {
  return memberView(call, await memberOf(deps, call));
}

export async function setRoleForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  return shown(deps, call, async (name) => {
    await setRole(deps.accounts, { ...name, role: readRole(call.form.get('role') ?? '') });
    // An owner who is one no longer does not see the members.
    return redirectTo(isSelf(call, name) ? '/dashboard/account' : `${MEMBERS_PATH}?done=role`);
  });
}

export async function inviteAgainForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  return shown(deps, call, async (name) => {
    const invitation = await inviteAgain(deps.accounts, {
      ...name,
      inviter: call.session.member.email,
    });
    if (invitation.path === undefined) return redirectTo(`${MEMBERS_PATH}?done=invited`);
    const shownAs = deps.invitations.put(name.customerId, invitation);
    return redirectTo(`${MEMBERS_PATH}/invited/${shownAs}`);
  });
}

export async function removeMemberForm(
  deps: DashboardDeps,
  call: CustomerCall,
): Promise<View | HttpResponse> {
  return shown(deps, call, async (name) => {
    await removeMember(deps.accounts, name);
    return isSelf(call, name)
      ? leftResponse(deps, call)
      : redirectTo(`${MEMBERS_PATH}?done=removed`);
  });
}

/** Does something with the member of a path, and shows the page again if it is refused. */
async function shown(
  deps: DashboardDeps,
  call: CustomerCall,
  act: (name: MemberName) => Promise<HttpResponse>,
): Promise<View | HttpResponse> {
  const member = await memberOf(deps, call);
  try {
    return await act({ customerId: call.session.customer.id, memberId: member.id });
  } catch (error) {
    const expectedError = expectedErrorOf(error);
    return withError(memberView(call, member, sentence(expectedError.message)), expectedError);
  }
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

function memberView(call: CustomerCall, member: ListedMember, error?: string): View {
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
        {error === undefined ? null : (
          <Notice tone="bad">
            <p>{error}</p>
          </Notice>
        )}
        <SaveForm action={`${path}/role`} token={token} cancelHref={MEMBERS_PATH}>
          <RoleField role={role} />
        </SaveForm>
        {hasPassword ? null : (
          <section class="card" aria-labelledby="again-head">
            <h2 id="again-head">Invite again</h2>
            <p class="soft">A new link replaces the one that was handed out.</p>
            <Form action={`${path}/invite`} token={token} class="">
              <button class="button plain" type="submit">
                Invite again
              </button>
            </Form>
          </section>
        )}
        <section class="card" aria-labelledby="remove-head">
          <h2 id="remove-head">Remove</h2>
          <p class="soft">
            {email} is signed out at once and can no longer sign in. The keys of the account stay.
          </p>
          <Form action={`${path}/remove`} token={token} class="">
            <button class="button danger" type="submit">
              Remove member
            </button>
          </Form>
        </section>
      </>
    ),
  };
}
