import type { BodyOf } from '@portal/contract';
import { DAY_MS } from '@portal/contract/days';
import { notificationAddresses } from '@portal/contract/identity/notification-addresses';
import { type TopicKey, topics } from '@portal/contract/notifications/topics';
import { sql } from 'kysely';
import type { Config } from '../../../config.ts';
import { refuseBeyond } from '../../../platform/counted-limit.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Change, Read } from '../../../platform/database/index.ts';
import { implement } from '../../../platform/http/endpoints.ts';
import { openSecretBox, type SecretBox } from '../../../platform/secret-box.ts';
import { sendMail } from '../../mail/index.ts';
import { type AddressAct, addressLink } from './address-pages.ts';
import { endLink, type LoginLink, makeLink } from '../logins/login-links.ts';
import { loginById } from '../logins/logins.ts';
import { notifyPerson } from '../logins/notices.ts';
import { theLast } from '../../../platform/clock-watch.ts';
import { identityTexts } from '../mail-texts.ts';

const LINK_DAYS = 3;
const MAX_A_DAY = 5;

type Tools = { config: Config; box: SecretBox };

/** Sets the address for the e-mails of a topic: one that must confirm first, or the login's again. @throws Failure TOO_MANY_REQUESTS */
async function setAddress(
  change: Change,
  { topic, email }: BodyOf<typeof notificationAddresses.setNotificationAddress>,
  { loginId }: Caller,
  { config, box }: Tools,
): Promise<void> {
  const open = await change.rows<{
    linkId: string;
  }>(sql`select link_id from login_link where purpose = 'topic-address' and login_id = ${loginId}
    and used_at is null and asked ->> 'topic' = ${topic}`);
  for (const { linkId } of open) await endLink(change, linkId);
  await change.note({ topic, address: email });
  if (email === null) {
    await change.deleteFrom('notificationAddress').where('loginId', '=', loginId).where('topic', '=', topic).execute();
    return;
  }
  const { since, until } = theLast(DAY_MS, change.now);
  const made = sql<{
    count: number;
  }>`select count(*) as count from login_link where purpose = 'topic-address' and made_at between ${since} and ${until}`;
  const limit = { limit: MAX_A_DAY, seconds: DAY_MS / 1000 };
  await refuseBeyond(change, { of: `identity.addresses-${loginId}`, counted: sql`${made} and login_id = ${loginId}`, ...limit });
  await refuseBeyond(change, {
    of: `identity.addresses-${email.toLowerCase()}`,
    counted: sql`${made} and lower(email) = lower(${email})`,
    ...limit,
  });
  const { token } = await makeLink(change, { purpose: 'topic-address', loginId, email, asked: { topic }, minutes: LINK_DAYS * 1440 });
  const login = (await loginById(change, loginId))!;
  await sendMail(
    change,
    {
      topic: 'login.links',
      recipient: email,
      act: 'Confirm address',
      text: identityTexts.written('confirmAddressNotifications', {
        fullName: login.fullName,
        topic: topics[topic].label,
        linkDays: LINK_DAYS,
      }),
      link: addressLink(config.appUrl, 'topic-address', token),
    },
    box,
  );
}

/** Returns the addresses a person wants for topics and has not confirmed yet. */
export const askedTopicAddresses = (read: Read, loginId: string): Promise<{ topic: string; email: string }[]> =>
  read.rows<{ topic: string; email: string }>(sql`select asked ->> 'topic' as topic, email from login_link
    where purpose = 'topic-address' and login_id = ${loginId} and used_at is null and expires_at > now()`);

export const notificationAddressRoutes = (config: Config) => {
  const tools = { config, box: openSecretBox(config) };
  return implement(notificationAddresses, {
    setNotificationAddress: ({ change, body, caller }) => setAddress(change, body, caller, tools),
  });
};

const topicOf = ({ asked }: LoginLink): TopicKey => (asked as { topic: TopicKey }).topic;

/** Returns the action of the link to such an address. */
export const topicAddressAct = (config: Config): AddressAct => ({
  purpose: 'topic-address',
  action: 'notifications.confirmAddress',
  summary: 'Confirmed the address for a topic',
  title: 'Get these e-mails here?',
  act: 'Confirm address',
  asks: async (read, link) => {
    const login = await loginById(read, link.loginId!);
    if (!login || login.disabledAt !== null) return null;
    return [`E-mails about “${topics[topicOf(link)].label}” for ${login.fullName} are sent to ${link.email}.`];
  },
  run: async (change, link) => {
    const topic = topicOf(link);
    const row = { loginId: link.loginId!, topic, email: link.email };
    await change
      .insertInto('notificationAddress')
      .values(row)
      .onConflict(conflict => conflict.columns(['loginId', 'topic']).doUpdateSet({ email: link.email }))
      .execute();
    await change.note(row);
    await notifyPerson(change, config, {
      loginId: row.loginId,
      text: identityTexts.written('someNotificationsGoAnotherAddress', { topic: topics[topic].label, email: link.email }),
    });
    return [`E-mails about “${topics[topic].label}” now go to ${link.email}.`];
  },
});
