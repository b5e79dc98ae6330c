import type { TopicKey } from '@portal/contract/notifications/topics';
import type { Change } from '../../platform/database/index.ts';
import { activeContacts, securityAddressOf, wasContactOf } from '../accounts/index.ts';
import type { People } from './people.ts';

/** Topics of changes that S30 wants noticed: the people responsible for the account can freeze the login that made them. */
const watched: readonly TopicKey[] = ['account.security', 'contacts.access', 'organisation.changes', 'rpki.changes'];

/** Offers to freeze a login in mails. */
export type FreezeOffer = {
  /** The login that made the change. */
  loginId: string;
  /** Returns whether the mail to this person carries the link: the login's own person, corporate contacts of the account, its security address. */
  offeredTo(person: { loginId: string | null; email: string }): boolean;
  /** The security address of the account, or null. */
  securityEmail: string | null;
};

/**
 * Returns the login that made the present change and that its mails offer to freeze. Null if no login made it, if the topic needs no offer,
 * and for registry staff, who are not subject to such links.
 */
export async function freezeOfferOf(
  change: Change,
  news: { topic: TopicKey; accountName: string | null; freezes?: string | undefined },
  people: Pick<People, 'actor'>,
): Promise<FreezeOffer | null> {
  if (news.freezes !== undefined) {
    const { freezes } = news;
    return { loginId: freezes, offeredTo: ({ loginId }) => loginId === freezes, securityEmail: null };
  }
  const { topic, accountName } = news;
  if (accountName === null || !watched.includes(topic)) return null;
  const actor = await people.actor(change);
  if (actor === null || !(await wasContactOf(change, accountName, actor))) return null;
  const corporate = await activeContacts(change, accountName, { types: ['corporate'] });
  const securityEmail = await securityAddressOf(change, accountName);
  return {
    loginId: actor,
    securityEmail,
    offeredTo: ({ loginId, email }) =>
      loginId === actor ||
      email.toLowerCase() === securityEmail?.toLowerCase() ||
      corporate.some(contact => contact.email.toLowerCase() === email.toLowerCase()),
  };
}
