import { type TopicKey, whyLocked } from '@portal/contract/notifications/topics';
import type { Change, Read } from '../../platform/database/index.ts';
import { contactTypesOf, loginOfAddress } from '../accounts/index.ts';
import { type Attaches, type MailText, makeFreezeLink, sendMail, unreachable, writtenText } from '../mail/index.ts';
import { freezeOfferOf } from './freeze-offers.ts';
import type { People } from './people.ts';
import { deliveryOf } from './preferences.ts';

/** A recipient of news. */
export type Recipient = {
  /** For the greeting. */
  fullName: string;
  email: string;
  /** Set if known; otherwise the login of the address is looked up. */
  loginId?: string | null | undefined;
};

/** News for people, in the portal and by e-mail. */
export type News = {
  topic: TopicKey;
  /** The account it is about; null when it is about the login. */
  accountName: string | null;
  /** Says what happened, and in which account. The portal shows it too, so it contains no secrets. */
  text: MailText;
  /** More for the e-mail only, such as what to do without the portal. */
  mailOnly?: readonly string[];
  /** The page where one can act on it, and what the button there says. */
  path?: string | undefined;
  act?: string | undefined;
  /** The instant until which there is something to do. */
  answerBy?: string | undefined;
  /** The login the person can freeze by a link in the e-mail, where it is not simply the one that made the change. */
  freezes?: string | undefined;
  /** Scope of the unsubscribe link, if less than all e-mails of the topic. */
  unsubscribesFrom?: string | undefined;
  /** A document that the e-mail carries. */
  attaches?: Attaches | undefined;
  /** The conversation it belongs to, such as `ticket-20001`. */
  thread?: string | undefined;
};

/** News as the portal shows them. */
export type StoredNews = Pick<News, 'topic' | 'accountName' | 'path' | 'act'> & { subject: string; body: string };

/**
 * Notifies people: in the portal each who has a login, and by e-mail as each prefers. Topics that can't be switched off are
 * always mailed immediately, and to every given address. Security changes are mailed to the account's security address
 * too, and offer to freeze the login that made them (S30). Other modules call `notifyPeople` of identity, which passes `people`.
 */
export async function notify(change: Change, news: News, recipients: readonly Recipient[], people: People): Promise<void> {
  const offer = await freezeOfferOf(change, news, people);
  const watcher: Recipient[] = offer?.securityEmail ? [{ fullName: '', email: offer.securityEmail, loginId: null }] : [];
  const byAddress = new Map([...watcher, ...recipients].map(person => [person.email.toLowerCase(), person]));
  const mailedBy = new Map<string, boolean>();
  const written = await writtenText(change, news.text, news.topic);
  for (const person of byAddress.values()) {
    const loginId = watcher.includes(person)
      ? null
      : (person.loginId ?? (await loginBehind(change, person.email, news.accountName, people)));
    let mailed = loginId === null ? true : mailedBy.get(loginId);
    if (mailed === undefined) {
      mailed = await storeForPerson(change, { ...news, ...written }, { loginId: loginId!, email: person.email, people });
      mailedBy.set(loginId!, mailed);
    }
    if (!mailed) continue;
    const { topic, accountName, text, mailOnly, path, act, answerBy, unsubscribesFrom, attaches, thread } = news;
    const freezeLinkId = offer?.offeredTo({ loginId, email: person.email })
      ? await makeFreezeLink(change, { loginId: offer.loginId, accountName, mailedTo: person.email })
      : null;
    for (const recipient of await addressesFor(change, { loginId, email: person.email, topic }))
      await sendMail(change, {
        topic,
        recipient,
        recipientName: person.fullName,
        loginId,
        accountName,
        text,
        more: mailOnly,
        path,
        act,
        answerBy,
        freezeLinkId,
        unsubscribesFrom,
        attaches,
        thread,
      });
  }
}

/**
 * Returns the addresses of a mail: the one the person chose for the topic, if any. Mails that can't be switched off go to the login's address too, so
 * that they can't be diverted.
 */
async function addressesFor(
  read: Read,
  { loginId, email, topic }: { loginId: string | null; email: string; topic: TopicKey },
): Promise<string[]> {
  if (loginId === null) return [email];
  const chosen = await read
    .selectFrom('notificationAddress')
    .select('email')
    .where('loginId', '=', loginId)
    .where('topic', '=', topic)
    .executeTakeFirst();
  if (!chosen) return [email];
  return whyLocked(topic, await contactTypesOf(read, loginId)) === null ? [chosen.email] : [...new Set([email, chosen.email])];
}

/** Stores the notification of one person, and returns whether it is mailed immediately. One who was erased gets neither: rows that stay, such as of tickets, still name the login. */
async function storeForPerson(
  change: Change,
  news: StoredNews,
  { loginId, email, people }: { loginId: string; email: string; people: People },
): Promise<boolean> {
  if (await people.isErased(change, loginId)) return false;
  const locked = whyLocked(news.topic, await contactTypesOf(change, loginId)) !== null;
  const delivery = locked ? 'at-once' : await deliveryOf(change, loginId, news.topic);
  await storeNotification(change, news, loginId, delivery === 'daily' || delivery === 'weekly' ? delivery : null);
  if (delivery !== 'at-once') return false;
  // Optional mails are not sent repeatedly to an address that refuses them.
  return locked || (await unreachable(change, [email])).length === 0;
}

/** Stores a notification for the portal, and in which digest it is mailed. */
export async function storeNotification(
  change: Change,
  { topic, accountName, subject, body, path }: StoredNews,
  loginId: string,
  digest: 'daily' | 'weekly' | null = null,
): Promise<void> {
  await change
    .insertInto('notification')
    .values({ loginId, accountName, topic, title: subject, body, link: path ?? null, writtenAt: change.now, digest })
    .execute();
}

/** The login of a contact of the account with this address, or else the one with this verified address. */
async function loginBehind(read: Read, email: string, accountName: string | null, people: People): Promise<string | null> {
  return (await loginOfAddress(read, accountName, email)) ?? people.loginOfAddress(read, email);
}
