import { HOUR_MS, MINUTE_MS } from '@portal/contract/days';
import { type ServiceName, serviceNames, servicesInWords } from '@portal/contract/service-names';
import { type RawBuilder, sql } from 'kysely';
import type { ActivityInfo, Change, Read } from '../../platform/database/index.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { type AddressAct, addressLink, makeLink } from '../identity/index.ts';
import { sendMail } from '../mail/index.ts';
import { announcementsTexts } from './mail-texts.ts';

/** An address that gets e-mails about services, without a login. Without services: about all of them. */
export type Subscriber = { subscriberId: string; email: string; services: ServiceName[] };

/** SQL: announcement `a` is an incident or planned work for everyone, as the status page shows them. */
export const isNotice: RawBuilder<boolean> = sql<boolean>`(a.audience = 'all' and (a.category = 'maintenance' or (a.category in ('service', 'security') and a.severity <> 'info')))`;

/** SQL: announcement `a` is for subscriber `s`: it names a service that they chose, or none. */
export const isSubscribed: RawBuilder<boolean> = sql<boolean>`(${isNotice} and (s.services = '{}' or a.services = '{}' or s.services && a.services))`;

/** Returns the known services among those that a form, or a link, names, in the order of the status page. */
export const servicesAmong = (given: unknown): ServiceName[] =>
  Array.isArray(given) ? serviceNames.filter(name => given.includes(name)) : [];

/** The choice of services, in words. */
export const choiceInWords = (services: readonly ServiceName[]): string =>
  services.length === 0 ? 'All services' : servicesInWords(services);

const servicesOf = (asked: unknown): ServiceName[] => servicesAmong((asked as { services?: unknown } | null)?.services);

/** Confirms that an address gets e-mails about services. One that already does gets them about these from now on. */
export const subscribe: AddressAct = {
  purpose: 'status-mails',
  action: 'announcements.subscribe',
  summary: 'Confirmed e-mails about services',
  title: 'Get these e-mails?',
  act: 'Confirm',
  asks: (_read, { asked, email }) =>
    Promise.resolve([`Incidents and planned work, to ${email}`, `Services: ${choiceInWords(servicesOf(asked))}`]),
  run: async (change, { asked, email }) => {
    const services = servicesOf(asked);
    await change.rows(sql`insert into announcement_subscriber (email, services, confirmed_at)
      values (${email}, ${services}::text[], ${change.now}::timestamptz)
      on conflict (lower(email)) do update set services = excluded.services`);
    return [
      `${email} gets e-mails about incidents and planned work. ${services.length === 0 ? 'They are about all services.' : `Services: ${servicesInWords(services)}.`}`,
      'Each e-mail has a link to choose other services or to unsubscribe.',
    ];
  },
};

/** How long a link works that confirms an address. */
const LINK_MINUTES = (2 * HOUR_MS) / MINUTE_MS;

/** Mails the link that confirms an address. The mail has nothing of what was typed but the address it goes to. */
export async function askToSubscribe(
  { db, config, profile, box }: Pick<ModuleContext, 'db' | 'config' | 'profile' | 'box'>,
  line: Pick<ActivityInfo, 'traceId' | 'address'>,
  { email, services }: Pick<Subscriber, 'email' | 'services'>,
): Promise<void> {
  await db.change({ ...line, action: 'announcements.askToSubscribe', summary: 'Asked for e-mails about services' }, async change => {
    const { token } = await makeLink(change, { purpose: 'status-mails', email, asked: { services: [...services] }, minutes: LINK_MINUTES });
    await sendMail(
      change,
      {
        topic: 'login.links',
        recipient: email,
        text: announcementsTexts.written('confirmSubscription', { registryName: profile.registryName }),
        act: 'See and confirm',
        link: addressLink(config.appUrl, 'status-mails', token),
      },
      box,
    );
  });
}

/** Returns a subscriber; null for one who has unsubscribed. */
export async function findSubscriber(read: Read, subscriberId: string): Promise<Subscriber | null> {
  const [row] = await read.rows<Subscriber>(
    sql`select subscriber_id::text as subscriber_id, email, services from announcement_subscriber where subscriber_id = ${subscriberId}::bigint`,
  );
  return row ?? null;
}

/** Chooses the services of a subscriber's e-mails. */
export async function chooseServices(change: Change, subscriberId: string, services: readonly ServiceName[]): Promise<void> {
  await change.rows(
    sql`update announcement_subscriber set services = ${[...services]}::text[] where subscriber_id = ${subscriberId}::bigint`,
  );
}

/** Ends the e-mails of a subscriber: the address is deleted. */
export async function unsubscribe(change: Change, subscriberId: string): Promise<void> {
  await change.rows(sql`delete from announcement_subscriber where subscriber_id = ${subscriberId}::bigint`);
}
