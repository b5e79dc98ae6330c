import type { TopicKey } from '@portal/contract/notifications/preferences';
import type { Change } from '../../platform/database/index.ts';
import { activeContacts, securityAddressOf, wasContactOf } from '../accounts/index.ts';
import type { People } from './people.ts';

/** News of these topics tell of changes that S30 wants seen: whoever answers for the account can freeze the login that made them. */
const watched: readonly TopicKey[] = ['account.security', 'contacts.access', 'organisation.changes'];

/** Who may freeze whom by a mail. */
export type FreezeOffer = {
  /** The login that made the change. */
  loginId: string;
  /** Whether the mail to this person carries the link: the person of the login, corporate contacts of the account, its security address. */
  offeredTo(person: { loginId: string | null; email: string }): boolean;
  /** The security address of the account, where it has one. */
  securityEmail: string | null;
};

/**
 * What the mails of some news offer to freeze: the login that made the change under way. Null where nobody made it, where it is of no
 * concern, and for what registry staff did: they answer to the registry, not to a link.
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
