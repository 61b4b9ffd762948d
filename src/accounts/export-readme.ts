/** The README.txt of an exported account. Pure. */

/** Returns what is in the archive, in plain words. */
export function exportReadme(email: string, now: number): string {
  return `The account of ${email}, exported ${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC.

profile.json           address, balance, settings, and what stands on receipts
members.csv            who can sign in, with roles
sessions.csv           where the owner who exported this is signed in
keys.csv               keys, those of connected clients too; their secrets are stored nowhere
requests.csv           one line for each request that is still kept, failed ones too
usage.csv              requests of each day by key, path, and status
accounting.csv         every entry of the books, as in the accounting view
payments.csv           orders of credit through Stripe
questions.csv          questions to which nothing close was found, if this server keeps them

The tables are CSV in UTF-8 with a heading. Times are in UTC. Not in the archive, because they prove
who you are: the hash of your password, the secret of your authenticator app, and the hashes of
tokens. Other questions are not stored.
Answers to requests with an Idempotency-Key are stored for a short time so that they can be repeated;
they are not in the archive, because programs have them.
`;
}
