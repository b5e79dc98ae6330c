import { staffPermissionWords } from '@portal/contract/staff-permission-words';
import { createHash } from 'node:crypto';
import { type AnswerOf, type Endpoint, holdsOneOf, type Permission, type StaffPermission } from '@portal/contract';
import { isOfTypes } from '@portal/contract/admission';
import { HOUR_MS, instantAfter } from '@portal/contract/days';
import type { Proposal, proposals } from '@portal/contract/proposals/proposals';
import { type RawBuilder, sql } from 'kysely';
import type { AdmittedAccount, Caller } from '../../platform/http/caller.ts';
import { type Change, type Database, ownActivity, type Read } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import type { ProposedCall } from '../../platform/admission.ts';
import { dayInWords } from '../../platform/day-words.ts';
import { type Failure, refuse, refuseWithCurrent } from '../../platform/failure.ts';
import type { Act, CaseAct } from '../../platform/http/endpoints.ts';
import type { RouteContext } from '../../platform/module.ts';
import type { Registry } from '../../platform/registry.ts';
import { membershipOf, ownersOf, refuseOwnAccount } from '../accounts/index.ts';
import { type Login, loginById } from '../identity/index.ts';
import { requireStaffPermission, type SecondPersons, secondPersons, staffPermissionsOf } from '../roles/index.ts';
import { approversOf, type Deciders, notifySide, type Person, type Side } from './approvers.ts';
import { isOfSecondRole, rolesOf, type TwoRoles } from './case-permissions.ts';
import { endpointOf, type Row } from './proposal-row.ts';
import { hasTwoPersonRule } from './two-person-rule.ts';
import { proposalsTexts } from './mail-texts.ts';
import { shownDetails } from './shown-words.ts';

/** Hours for the second person to decide. */
const HOURS = 72;
const LATEST = 20;
const what = { what: 'The change' };

/** SQL: proposals with their people in words, of those `p` that a condition finds. */
export const rowsWhere = (where: RawBuilder<unknown>): RawBuilder<Row> => sql<Row>`
  select p.*, l.full_name as proposer, d.full_name as decider from proposal p
  join login l on l.login_id = p.proposed_by left join login d on d.login_id = p.decided_by where ${where}`;

export const byId = async (read: Read, id: number): Promise<Row> => (await read.rows(rowsWhere(sql`p.proposal_id = ${id}`)))[0]!;
export const ofSide = (side: Side): RawBuilder<unknown> =>
  side === 'staff' ? sql`p.account_name is null` : sql`p.account_name = ${side.accountName}`;

/** The change in words. */
export const wordsOf = ({ title, action }: Pick<Row, 'title' | 'action'>): string => title ?? endpointOf(action)?.activity ?? action;
type Context = Pick<Registry, 'modules' | 'profile'>;
const decidersOf = async (
  change: Change,
  side: Side,
  row: Pick<Row, 'action' | 'input' | 'about'>,
  { modules }: Pick<Context, 'modules'>,
): Promise<Deciders> => (side === 'staff' ? { roles: await rolesOf(change, modules, row), now: change.now, about: row.about } : side);

/** Checks that the caller decides what is proposed. @throws Failure NO_STAFF_PERMISSION */
const requireDecider = async (change: Change, caller: Caller, row: Row, { modules }: Pick<Context, 'modules'>): Promise<void> =>
  requireStaffPermission(change, caller.staffPermissions, (await rolesOf(change, modules, row)).second, { now: change.now });

const inQuotes = (permissions: readonly StaffPermission[]): string => inWords(permissions.map(key => `“${staffPermissionWords[key]}”`));

/** Who is a second person for whom at this moment, by the roles of registry staff. */
export const secondPersonsAt = (read: Pick<Read, 'rows'>, now: string, { profile }: Pick<Context, 'profile'>) =>
  secondPersons(read, { now, days: profile.staffSecondPersonDays });

/**
 * Checks that the caller is a second person: of another role than the proposer, where the act takes two roles, and with no one who stands behind both.
 * @throws Failure SAME_ROLE, ROLE_TOO_NEW
 */
async function requireSecondPerson(change: Change, caller: Caller, row: Row, registry: Context): Promise<void> {
  const roles = await rolesOf(change, registry.modules, row);
  const shared = roles.apart.filter(permission => caller.staffPermissions.has(permission));
  if (shared.length > 0) throw refuse('SAME_ROLE', { held: inQuotes(shared), proposer: row.proposer, needed: inQuotes(roles.second) });
  const persons = await secondPersonsAt(change, change.now, registry);
  const met = persons.tooNew(row.proposedBy, caller.loginId, roles);
  if (met) throw refuse('ROLE_TOO_NEW', { givenBy: met.givenBy, proposer: row.proposer, from: dayInWords(met.from) });
}

/** Facts of a proposal about its reader, and about those who can approve it. */
type Deciding = Pick<Proposal, 'tooNew' | 'needsRole' | 'waitsFor'>;
const undecided: Deciding = { tooNew: null, needsRole: null, waitsFor: [] };

export const proposalOf = (row: Row, loginId: string, deciding: Partial<Deciding> = undecided): Proposal => ({
  proposalId: String(row.proposalId),
  accountName: row.about,
  action: row.action,
  what: wordsOf(row),
  link: row.link,
  shown: shownDetails(row.shown),
  fingerprint: row.fingerprint,
  proposedBy: row.proposer,
  isMine: row.proposedBy === loginId,
  proposedAt: row.proposedAt,
  expiresAt: row.expiresAt,
  state: row.state,
  decidedBy: row.decider,
  decidedAt: row.decidedAt,
  note: row.note,
  ...undecided,
  ...deciding,
});

/** JSON with sorted keys, so that equal values have equal fingerprints. */
const ordered = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(ordered)
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, each]) => [key, ordered(each)]),
        )
      : value;
const fingerprintOf = (about: string | null, { endpoint, input, shown }: Pick<ProposedCall, 'endpoint' | 'input' | 'shown'>): string =>
  createHash('sha256')
    .update(JSON.stringify(ordered({ about, action: endpoint.id, input, shown })))
    .digest('hex');

const inWords = (names: readonly string[]): string => new Intl.ListFormat('en', { type: 'disjunction' }).format(names);
const untilWords = (instant: string): string => `${instant.slice(0, 16).replace('T', ' at ')} UTC`;

/**
 * Stores a call that waits for a second person and asks the possible approvers. Repeating it returns the same proposal.
 * @throws Failure NO_SECOND_PERSON if there is no other approver
 */
export async function propose(change: Change, asked: ProposedCall, context: Context): Promise<Failure> {
  const { endpoint, caller, account, input, title, link } = asked;
  // The number assigned in the rehearsal isn't the final one.
  const shown = Object.fromEntries(Object.entries(asked.shown).filter(([key]) => !/request$/i.test(key)));
  const side: Side = endpoint.secondPerson === 'always' || !account ? 'staff' : { accountName: account.accountName };
  const about = account?.accountName ?? (input.params as { accountName?: string }).accountName ?? asked.concerns;
  const deciders = await decidersOf(change, side, { action: endpoint.id, input, about }, context);
  const colleagues = (await approversOf(change, deciders)).filter(({ loginId }) => loginId !== caller.loginId);
  const persons = await secondPersonsAt(change, change.now, context);
  const { others, later } = secondOf(colleagues, { proposer: caller.loginId, deciders, persons });
  if (others.length === 0) throw refuse('NO_SECOND_PERSON', { who: later ?? whyNone(deciders) });
  const fingerprint = fingerprintOf(about, { endpoint, input, shown });
  const expiresAt = instantAfter(change.now, HOURS * HOUR_MS);
  const filed = await change
    .insertInto('proposal')
    .values({
      accountName: side === 'staff' ? null : side.accountName,
      about,
      title,
      link,
      action: endpoint.id,
      input: JSON.stringify(input),
      shown: JSON.stringify(shown),
      fingerprint,
      proposedBy: caller.loginId,
      proposedAt: change.now,
      expiresAt,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('proposalId')
    .executeTakeFirst();
  if (about !== null && side === 'staff') await change.concerns(about);
  await change.note({ ...shown, proposed: title });
  const [row] = await change.rows(rowsWhere(sql`p.fingerprint = ${fingerprint} and p.state = 'pending'`));
  const proposal = proposalOf(row!, caller.loginId, { waitsFor: others.map(({ fullName }) => fullName) });
  if (filed)
    await notifySide(
      change,
      side,
      {
        text:
          link === null && about !== null
            ? proposalsTexts.written('proposalAboutWaits', {
                title,
                about,
                actor: caller.name,
                changes: proposal.shown.map(({ label, value }) => `${label}: ${value}`).join('\n'),
              })
            : proposalsTexts.written('proposalWaits', {
                title,
                actor: caller.name,
                changes: proposal.shown.map(({ label, value }) => `${label}: ${value}`).join('\n'),
              }),
        answerBy: expiresAt,
        link,
      },
      others,
    );
  return refuseWithCurrent(proposal, 'SECOND_PERSON', {
    who: inWords(others.map(({ fullName }) => fullName)),
    until: untilWords(row!.expiresAt),
  });
}

function whyNone(deciders: Deciders): string {
  if (!('roles' in deciders)) return 'no other corporate contact has one';
  const { second, apart } = deciders.roles;
  return apart.length === 0
    ? 'no other staff member with the permission has one'
    : `no staff member with ${inQuotes(second)} and without ${inQuotes(apart)} has one`;
}

/** The approvers that no one stands behind who stands behind the proposer too; and if only such ones are left, who could approve it from when. */
function secondOf(
  approvers: readonly Person[],
  { proposer, deciders, persons }: { proposer: string; deciders: Deciders; persons: SecondPersons },
): { others: readonly Person[]; later: string | null } {
  if (!('roles' in deciders)) return { others: approvers, later: null };
  const judged = approvers.map(person => ({ person, met: persons.tooNew(proposer, person.loginId!, deciders.roles) }));
  const first = judged.filter(({ met }) => met !== null).toSorted((one, other) => (one.met!.from < other.met!.from ? -1 : 1))[0];
  return {
    others: judged.filter(({ met }) => met === null).map(({ person }) => person),
    later: first
      ? `${first.person.fullName} counts as one from ${dayInWords(first.met!.from)}, because ${first.met!.givenBy} lately gave the role. A registry that is being set up can do without these days: staffSecondPersonDays in its profile`
      : null,
  };
}

/** The rule of an account with its open and recently decided proposals. */
export const listProposals = async ({
  read,
  account: { accountName },
  caller: { loginId },
}: Act<typeof proposals.listProposals>): Promise<AnswerOf<typeof proposals.listProposals>> => {
  const [rule, approvers, { waiting, decided }] = await Promise.all([
    hasTwoPersonRule(read, accountName),
    approversOf(read, { accountName }),
    rowsOfSide(read, { accountName }),
  ]);
  const waitsFor = ({ proposedBy }: Row) => namesBut(approvers, proposedBy);
  return {
    rule,
    approvers: approvers.length,
    waiting: waiting.map(row => proposalOf(row, loginId, { waitsFor: waitsFor(row) })),
    decided: decided.map(row => proposalOf(row, loginId)),
  };
};

const namesBut = (persons: readonly Person[], proposer: string): string[] =>
  persons.filter(({ loginId }) => loginId !== proposer).map(({ fullName }) => fullName);

/**
 * Open and recently decided proposals of registry staff: those of the caller, of those who make the same calls, and those that they may decide. None about an account that the caller is of,
 * or was until lately: it may be a restraint that would be warned of.
 */
export async function listStaffProposals({
  read,
  caller: { loginId, staffPermissions: held },
  registry,
}: Act<typeof proposals.listStaffProposals>): Promise<AnswerOf<typeof proposals.listStaffProposals>> {
  const [all, persons] = await Promise.all([rowsOfSide(read, 'staff'), secondPersonsAt(read, registry.now.toISOString(), registry)]);
  const now = registry.now.toISOString();
  const deciding = async (row: Row, roles: TwoRoles): Promise<Deciding> => {
    if (row.state !== 'pending') return undecided;
    const isMine = row.proposedBy === loginId;
    const isSecond = isOfSecondRole(held, roles);
    const deciders = { roles, now, about: row.about };
    const colleagues = (await approversOf(read, deciders)).filter(each => each.loginId !== row.proposedBy);
    return {
      tooNew: isMine ? null : persons.tooNew(row.proposedBy, loginId, roles),
      needsRole: isMine || isSecond ? null : inQuotes(roles.second),
      waitsFor: namesBut(secondOf(colleagues, { proposer: row.proposedBy, deciders, persons }).others, row.proposedBy),
    };
  };
  const seen = async (rows: readonly Row[]): Promise<Proposal[]> => {
    const found: Proposal[] = [];
    for (const row of rows) {
      const isOwn = row.about !== null && (await ownersOf(read, [row.about], now)).includes(loginId);
      if (isOwn && row.proposedBy !== loginId) continue;
      const roles = await rolesOf(read, registry.modules, row);
      if (row.proposedBy === loginId || holdsOneOf(held, [...roles.first, ...roles.second], true))
        found.push(proposalOf(row, loginId, await deciding(row, roles)));
    }
    return found;
  };
  return { waiting: await seen(all.waiting), decided: await seen(all.decided) };
}

async function rowsOfSide(read: Read, side: Side): Promise<{ waiting: Row[]; decided: Row[] }> {
  const [waiting, decided] = await Promise.all([
    read.rows(rowsWhere(sql`${ofSide(side)} and p.state = 'pending' and p.expires_at > now() order by p.proposal_id`)),
    read.rows(rowsWhere(sql`${ofSide(side)} and p.state <> 'pending' order by p.proposal_id desc limit ${LATEST}`)),
  ]);
  return { waiting, decided };
}

/** Open and recently decided proposals of a side. */
export async function proposalsOf(read: Read, side: Side, loginId: string): Promise<{ waiting: Proposal[]; decided: Proposal[] }> {
  const { waiting, decided } = await rowsOfSide(read, side);
  const of = (row: Row): Proposal => proposalOf(row, loginId);
  return { waiting: waiting.map(of), decided: decided.map(of) };
}

/** Returns the waiting proposal of a call with these parameters and body, or null. */
export async function openProposalOf(
  read: Pick<Read, 'rows'>,
  action: string,
  input: { params: Record<string, string>; body: Record<string, string | number> },
): Promise<{ proposalId: string; proposedBy: string; expiresAt: string } | null> {
  const [row] = await read.rows<{
    proposalId: string;
    proposedBy: string;
    expiresAt: string;
  }>(sql`select p.proposal_id::text as proposal_id, l.full_name as proposed_by, p.expires_at from proposal p
    join login l on l.login_id = p.proposed_by where p.action = ${action} and p.input @> ${JSON.stringify(input)}::jsonb
      and p.state = 'pending' and p.expires_at > now() order by p.proposal_id limit 1`);
  return row ?? null;
}

/** Returns the proposer as a list of recipients. */
const proposerOf = async (read: Read, { proposedBy }: Pick<Row, 'proposedBy'>): Promise<Login[]> =>
  [await loginById(read, proposedBy)].filter(login => login !== null);

async function closeProposal(
  change: Change,
  row: Row,
  {
    state,
    note,
    caller,
    side,
    registry,
  }: { state: 'approved' | 'rejected' | 'withdrawn'; note: string; caller: Caller; side: Side; registry: Context },
): Promise<Proposal> {
  await change
    .updateTable('proposal')
    .set({ state, note, decidedBy: caller.loginId, decidedAt: change.now })
    .where('proposalId', '=', row.proposalId)
    .execute();
  const done = wordsOf(row);
  const verb = { approved: 'Approved', rejected: 'Rejected', withdrawn: 'Withdrawn' }[state];
  await change.note({ proposed: done, proposedBy: row.proposer, ...(note !== '' && { note }) });
  const proposer = await proposerOf(change, row);
  await notifySide(
    change,
    side,
    {
      text:
        row.link === null && row.about !== null
          ? proposalsTexts.written('proposalDecidedAbout', {
              verb,
              actor: caller.name,
              done,
              about: row.about,
              proposer: row.proposer,
              outcome: state === 'approved' ? 'It’s applied now.' : 'No changes were made.',
              note: note === '' ? '' : `${caller.name} writes:\n\n${note}`,
            })
          : proposalsTexts.written('proposalDecided', {
              verb,
              actor: caller.name,
              done,
              proposer: row.proposer,
              outcome: state === 'approved' ? 'It’s applied now.' : 'No changes were made.',
              note: note === '' ? '' : `${caller.name} writes:\n\n${note}`,
            }),
      link: row.link,
    },
    [...proposer, ...(await approversOf(change, await decidersOf(change, side, row, registry)))],
  );
  return proposalOf(await byId(change, row.proposalId), caller.loginId);
}

/**
 * Approves exactly what was shown: carries it out in this change in the proposer's name, whose rights are read again.
 * @throws Failure OWN_REQUEST, STALE if something else was shown, PROPOSAL_OUTDATED if what it works on is not what was shown, NO_PERMISSION if
 * the proposer no longer may, and refusals of the call itself
 */
export const approveProposal = (
  { change, account, caller, row, body: { fingerprint }, registry }: CaseAct<typeof proposals.approveProposal, Row, 'modules' | 'profile'>,
  perform: Perform,
): Promise<Proposal> => approve(change, row, { fingerprint, side: account, caller, registry }, perform);

/** The same at the desk of the registry. @throws Failure as `approveProposal`; OWN_REQUEST for contacts of the account too */
export const approveStaffProposal = (
  { change, caller, row, body: { fingerprint }, registry }: CaseAct<typeof proposals.approveStaffProposal, Row, 'modules' | 'profile'>,
  perform: Perform,
): Promise<Proposal> => approve(change, row, { fingerprint, side: 'staff', caller, registry }, perform);

/** Performs a call of another module within this change. */
type Perform = RouteContext['perform'];

async function approve(
  change: Change,
  row: Row,
  { fingerprint, side, caller, registry }: { fingerprint: string; side: Side; caller: Caller; registry: Context },
  perform: Perform,
): Promise<Proposal> {
  if (row.proposedBy === caller.loginId) throw refuse('OWN_REQUEST');
  if (side === 'staff') {
    await requireDecider(change, caller, row, registry);
    await requireSecondPerson(change, caller, row, registry);
  }
  if (side === 'staff' && row.about !== null) await refuseOwnAccount(change, row.about, caller);
  const endpoint = endpointOf(row.action);
  if (
    !endpoint ||
    row.fingerprint !== fingerprint ||
    fingerprintOf(row.about, { endpoint, input: row.input, shown: row.shown }) !== fingerprint
  )
    throw refuseWithCurrent(proposalOf(row, caller.loginId), 'STALE', what);
  const proposer = (await loginById(change, row.proposedBy))!;
  const as: Caller = {
    ...caller,
    loginId: proposer.loginId,
    name: proposer.fullName,
    email: proposer.email,
    subject: proposer.loginId,
    sid: null,
    staff: proposer.staff,
    staffPermissions: await staffPermissionsOf(change, proposer.loginId, new Date(change.now)),
    approvedBy: caller.loginId,
  };
  const account = side === 'staff' ? null : await membershipOf(change, as, side.accountName);
  if (proposer.disabledAt !== null || proposer.frozenAt !== null || !mayStill(endpoint, { caller: as, account }))
    throw refuse('NO_PERMISSION');
  await perform(row.action, {
    change,
    caller: as,
    ...(account && { account }),
    params: row.input.params,
    query: undefined,
    body: row.input.body,
    traceId: '',
    hasSecondPerson: true,
  });
  if (!(await isAsShown(change, row.proposalId))) throw refuse('PROPOSAL_OUTDATED');
  return closeProposal(change, row, { state: 'approved', note: '', caller, side, registry });
}

/** Whether what was carried out noted what was shown when it was proposed: what it works on may be another thing by now, under the same name. */
async function isAsShown(change: Change, proposalId: Row['proposalId']): Promise<boolean> {
  const [compared] = await change.rows<{ isSame: boolean }>(sql`select a.details || p.shown = a.details as is_same
    from activity a, proposal p where a.activity_id = ${change.activityId}::bigint and p.proposal_id = ${proposalId}`);
  return compared!.isSame;
}

function mayStill({ access }: Endpoint, { caller, account }: { caller: Caller; account: AdmittedAccount | null }): boolean {
  if (access.who === 'staff') return caller.staff && holdsOneOf(caller.staffPermissions, access.permissions, false);
  if (access.who === 'corporate') return account !== null && isOfTypes(access, account.contactTypes);
  if (access.who === 'member') return access.permissions.some((permission: Permission) => account?.permissions.has(permission));
  return account !== null;
}

/** Rejects; nothing is done. @throws Failure OWN_REQUEST */
export async function rejectProposal({
  change,
  account,
  caller,
  row,
  body: { note },
  registry,
}: CaseAct<typeof proposals.rejectProposal, Row, 'modules' | 'profile'>): Promise<Proposal> {
  if (row.proposedBy === caller.loginId) throw refuse('OWN_REQUEST');
  return closeProposal(change, row, { state: 'rejected', note, caller, side: account, registry });
}

/** The same at the registry's desk, where people also withdraw their own. @throws Failure OWN_REQUEST for contacts of the account */
export async function rejectStaffProposal({
  change,
  caller,
  row,
  body: { note },
  registry,
}: CaseAct<typeof proposals.rejectStaffProposal, Row, 'modules' | 'profile'>): Promise<Proposal> {
  const isOwn = row.proposedBy === caller.loginId;
  if (!isOwn) {
    await requireDecider(change, caller, row, registry);
    if (row.about !== null) await refuseOwnAccount(change, row.about, caller);
  }
  return closeProposal(change, row, { state: isOwn ? 'withdrawn' : 'rejected', note, caller, side: 'staff', registry });
}

/** Withdraws the caller's own proposal; others' look non-existent. */
export async function withdrawProposal({
  change,
  account: side,
  caller,
  row,
  registry,
}: CaseAct<typeof proposals.withdrawProposal, Row, 'modules' | 'profile'>): Promise<Proposal> {
  if (row.proposedBy !== caller.loginId) throw refuse('NOT_FOUND', what);
  return closeProposal(change, row, { state: 'withdrawn', note: '', caller, side, registry });
}

/** Ends proposals that were not approved in time and notifies their proposers. Each is its own change and skips what another process has done. */
export async function expireProposals(db: Database, now: Date): Promise<void> {
  const due = await db.read.rows(
    rowsWhere(sql`p.state = 'pending' and p.expires_at <= ${now.toISOString()}::timestamptz order by p.proposal_id`),
  );
  await eachAlone(
    due,
    ({ proposalId }) => `proposal ${proposalId}`,
    async row => {
      const activity = ownActivity('proposals.expire', 'A proposed change expired', row.accountName ?? undefined);
      await db.change(activity, async change => {
        const ended = await change
          .updateTable('proposal')
          .set({ state: 'expired', decidedAt: change.now })
          .where('proposalId', '=', row.proposalId)
          .where('state', '=', 'pending')
          .returning('proposalId')
          .executeTakeFirst();
        if (!ended) return;
        await change.note({ proposed: wordsOf(row), proposedBy: row.proposer });
        const side: Side = row.accountName === null ? 'staff' : { accountName: row.accountName };
        const persons = await proposerOf(change, row);
        await notifySide(
          change,
          side,
          {
            text:
              row.about === null
                ? proposalsTexts.written('proposalExpired', { row: wordsOf(row), hours: HOURS })
                : proposalsTexts.written('proposalAboutExpired', { about: row.about, row: wordsOf(row), hours: HOURS }),
          },
          persons,
        );
      });
    },
  );
}
