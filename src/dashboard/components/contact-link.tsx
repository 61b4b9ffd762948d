/** Where customers reach the operator. */
import type { Contact } from '../../accounts/operator-contact.ts';

export interface AskOperatorProps {
  contact: Contact | undefined;
  /** What follows the words, such as `for a new link`. */
  children: string;
}

/** Says to ask the operator, with the contact if there is one. */
export function AskOperator({ contact, children }: AskOperatorProps) {
  if (contact === undefined) return <>Ask the operator of this service {children}.</>;
  return (
    <>
      Ask the operator of this service {children}: <ContactLink contact={contact} />.
    </>
  );
}

export function ContactLink({ contact }: { contact: Contact }) {
  return (
    <a href={contact.href} rel="noreferrer">
      {contact.text}
    </a>
  );
}
