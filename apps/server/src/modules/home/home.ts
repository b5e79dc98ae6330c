import type { AnswerOf } from '@portal/contract';
import { type Attention, type home, homeZones } from '@portal/contract/home/home';
import type { AttentionSubject } from '../../platform/attention.ts';
import type { Read } from '../../platform/database/index.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Log } from '../../platform/log.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { activeContacts } from '../accounts/index.ts';
import { getSummary } from '../resources/index.ts';
import { zoneSummary } from '../reverse-dns/index.ts';
import { seenAnnouncements } from '../routes/index.ts';
import { tallyOf } from '../rpki/index.ts';
import { recentActivity } from './recent-activity.ts';

type Home = AnswerOf<typeof home.getHome>;
type Network = AnswerOf<typeof home.getNetwork>;

/** Returns a function that loads a part of home: null where the caller may not see it, or where it failed. */
const partsOf =
  (log: Log, { traceId, accountName }: { traceId: string; accountName: string }) =>
  async <T>(name: string, allowed: boolean, load: () => Promise<T>): Promise<T | null> => {
    if (!allowed) return null;
    try {
      return await load();
    } catch (error) {
      log.error('part of home failed', { part: name, traceId, account: accountName, error });
      return null;
    }
  };

/** The account at a glance. Each part is read separately, so that one that fails or is not allowed leaves the others. */
export async function getHome({ read, caller, account, traceId, registry }: Act<typeof home.getHome>): Promise<Home> {
  const { now, log } = registry;
  const { accountName, permissions } = account;
  const own = partsOf(log, { traceId, accountName });
  const [attention, resources, recent, contacts] = await Promise.all([
    own('attention', true, () => listAttention({ read, caller, account, now }, registry, traceId)),
    own('resources', permissions.has('resources-view'), async () => (await getSummary({ read, account: { accountName } })).totals),
    own('recent', permissions.has('member-account-access-logs-view'), () => recentActivity(read, account, caller, registry)),
    own('contacts', permissions.has('contacts-details-view'), () => listContacts(read, accountName)),
  ]);
  return { attention, resources, recent, contacts };
}

/** Announcements and reverse zones of the account, counted. Read apart from the rest, which doesn't wait for them. */
export async function getNetwork({ read, account, traceId, registry: { log } }: Act<typeof home.getNetwork>): Promise<Network> {
  const { accountName, permissions } = account;
  const part = partsOf(log, { traceId, accountName });
  const [routes, reverse] = await Promise.all([
    part('routes', permissions.has('rescert-view'), async () => {
      const { collectedAt, announcements } = await seenAnnouncements(read, accountName);
      return { ...tallyOf(announcements.map(({ validity }) => validity)), collectedAt };
    }),
    part('reverse', permissions.has('whois-domain-objects-view'), async () => {
      const { counts, blocks } = await zoneSummary(read, accountName);
      const { needed, ok, warning, lame, unchecked, missing } = counts;
      const cells = blocks.flatMap(block => block.cells.map(({ state }) => state));
      return { needed, ok, warning, lame, unchecked, missing, cells: cells.length > homeZones ? [] : cells };
    }),
  ]);
  return { routes, reverse };
}

const urgencies = { urgent: 0, soon: 1, note: 2 } as const;
const byHarm = (a: Attention, b: Attention): number =>
  urgencies[a.urgency] - urgencies[b.urgency] || (a.due ?? '9999').localeCompare(b.due ?? '9999');

const incomplete = {
  urgency: 'note',
  due: null,
  title: 'Some items couldn’t be loaded',
  detail: 'This list may be incomplete. Reload the page in a minute.',
  action: null,
  forWhom: 'account',
} as const;

/**
 * Returns everything that needs attention by the person or the account, from all modules, most harmful and earliest first. A part that fails leaves
 * the others, and the list says so.
 */
async function listAttention(subject: AttentionSubject, context: ModuleContext, traceId: string): Promise<Attention[]> {
  const lists = await Promise.all(
    context.modules.map(async ({ name, attention }): Promise<Attention[]> => {
      try {
        return (await attention?.(subject, context)) ?? [];
      } catch (error) {
        context.log.error('part of what needs attention failed', { part: name, traceId, account: subject.account.accountName, error });
        return [{ ...incomplete, attentionId: `incomplete-${name}` }];
      }
    }),
  );
  return lists.flat().toSorted(byHarm);
}

async function listContacts(read: Read, accountName: string): Promise<{ contactId: string; name: string; contactTypes: string[] }[]> {
  const contacts = await activeContacts(read, accountName);
  return contacts.map(({ contactId, fullName, contactTypes }) => ({ contactId, name: fullName, contactTypes }));
}
