import * as z from 'zod/mini';
import { endpoint, group, staff } from '../endpoint.ts';
import { severalLines } from '../several-lines.ts';
import { caseHandlers, type StaffPermission } from '../staff-permissions.ts';
import { deskKindNames, deskKindPermissions, deskStates, SecondApproval } from './desk.ts';
import { RiskMark } from './risk-marks.ts';

/** Kinds of cases at the desk: every kind of request in the queue, and tickets. */
export const caseKinds = [...deskKindNames, 'tickets'] as const;
export type CaseKind = (typeof caseKinds)[number];
/** Who handles which kind of case. */
export const caseKindPermissions: Readonly<Record<CaseKind, StaffPermission>> = { ...deskKindPermissions, tickets: 'support' };
/** Kinds of cases that someone of the registry has, and that can be handed over. */
export const heldCaseKinds = ['applications', 'organisations', 'resources', 'transfers', 'tickets'] as const satisfies readonly CaseKind[];
export type HeldCaseKind = (typeof heldCaseKinds)[number];
export const isHeldKind = (kind: CaseKind): kind is HeldCaseKind => (heldCaseKinds as readonly string[]).includes(kind);

/** Reminders that one person can have, and links that one case can have. */
export const maxReminders = 200;
export const maxCaseLinks = 50;
/** Years ahead for which one can be reminded. */
export const maxReminderYears = 2;

/** A case in a line, as others refer to it. */
export const CaseLine = z.object({
  kind: z.enum(caseKinds),
  caseId: z.string(),
  /** Quoted in mails: `REQ-7`; null for cases that have none. */
  reference: z.nullable(z.string()),
  asked: z.string(),
  accountName: z.nullable(z.string()),
  state: z.enum(deskStates),
});
export type CaseLine = z.infer<typeof CaseLine>;

/** The notes of registry staff beside a case, for themselves. */
const CaseNotes = z.object({
  case: z.extend(CaseLine, {
    orgName: z.string(),
    isOpen: z.boolean(),
    requestedBy: z.string(),
    requestedAt: z.iso.datetime(),
    handler: z.nullable(z.string()),
    /** It was approved once and waits for a second person; null otherwise. */
    second: z.nullable(SecondApproval),
  }),
  /** Colleagues who are notified when it moves or changes hands. */
  watchers: z.array(z.object({ loginId: z.string(), name: z.string() })),
  /** The caller watches it. */
  watching: z.boolean(),
  /** The caller’s own. */
  reminders: z.array(z.object({ reminderId: z.string(), day: z.iso.date(), words: z.string(), byMail: z.boolean() })),
  links: z.array(z.extend(CaseLine, { linkId: z.string(), linkedBy: z.string(), linkedAt: z.iso.datetime() })),
  /** Its hand-overs, the latest first; `from` is null where no one had it. */
  handOvers: z.array(z.object({ from: z.nullable(z.string()), to: z.string(), by: z.string(), words: z.string(), at: z.iso.datetime() })),
  /** Its steps, oldest first, as events of a request are named; empty for kinds that have events of their own. `by` is null for what the registry did itself. */
  steps: z.array(z.object({ kind: z.string(), at: z.iso.datetime(), by: z.nullable(z.string()) })),
  /** Risk marks in force on the account that it is of; none for a reader who is of that account. */
  marks: z.array(RiskMark),
  /** Who has it; null where no one does, or where cases of its kind are not taken. */
  handlerId: z.nullable(z.string()),
  /** Colleagues it can be handed over to, without those whose own matter it is; empty once it is closed, for kinds that no one takes, and for a reader who can’t act on it. */
  colleagues: z.array(z.object({ loginId: z.string(), name: z.string() })),
});
export type CaseNotes = z.infer<typeof CaseNotes>;

const access = staff(caseHandlers);
const path = '/api/staff/cases/:kind/:caseId';

export const staffCases = group('staff.cases', {
  getCase: endpoint({
    method: 'GET',
    path,
    summary: 'Beside a case: who watches it, the caller’s reminders, linked cases, and colleagues who can take it.',
    access,
    answer: CaseNotes,
    errors: ['NOT_FOUND'],
  }),
  watchCase: endpoint({
    method: 'PUT',
    path: `${path}/watch`,
    summary: 'Watch a case, or stop. Its watchers are notified when it moves or someone else takes it, but not of what they do themselves.',
    access,
    effect: 'own settings',
    body: z.object({ watching: z.boolean() }),
    answer: CaseNotes,
    errors: ['NOT_FOUND'],
    activity: 'Watched a case',
  }),
  remindOfCase: endpoint({
    method: 'POST',
    path: `${path}/reminders`,
    summary: 'Be reminded of a case on a day: on the desk in the morning, and by e-mail if one wishes.',
    access,
    effect: 'own settings',
    body: z.object({
      day: z.iso.date({ error: 'Enter a day, such as 2027-02-01' }),
      words: severalLines(200),
      byMail: z.boolean(),
    }),
    answer: CaseNotes,
    errors: ['NOT_FOUND', 'TOO_MANY_REMINDERS'],
    activity: 'Asked to be reminded of a case',
  }),
  removeReminder: endpoint({
    method: 'DELETE',
    path: `${path}/reminders/:reminderId`,
    summary: 'Remove a reminder of one’s own, also of a case that one can’t open any more.',
    access,
    effect: 'own settings',
    errors: ['NOT_FOUND'],
    activity: 'Removed a reminder of a case',
  }),
  linkCase: endpoint({
    method: 'POST',
    path: `${path}/links`,
    summary: 'Link a case to another one that belongs to it. Both show the link to registry staff.',
    access,
    effect: 'conversation',
    body: z.object({
      /** A reference, the number of a ticket, or the name of a case in its address. */
      other: z
        .string()
        .check(
          z.trim(),
          z.minLength(1, { error: 'Enter a case, such as REQ-7 or 20001' }),
          z.maxLength(40, { error: 'At most 40 characters' }),
        ),
    }),
    answer: CaseNotes,
    errors: ['NOT_FOUND', 'NO_SUCH_CASE', 'TOO_MANY_CASE_LINKS'],
    activity: 'Linked two cases',
  }),
  unlinkCase: endpoint({
    method: 'DELETE',
    path: `${path}/links/:linkId`,
    summary: 'Remove the link between two cases.',
    access,
    effect: 'conversation',
    answer: CaseNotes,
    errors: ['NOT_FOUND'],
    activity: 'Removed the link between two cases',
  }),
  handOverCase: endpoint({
    method: 'POST',
    path: `${path}/hand-over`,
    summary:
      'Hand an open case over to a colleague, who gets an e-mail with the words, as does the person who had it. Neither is a contact of its account. The member doesn’t see it.',
    access,
    effect: 'conversation',
    body: z.object({ to: z.string().check(z.minLength(1, { error: 'Choose a colleague' }), z.maxLength(100)), words: severalLines(500) }),
    answer: CaseNotes,
    errors: ['NOT_FOUND', 'ALREADY_RESOLVED', 'OWN_REQUEST'],
    activity: 'Handed a case over',
  }),
});
