/** Roles in words, and the field that chooses one. */
import type { Role } from '../../accounts/sql/member-rows.ts';

const descriptions: Readonly<Record<Role, { label: string; can: string }>> = {
  owner: { label: 'Owner', can: 'Everything, including members and deleting the account.' },
  developer: { label: 'Developer', can: 'Keys, connected clients, Try it, usage, and requests.' },
  billing: { label: 'Billing', can: 'Credit and payments, usage, and requests.' },
};

/** Returns the name of a role within a sentence. */
export function roleName(role: Role): string {
  return descriptions[role].label.toLowerCase();
}

/** Radio buttons for the roles. */
export function RoleField({ role }: { role: Role }) {
  return (
    <fieldset>
      <legend>Role</legend>
      {(Object.keys(descriptions) as Role[]).map((name) => (
        <label key={name} class="box">
          <input type="radio" name="role" value={name} checked={name === role} required />
          <span>
            <strong>{descriptions[name].label}</strong>{' '}
            <span class="soft small">{descriptions[name].can}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
