import { daysBetween } from '@portal/contract/days';
import type { RequestState } from '@portal/contract/requests/life';
import type { TieKind } from '@portal/contract/tickets/queues';
import type { TicketLink } from '@portal/contract/tickets/tickets';
import { recordAddress } from '@portal/contract/records/record-address';
import { formatMoney, isRefused, type NumberResource, parsePrefix, printPrefix, readResources } from '@portal/number-resources';
import { sql } from 'kysely';
import { dayInWords } from '../../platform/day-words.ts';
import type { Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { namedInvoices } from '../billing/index.ts';
import { announcementsOf } from '../bgp-tables/index.ts';
import { namedRequests } from '../requests/index.ts';
import { columnsOf } from '../resources/index.ts';
import { validateAnnouncements, vrpsAround } from '../rpki/index.ts';
import type { StoredTicket } from './ticket-row.ts';

type Named = { kind: TieKind; text: string; isManual: boolean };
type Described = Pick<TicketLink, 'link' | 'mark' | 'words'>;
type Mark = NonNullable<TicketLink['mark']>;

const invoiceKinds = { renewal: 'Renewal', transfer: 'Transfer fee', reactivation: 'Reactivation', 'sign-up': 'Sign-up fee' } as const;
const requestMarks: Partial<Record<RequestState, Mark>> = {
  draft: { state: 'info', words: 'Draft' },
  'needs-info': { state: 'warning', words: 'Question' },
  'awaiting-fee': { state: 'warning', words: 'Fee due' },
  completed: { state: 'valid', words: 'Completed' },
  rejected: { state: 'invalid', words: 'Rejected' },
  withdrawn: { state: 'info', words: 'Withdrawn' },
  declined: { state: 'info', words: 'Declined' },
  expired: { state: 'info', words: 'Expired' },
};

/**
 * Returns the things that a ticket is linked to, with their states now as far as the reader's permissions show them. What only a message names, and the account doesn't have, isn't listed.
 * @param account the reader's account; null for a ticket of one person
 */
export async function ticketLinks(
  read: Read,
  row: Pick<StoredTicket, 'ticketId' | 'tieKind' | 'tieText'>,
  account: AdmittedAccount | null,
  today: string,
): Promise<TicketLink[]> {
  const stored = await read.rows<Named>(sql`select kind, content as text, is_manual from ticket_link
    where ticket_id = ${Number(row.ticketId)} order by at, content`);
  const about: Named[] = row.tieKind && row.tieText ? [{ kind: row.tieKind, text: row.tieText, isManual: true }] : [];
  const named = [...about, ...stored.filter(({ text }) => text.toLowerCase() !== row.tieText?.toLowerCase())];
  if (named.length === 0) return [];
  const of = (kind: TieKind): string[] => named.filter(each => each.kind === kind).map(({ text }) => text.toUpperCase());
  const known = account
    ? await Promise.all([
        invoices(read, account, of('invoice'), today),
        requests(read, account, of('request')),
        numbers(read, account, [...of('prefix'), ...of('asn')]),
      ])
    : [];
  const described = new Map(known.flatMap(each => [...each]));
  return named.flatMap(({ kind, text, isManual }) => {
    const found = described.get(text.toUpperCase());
    return found || isManual ? [{ kind, text, isManual, ...(found ?? { link: null, mark: null, words: '' }) }] : [];
  });
}

async function invoices(read: Read, account: AdmittedAccount, wanted: readonly string[], today: string): Promise<Map<string, Described>> {
  if (!account.permissions.has('member-billing-view')) return new Map();
  const rows = await namedInvoices(read, account.accountName, wanted);
  return new Map(
    rows.map(({ number, kind, currency, total, state, dueOn }) => {
      const days = daysBetween(today, dueOn);
      const mark: Mark =
        state === 'paid'
          ? { state: 'valid', words: 'Paid' }
          : state === 'cancelled' || state === 'written-off'
            ? { state: 'info', words: state === 'cancelled' ? 'Cancelled' : 'Written off' }
            : days < 0
              ? { state: 'invalid', words: 'Overdue' }
              : { state: 'warning', words: days === 0 ? 'Due today' : `Due in ${days} ${days === 1 ? 'day' : 'days'}` };
      const link = `/member-account-settings/billing?invoice=${number}`;
      return [number, { link, mark, words: `${invoiceKinds[kind]}, ${formatMoney(currency, total)}` }];
    }),
  );
}

async function requests(read: Read, account: AdmittedAccount, wanted: readonly string[]): Promise<Map<string, Described>> {
  if (!account.permissions.has('tickets-resources-view')) return new Map();
  const rows = await namedRequests(read, account.accountName, wanted);
  return new Map(
    rows.map(({ reference, state, words, link }) => [
      reference,
      { link, mark: requestMarks[state] ?? { state: 'pending', words: 'In progress' }, words },
    ]),
  );
}

/** Prefixes and AS numbers that the account holds, with how the prefixes are announced. */
async function numbers(read: Read, account: AdmittedAccount, wanted: readonly string[]): Promise<Map<string, Described>> {
  if (!account.permissions.has('resources-view') || wanted.length === 0) return new Map();
  const resources = wanted.flatMap(text =>
    readResources(text).items.flatMap(item => (isRefused(item) ? [] : [{ text, resource: item.resource }])),
  );
  const [holdings, marks] = await Promise.all([
    Promise.all(resources.map(({ resource }) => holdingOf(read, account.accountName, resource))),
    account.permissions.has('rescert-view') ? routing(read, account, resources) : new Map<string, Mark>(),
  ]);
  return new Map(
    resources.flatMap(({ text }, index) => {
      const holding = holdings[index];
      if (!holding) return [];
      const { delegatedOn, source, resource } = holding;
      const since = delegatedOn === null ? '' : ` on ${dayInWords(delegatedOn)}`;
      const words =
        resource.toUpperCase() === text
          ? `${source === 'transferred' ? 'Transferred in' : 'Delegated'}${since}`
          : `In ${resource}, ${source === 'transferred' ? 'transferred in' : 'delegated'}${since}`;
      return [[text, { link: recordAddress(text.startsWith('AS') ? text : text.toLowerCase()), mark: marks.get(text) ?? null, words }]];
    }),
  );
}

type Holding = { resource: string; delegatedOn: string | null; source: string };

async function holdingOf(read: Read, accountName: string, of: NumberResource): Promise<Holding | undefined> {
  const { kind, first, last, firstAs, lastAs } = columnsOf(of);
  const [row] = await read.rows<Holding>(sql`select resource, delegated_on, source from delegation
    where account_name = ${accountName} and status <> 'closed' and registry = '' and ${
      kind === 'asn'
        ? sql`kind = 'asn' and int8range(first_as, last_as, '[]') @> int8range(${firstAs}, ${lastAs}, '[]')`
        : sql`kind <> 'asn' and inetrange(first, last, '[]') @> inetrange(${first}::inet, ${last}::inet, '[]')`
    } limit 1`);
  return row;
}

/** How exactly these prefixes are seen in BGP: the worst of their announcements counts. */
async function routing(
  read: Read,
  account: AdmittedAccount,
  resources: readonly { text: string; resource: NumberResource }[],
): Promise<Map<string, Mark>> {
  const prefixes = resources.flatMap(({ text, resource }) =>
    resource.family === 'asn' || !text.includes('/') ? [] : [{ text, prefix: printPrefix(parsePrefix(text.toLowerCase())) }],
  );
  if (prefixes.length === 0) return new Map();
  const all = prefixes.map(({ prefix }) => prefix);
  const [{ announcements }, vrps] = await Promise.all([announcementsOf(read, account.accountName, all), vrpsAround(read, all)]);
  const { announcements: seen } = await validateAnnouncements(announcements, vrps);
  return new Map(
    prefixes.map(({ text, prefix }) => {
      const validities = seen.filter(each => each.prefix === prefix).map(({ validity }) => validity);
      const mark: Mark =
        validities.length === 0
          ? { state: 'info', words: 'Not announced' }
          : validities.some(each => each === 'invalid-asn' || each === 'invalid-length')
            ? { state: 'invalid', words: 'Invalid' }
            : validities.every(each => each === 'valid')
              ? { state: 'valid', words: 'Valid' }
              : { state: 'info', words: 'Not found' };
      return [text, mark];
    }),
  );
}
