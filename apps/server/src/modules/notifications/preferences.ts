import type { Delivery } from '@portal/contract/notifications/deliveries';
import type { NotificationPreferences, notificationPreferences } from '@portal/contract/notifications/preferences';
import { type TopicKey, topicKeys, topics, whyLocked } from '@portal/contract/notifications/topics';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Module } from '../../platform/module.ts';
import type { Registry } from '../../platform/registry.ts';
import { contactTypesOf } from '../accounts/index.ts';
import { personOfModules, unreachable } from '../mail/index.ts';

/** Returns how a person gets a topic, unless it is locked. */
export async function deliveryOf(read: Read, loginId: string, topic: TopicKey): Promise<Delivery> {
  const row = await read
    .selectFrom('notificationPreference')
    .select('delivery')
    .where('loginId', '=', loginId)
    .where('topic', '=', topic)
    .executeTakeFirst();
  return row?.delivery ?? topics[topic].usual;
}

/** Addresses for topics that a person asked for and has not confirmed, of all modules that know some. */
const askedAddresses = async (read: Read, loginId: string, modules: readonly Module[]): Promise<{ topic: string; email: string }[]> =>
  (await Promise.all(modules.map(async module => (await module.askedAddresses?.(read, loginId)) ?? []))).flat();

/** The choices of a person, and whether e-mail reaches them. */
export async function getNotificationPreferences({
  read,
  caller: { loginId },
  registry: { modules },
}: {
  read: Read;
  caller: { loginId: string };
  registry: Pick<Registry, 'modules'>;
}): Promise<NotificationPreferences> {
  const contactTypes = await contactTypesOf(read, loginId);
  const chosen = await read.selectFrom('notificationPreference').select(['topic', 'delivery']).where('loginId', '=', loginId).execute();
  const { email } = (await personOfModules({ modules })(read, loginId))!;
  const addresses = await read.selectFrom('notificationAddress').select(['topic', 'email']).where('loginId', '=', loginId).execute();
  const asked = await askedAddresses(read, loginId, modules);
  const [refused] = await unreachable(read, [email]);
  const addressOf = (topic: string) => ({
    address: addresses.find(row => row.topic === topic)?.email ?? null,
    addressAsked: asked.find(row => row.topic === topic)?.email ?? null,
  });
  return {
    topics: topicKeys
      .filter(topic => topics[topic].listed)
      .map(topic => {
        const locked = whyLocked(topic, contactTypes);
        const delivery = chosen.find(row => row.topic === topic)?.delivery ?? topics[topic].usual;
        return { topic, delivery: locked === null ? delivery : 'at-once', locked, ...addressOf(topic) };
      }),
    email: { address: email, unreachableSince: refused?.since ?? null, refusal: refused?.refusal ?? null },
  };
}

/** Stores a preference. Notifications waiting for a digest follow it. @throws Failure TOPIC_LOCKED */
export async function saveNotificationPreference({
  change,
  caller,
  body: { topic, delivery },
  registry,
}: Act<typeof notificationPreferences.saveNotificationPreference>): Promise<NotificationPreferences> {
  const { loginId } = caller;
  const why = whyLocked(topic, await contactTypesOf(change, loginId));
  if (why !== null && delivery !== 'at-once') throw refuse('TOPIC_LOCKED', { topic: topics[topic].label, why });
  await choose(change, loginId, topic, delivery);
  await change.note({ topic, delivery });
  return getNotificationPreferences({ read: change, caller, registry });
}

/** Stops the e-mails of a topic by the link in one of them; for digests, all topics in them. @throws Failure TOPIC_LOCKED */
export async function unsubscribe(change: Change, loginId: string, topic: TopicKey): Promise<void> {
  const why = whyLocked(topic, await contactTypesOf(change, loginId));
  if (why !== null) throw refuse('TOPIC_LOCKED', { topic: topics[topic].label, why });
  const stopped = topic === 'notifications.digest' ? await digested(change, loginId) : [topic];
  for (const each of stopped) await choose(change, loginId, each, 'portal');
  await change.note({ login: loginId, topics: stopped });
}

/** The topics a person gets in a digest. */
async function digested(read: Read, loginId: string): Promise<string[]> {
  const rows = await read
    .selectFrom('notificationPreference')
    .select('topic')
    .where('loginId', '=', loginId)
    .where('delivery', 'in', ['daily', 'weekly'])
    .execute();
  return rows.map(({ topic }) => topic);
}

async function choose(change: Change, loginId: string, topic: string, delivery: Delivery): Promise<void> {
  await change
    .insertInto('notificationPreference')
    .values({ loginId, topic, delivery })
    .onConflict(conflict => conflict.columns(['loginId', 'topic']).doUpdateSet({ delivery }))
    .execute();
  // With "immediately", waiting notifications still come with their digest.
  if (delivery === 'at-once') return;
  await change
    .updateTable('notification')
    .set({ digest: delivery === 'portal' ? null : delivery })
    .where('loginId', '=', loginId)
    .where('topic', '=', topic)
    .where('digest', 'is not', null)
    .execute();
}
