import { type AnswerOf, holdsOneOf } from '@portal/contract';
import type { Endpoint } from '@portal/contract';
import { dayIn } from '@portal/contract/days';
import { staffCases } from '@portal/contract/staff/cases';
import { desk } from '@portal/contract/staff/desk';
import { bankStatements } from '@portal/contract/billing/bank-statements';
import { books } from '@portal/contract/billing/books';
import { elections } from '@portal/contract/elections/elections';
import { proposals } from '@portal/contract/proposals/proposals';
import { publicationFeeds } from '@portal/contract/publication/feeds';
import { requestDesk } from '@portal/contract/requests/desk';
import { lameServers } from '@portal/contract/reverse-dns/lame-servers';
import { rpkiDesk } from '@portal/contract/rpki/desk';
import type { deskHome } from '@portal/contract/staff/desk-home';
import { setAside } from '@portal/contract/tasks/set-aside';
import { tickets } from '@portal/contract/tickets/tickets';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { listStaffProposals } from '../proposals/index.ts';
import { rpkiAlarms } from '../rpki/index.ts';
import { listSetAside } from '../tasks/index.ts';
import { remindersOf } from './case-watches.ts';
import { casesOf, serviceOf } from './morning-cases.ts';
import { lastMonths, lastWeeks, membersOf, moneyOf, poolsOf, turnoutOf } from './morning-figures.ts';
import { machinesOf } from './morning-machines.ts';

type Home = AnswerOf<typeof deskHome.getDeskHome>;

/**
 * The morning of registry staff. Each part is read by those who can open its list, by the declaration of that call, and fails on its own.
 */
export async function getDeskHome(act: Act<typeof deskHome.getDeskHome>): Promise<Home> {
  const { read, caller, registry, traceId } = act;
  const { now, profile, log } = registry;
  const failed: string[] = [];
  const opens = ({ access }: Pick<Endpoint, 'access'>): boolean =>
    access.who === 'staff' && holdsOneOf(caller.staffPermissions, access.permissions, true);
  const part = async <T>(name: string, list: Pick<Endpoint, 'access'>, load: () => Promise<T>): Promise<T | null> => {
    if (!opens(list)) return null;
    try {
      return await load();
    } catch (error) {
      log.error('part of the desk’s home failed', { part: name, traceId, error });
      failed.push(name);
      return null;
    }
  };
  const months = lastMonths(now);
  const weeks = lastWeeks(now);
  const seesRequests = { access: requestDesk.listPools.access };
  const [cases, approvals, service, machines, pools, money, members, turnout, reports, reminders] = await Promise.all([
    part('cases', desk.listRequests, () => casesOf(read, caller, registry)),
    part('approvals', proposals.listStaffProposals, () => approvalsOf(act)),
    part('service', seesRequests, () => serviceOf(read, caller, registry, { weeks, months })),
    part('machines', publicationFeeds.listFeeds, () => machinesOf(read, registry, now)),
    part('pools', requestDesk.listPools, () => poolsOf(read, now)),
    part('money', books.getBooks, () => moneyOf(read, profile.currency, months)),
    part('members', desk.getAccountSheet, () => membersOf(read)),
    part('elections', elections.listElections, () => turnoutOf(read, now)),
    reportsOf(act, part),
    part('reminders', staffCases.getCase, () => remindersOf(read, caller, dayIn(profile.timeZone, now))),
  ]);
  return {
    at: now.toISOString(),
    cases,
    approvals,
    service,
    machines,
    pools,
    money,
    members,
    elections: turnout,
    reports,
    reminders: reminders ?? [],
    failed,
  };
}

/** Changes that wait for a second person: those of the reader, and those that they may decide. */
async function approvalsOf(act: Act<typeof deskHome.getDeskHome>): Promise<NonNullable<Home['approvals']>> {
  const { waiting } = await listStaffProposals(act);
  return waiting.map(({ proposalId, what, link, proposedBy, isMine, expiresAt, tooNew, needsRole }) => ({
    proposalId,
    what,
    link,
    proposedBy,
    isMine,
    expiresAt,
    mayApprove: !isMine && tooNew === null && needsRole === null,
  }));
}

type Part = <T>(name: string, list: Pick<Endpoint, 'access'>, load: () => Promise<T>) => Promise<T | null>;

const countOf = async (read: Read, from: ReturnType<typeof sql>): Promise<number> =>
  (await read.rows<{ count: number }>(sql`select count(*)::int as count from ${from}`))[0]!.count;

async function reportsOf(act: Act<typeof deskHome.getDeskHome>, part: Part): Promise<Home['reports']> {
  const { read, caller, registry } = act;
  const waiting = sql`ticket where state in ('new', 'open')`;
  const [ticketsWaiting, ticketsMine, bankLines, lame, alarms, aside] = await Promise.all([
    part('tickets', tickets.listStaffTickets, () => countOf(read, waiting)),
    part('tickets', tickets.listStaffTickets, () => countOf(read, sql`${waiting} and owner = ${caller.loginId}`)),
    part('bank lines', bankStatements.listBankLines, () => countOf(read, sql`bank_line where state = 'open'`)),
    part('lame servers', lameServers.listLameServers, () => countOf(read, sql`rdns_lame_server`)),
    part('RPKI', rpkiDesk.getOverview, async () => (await rpkiAlarms(read, registry.now)).length),
    part('set aside', setAside.listSetAside, async () => (await listSetAside(act)).rows.length),
  ]);
  return { ticketsWaiting, ticketsMine, bankLines, lameServers: lame, rpkiAlarms: alarms, setAside: aside };
}
