/** The address of a paper as a resource of this server, and the link that readers follow. Pure. */
import { paperAddress } from '../identity/paper-address.ts';

export const PAPER_URI_TEMPLATE = 'verbatim://paper/{id}';

/** Returns where readers find the paper: its public address, or the resource if it has none. */
export function paperLink(id: string): string {
  return paperAddress(id) ?? PAPER_URI_TEMPLATE.replace('{id}', () => encodeURIComponent(id));
}
