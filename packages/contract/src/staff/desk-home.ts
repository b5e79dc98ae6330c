import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { Feed } from '../publication/feeds.ts';
import { resourceKinds } from '../resources/resource-kinds.ts';
import { staffPermissionKeys } from '../staff-permissions.ts';
import { CaseLine } from './cases.ts';
import { DeskRequest } from './desk.ts';

/** Half hours of the pictures of the last day. */
export const pulseParts = 48;
/** Weeks of the picture of kept promises, and months of those of requests and income. */
export const homeWeeks = 12;
export const homeMonths = 12;
/** Cases that are drawn one by one. */
export const homeCases = 80;

const HomeCase = z.extend(
  z.pick(DeskRequest, {
    kind: true,
    requestId: true,
    reference: true,
    accountName: true,
    orgName: true,
    asked: true,
    requestedAt: true,
    handler: true,
    dueAt: true,
    late: true,
    second: true,
  }),
  {
    /** Of the resources it asks for; null for other cases. */
    resource: z.nullable(z.enum(resourceKinds)),
    /** Working hours (eight a day, Monday to Friday, UTC) that it has waited for the registry. */
    hours: z.number(),
    /** The reader has it. */
    isMine: z.boolean(),
  },
);
export type HomeCase = z.infer<typeof HomeCase>;

const Cases = z.object({
  /** The longest waiting first; those that wait for the member are only counted. */
  rows: z.array(HomeCase),
  withUs: z.int(),
  late: z.int(),
  mine: z.int(),
  /** Free to take: no one has it, and it doesn't wait for a second person. */
  free: z.int(),
  /** Approved by a colleague, and the reader can be the second person. */
  toConfirm: z.int(),
  waitingOnMembers: z.int(),
  /** Working hours within which the registry promises an answer. */
  promiseHours: z.int(),
  decidedToday: z.int(),
  decided: z.array(
    z.pick(DeskRequest, {
      kind: true,
      requestId: true,
      reference: true,
      accountName: true,
      orgName: true,
      asked: true,
      state: true,
      resolvedBy: true,
      resolvedAt: true,
    }),
  ),
});

const Service = z.object({
  /** First answers to requests of each week (its Monday), and how many came within the promised hours. The last is the present week. */
  weeks: z.array(z.object({ week: z.iso.date(), answered: z.int(), kept: z.int() })),
  /** Requests sent in each month (`2026-11`); the last is the present one. */
  months: z.array(z.object({ month: z.string(), resources: z.int(), transfers: z.int() })),
});

const Machines = z.object({
  feeds: z.array(Feed),
  /** Periodic work, and which of it failed last or is overdue, with the minutes since it last succeeded. */
  jobs: z.int(),
  lateJobs: z.array(z.object({ name: z.string(), minutes: z.nullable(z.int()) })),
  /** E-mails written in each half hour of the last day, those that wait with the oldest, and those refused in the last day. */
  mail: z.object({ written: z.array(z.int()), waiting: z.int(), oldestAt: z.nullable(z.iso.datetime()), refused: z.int() }),
  /** Changes of whois objects in each half hour of the last day, and the serial. */
  whois: z.object({ changes: z.array(z.int()), serial: z.int() }),
});

const Pool = z.object({
  kind: z.enum(resourceKinds),
  available: z.string(),
  held: z.string(),
  quarantine: z.string(),
  reserved: z.string(),
  /** Delegated within the last 365 days. */
  yearly: z.string(),
  /** In so many delegations. */
  delegations: z.int(),
});

const Money = z.object({
  currency: z.string(),
  /** Invoices that fall due in each month (`2026-11`), without what was cancelled, credited or written off, and payments that came in. */
  months: z.array(z.object({ month: z.string(), due: z.string(), paid: z.string() })),
});

/** Numbers that call for someone; null where the reader can't open their list. */
const Reports = z.object({
  ticketsWaiting: z.nullable(z.int()),
  ticketsMine: z.nullable(z.int()),
  bankLines: z.nullable(z.int()),
  lameServers: z.nullable(z.int()),
  rpkiAlarms: z.nullable(z.int()),
  setAside: z.nullable(z.int()),
});

const DeskHome = z.object({
  at: z.iso.datetime(),
  cases: z.nullable(Cases),
  approvals: z.nullable(
    z.array(
      z.object({
        proposalId: z.string(),
        what: z.string(),
        link: z.nullable(z.string()),
        proposedBy: z.string(),
        isMine: z.boolean(),
        expiresAt: z.iso.datetime(),
        /** The reader is a second person for it. */
        mayApprove: z.boolean(),
      }),
    ),
  ),
  service: z.nullable(Service),
  machines: z.nullable(Machines),
  pools: z.nullable(z.array(Pool)),
  money: z.nullable(Money),
  members: z.nullable(z.array(z.object({ state: z.string(), accounts: z.int() }))),
  elections: z.nullable(z.array(z.object({ electionId: z.string(), title: z.string(), voters: z.int(), voted: z.int() }))),
  reports: Reports,
  /** Reminders of the reader that are due, the oldest first. */
  reminders: z.array(z.extend(CaseLine, { reminderId: z.string(), day: z.iso.date(), words: z.string() })),
  /** Parts that failed, by name: the others are complete. */
  failed: z.array(z.string()),
});
export type DeskHome = z.infer<typeof DeskHome>;

export const deskHome = group('staff.deskHome', {
  getDeskHome: endpoint({
    method: 'GET',
    path: '/api/staff/home',
    summary:
      'The morning of registry staff: what is late, theirs, or waits for a second person, what the machines report, and pictures of the work. A part is null for those whose roles don’t open its list.',
    access: staff(staffPermissionKeys),
    answer: DeskHome,
  }),
});
