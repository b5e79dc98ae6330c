import type { TopicKey } from '@portal/contract/notifications/preferences';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';

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
): Promise<FreezeOffer | null> {
  if (news.freezes !== undefined) {
    const { freezes } = news;
    return { loginId: freezes, offeredTo: ({ loginId }) => loginId === freezes, securityEmail: null };
  }
  const { topic, accountName } = news;
  if (accountName === null || !watched.includes(topic)) return null;
  const [actor] = await change.rows<{ loginId: string; contact: boolean }>(sql`
    select l.login_id, exists (select from contact c where c.login_id = l.login_id and c.account_name = ${accountName}) as contact
    from activity a left join login_subject s on s.issuer = a.login_issuer and s.subject = a.login_subject
    join login l on l.login_id = coalesce(s.login_id, a.login_subject) where a.activity_id = ${change.activityId}`);
  if (!actor?.contact) return null;
  const corporate = await change.rows<{ email: string; loginId: string | null }>(sql`select lower(email) as email, login_id from contact
    where account_name = ${accountName} and status = 'ACTIVE' and 'corporate' = any (contact_types)`);
  const safety = await change.selectFrom('accountSafety').select('securityEmail').where('accountName', '=', accountName).executeTakeFirst();
  const securityEmail = safety?.securityEmail ?? null;
  return {
    loginId: actor.loginId,
    securityEmail,
    offeredTo: ({ loginId, email }) =>
      loginId === actor.loginId ||
      email.toLowerCase() === securityEmail?.toLowerCase() ||
      corporate.some(contact => contact.email === email.toLowerCase()),
  };
}
