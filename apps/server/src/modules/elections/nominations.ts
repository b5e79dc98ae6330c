import { isRowId } from '@portal/contract/row-ids';
import type { CasesOf } from '../../platform/http/cases.ts';
import { nominationLife } from '@portal/contract/elections/life';
import type { AnswerOf } from '@portal/contract';
import { DAY_MS, HOUR_MS, dayIn } from '@portal/contract/days';
import { electionKinds, type StaffElection } from '@portal/contract/elections/elections';
import type { nominations, StaffNomination } from '@portal/contract/elections/nominations';
import type { Eligibility } from '@portal/contract/elections/voting';
import { type RawBuilder, sql } from 'kysely';
import { refuseBeyond } from '../../platform/counted-limit.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act, AdmittedAccount, CaseAct } from '../../platform/http/endpoints.ts';
import { activeContacts, membershipOf, refuseOwnAccount } from '../accounts/index.ts';
import { hasUnpaidInvoiceDueBefore } from '../billing/index.ts';
import { notifyPeople } from '../identity/index.ts';
import { readElection } from './election-row.ts';
import { nominationEligibility, whyNot } from './eligibility.ts';
import { isBallotFixed } from './options.ts';
import { theLast } from '../../platform/clock-watch.ts';
import { electionsTexts } from './mail-texts.ts';

/** Limit of nominations per person, because each mails someone outside in the registry's name. */
const MAX_A_DAY = 10;

type Row = Omit<StaffNomination, 'withdrawable' | 'authorisable'> & { electionId: string; nominatedBy: string };
const standing: readonly string[] = nominationLife.withdraw.from;

const readNominations = (read: Read, where: RawBuilder<unknown>, lock = sql``): Promise<Row[]> =>
  read.rows<Row>(sql`select nomination_id::text as nomination_id, election_id::text as election_id, account_name, nominated_by, nominator_name, full_name, email,
    organisation, reason, state, nominated_at, statement, answered_at, judge_reason from nomination where ${where} order by nomination_id ${lock}`);

const noNomination = () => refuse('NOT_FOUND', { what: 'The nomination' });
async function lockNomination(change: Change, nominationId: string): Promise<Row> {
  if (!isRowId(nominationId)) throw noNomination();
  const [row] = await readNominations(change, sql`nomination_id = ${Number(nominationId)}`, sql`for no key update`);
  if (!row) throw noNomination();
  return row;
}

/** An election whose nominations the portal holds. @throws Failure NOT_FOUND */
export async function electionWithNominations(
  read: Read,
  electionId: string,
  now: Date,
): Promise<{ election: StaffElection; window: StaffElection['windows'][number] }> {
  const election = await readElection(read, electionId, now);
  const window = election.windows.find(({ kind, url }) => kind === 'nomination' && url === '');
  if (election.publishedAt === null || !window) throw refuse('NOT_FOUND', { what: 'The election' });
  return { election, window };
}

/** @throws Failure NOMINATION_CLOSED */
function refuseShut({ election, window }: Awaited<ReturnType<typeof electionWithNominations>>): void {
  if (election.state === 'cancelled') throw refuse('NOMINATION_CLOSED', { why: 'the election is cancelled' });
  if (window.state !== 'open') throw refuse('NOMINATION_CLOSED', { why: `nominations are not open. ${window.words}` });
}

const mayAuthorise = (account: Pick<AdmittedAccount, 'contactTypes'> | null): boolean =>
  account !== null && account.contactTypes.includes('corporate');

/** The account named by the caller, who must be able to act for it. @throws Failure ACCOUNT_NOT_FOUND, SECOND_FACTOR_DEMANDED */
async function accountOf(read: Read, caller: Caller, accountName: string | null, now: Date): Promise<AdmittedAccount | null> {
  if (accountName === null) return null;
  const account = await membershipOf(read, caller, accountName);
  if (!account || account.accountStatus === 'closed') throw refuse('ACCOUNT_NOT_FOUND', { account: accountName });
  if (account.secondFactorFrom && account.secondFactorFrom <= dayIn('UTC', now) && !caller.mfa)
    throw refuse('SECOND_FACTOR_DEMANDED', { account: accountName });
  return account;
}

async function eligibilityOf(
  read: Read,
  { election, window }: Awaited<ReturnType<typeof electionWithNominations>>,
  { caller, account }: { caller: Caller; account: AdmittedAccount | null },
  today: string,
): Promise<Eligibility> {
  if (election.state === 'cancelled') return { reason: 'CLOSED', message: 'This election is cancelled', detail: '', url: null };
  const voter = account && {
    ...account,
    mfa: caller.mfa,
    owes: await hasUnpaidInvoiceDueBefore(read, account.accountName, today),
    proxy: null,
    votedBy: null,
  };
  if (electionKinds[election.kind].memberVotes === 'tier' && !voter)
    return { reason: 'NOT_ELIGIBLE_TYPE', message: 'Only members nominate in this election', detail: '', url: null };
  return nominationEligibility(election.kind, voter, { ...window, url: `/voting/${election.electionId}/nominate` });
}

/** Returns the nominations of the caller and their account, and whether they can nominate. @throws Failure NOT_FOUND, ACCOUNT_NOT_FOUND, SECOND_FACTOR_DEMANDED */
export async function getNominations({
  read,
  caller,
  params: { electionId },
  query,
  registry: { now, today },
}: Act<typeof nominations.getNominations>): Promise<AnswerOf<typeof nominations.getNominations>> {
  const given = await electionWithNominations(read, electionId, now);
  const account = await accountOf(read, caller, query.account ?? null, now);
  const { election, window } = given;
  const id = Number(election.electionId);
  const [eligibility, rows] = await Promise.all([
    eligibilityOf(read, given, { caller, account }, today),
    readNominations(
      read,
      sql`election_id = ${id} and (nominated_by = ${caller.loginId} or ${account ? sql`account_name = ${account.accountName}` : sql`false`})`,
    ),
  ]);
  const byMembers = electionKinds[election.kind].memberVotes === 'tier';
  return {
    title: election.title,
    seats: election.seats,
    timeZone: election.timeZone,
    closesAt: window.closesAt,
    byMembers,
    needsAuthorisation: byMembers && !mayAuthorise(account),
    eligibility,
    rows: rows.map(row => seenBy(row, { caller, account, open: window.state === 'open' && election.state === 'published' })),
  };
}

const seenBy = (
  { electionId: _e, nominatedBy, email: _m, statement: _s, answeredAt: _a, ...row }: Row,
  { caller, account, open }: { caller: Caller; account: AdmittedAccount | null; open: boolean },
) => ({
  ...row,
  withdrawable: open && standing.includes(row.state) && nominatedBy === caller.loginId,
  authorisable: open && row.state === 'awaiting-authorisation' && row.accountName === account?.accountName && mayAuthorise(account),
});

/** Asks the nominee, who may not have a login yet; it has to use this address. */
async function askNominee(change: Change, { title }: StaffElection, row: Row): Promise<void> {
  await notifyPeople(
    change,
    {
      topic: 'elections.votes',
      accountName: null,
      text: electionsTexts.written('youNominated', {
        title,
        nominator: row.nominatorName,
        outcome: row.accountName ? ` (${row.accountName})` : '',
        reason: row.reason,
        email: row.email,
      }),
      path: `/voting/${row.electionId}/nomination`,
      act: 'View the nomination',
    },
    [{ fullName: row.fullName, email: row.email, loginId: null }],
  );
}

/**
 * Nominates a person. Where members nominate, a corporate contact does so or has to authorise it; then the nominee is asked.
 * @throws Failure NOT_FOUND, ACCOUNT_NOT_FOUND, SECOND_FACTOR_DEMANDED, NOMINATION_CLOSED, ALREADY_NOMINATED, TOO_MANY_REQUESTS
 */
export async function nominate({
  change,
  caller,
  params: { electionId },
  body,
  registry: { now, today },
}: Act<typeof nominations.nominate>): Promise<AnswerOf<typeof nominations.nominate>> {
  const given = await electionWithNominations(change, electionId, now);
  const { election } = given;
  refuseShut(given);
  const account = await accountOf(change, caller, body.account, now);
  const eligibility = await eligibilityOf(change, given, { caller, account }, today);
  if (eligibility.reason !== null) throw refuse('NOMINATION_CLOSED', { why: whyNot(eligibility) });
  const { since, until } = theLast(DAY_MS, change.now);
  await refuseBeyond(change, {
    of: `elections.nominated-by-${caller.loginId}`,
    counted: sql`select count(*) as count from nomination where nominated_by = ${caller.loginId} and nominated_at between ${since}::timestamptz and ${until}::timestamptz`,
    limit: MAX_A_DAY,
    seconds: HOUR_MS / 1000,
  });
  const byMembers = electionKinds[election.kind].memberVotes === 'tier';
  const state = byMembers && !mayAuthorise(account) ? 'awaiting-authorisation' : 'awaiting-nominee';
  const { fullName, organisation, reason } = body;
  const [added] = await change.rows<{ nominationId: string }>(sql`
    insert into nomination (election_id, account_name, nominated_by, nominator_name, full_name, email, organisation, reason, state, nominated_at)
    values (${Number(election.electionId)}, ${account?.accountName ?? null}, ${caller.loginId}, ${caller.name}, ${fullName}, ${body.email.toLowerCase()},
      ${organisation}, ${reason}, ${state}, ${change.now}::timestamptz) on conflict do nothing returning nomination_id::text as nomination_id`);
  if (!added) throw refuse('ALREADY_NOMINATED', { name: fullName });
  if (account) await change.concerns(account.accountName);
  await change.note({ election: election.title, nominee: fullName });
  const row = await lockNomination(change, added.nominationId);
  if (state === 'awaiting-nominee') await askNominee(change, election, row);
  else
    await notifyPeople(
      change,
      {
        topic: 'elections.votes',
        accountName: account!.accountName,
        text: electionsTexts.written('authoriseNomination', {
          title: election.title,
          actor: caller.name,
          fullName,
          accountName: account!.accountName,
        }),
        path: `/voting/${election.electionId}/nominate`,
        act: 'View the nomination',
      },
      await activeContacts(change, account!.accountName, { types: ['corporate'] }),
    );
  return seenBy(row, { caller, account, open: true });
}

/** Authorises a nomination for the account, or rejects it. */
export async function authoriseNomination({
  change,
  row,
  body: { authorise },
  registry: { now },
}: CaseAct<typeof nominations.authoriseNomination, Row>): Promise<void> {
  const given = await electionWithNominations(change, row.electionId, now);
  refuseShut(given);
  await setState(change, row, authorise ? 'awaiting-nominee' : 'withdrawn');
  await change.note({ election: given.election.title, nominee: row.fullName, authorised: authorise });
  if (authorise) await askNominee(change, given.election, row);
}

async function setState(change: Change, row: Row, state: Row['state'], more: object = {}): Promise<void> {
  await change
    .updateTable('nomination')
    .set({ state, ...more })
    .where('nominationId', '=', Number(row.nominationId))
    .execute();
}

/** Whether the verified address of a person's login is that of the nominee. */
async function isNominee(read: Read, { loginId }: Caller, { email }: Pick<Row, 'email'>): Promise<boolean> {
  const rows = await read.rows(sql`select 1 from login where login_id = ${loginId} and email_verified and lower(email) = ${email}`);
  return rows.length > 0;
}

/** Nominations, moved by who may: a corporate contact of the member, the nominator, the nominee, or registry staff. */
export const nominationCases: CasesOf<Row> = {
  stateOf: ({ state }) => state,
  lock: async ({ change, account, caller, params: { nominationId, electionId }, registry: { now } }, { name }) => {
    if (name === nominationLife.answer.name) {
      const { election } = await electionWithNominations(change, electionId!, now);
      return lockNomination(change, (await ownNomination(change, caller, election.electionId)).nominationId);
    }
    const row = await lockNomination(change, nominationId!);
    const isOthers =
      name === nominationLife.authorise.name
        ? row.accountName !== account!.accountName
        : name === nominationLife.withdraw.name && row.nominatedBy !== caller.loginId && !(await isNominee(change, caller, row));
    if (isOthers) throw noNomination();
    if (name === nominationLife.judge.name && row.accountName !== null) await refuseOwnAccount(change, row.accountName, caller);
    return row;
  },
  refusal: async ({ state }, _moving, { name }) =>
    refuse('NOMINATION_CLOSED', {
      why:
        name === nominationLife.authorise.name
          ? 'it was decided already'
          : name === nominationLife.judge.name
            ? 'the nominee has not agreed'
            : name === nominationLife.answer.name && state === 'ineligible'
              ? 'the registry found that you can’t stand'
              : 'it is no longer valid',
    }),
};

/** Withdraws a nomination that the caller made, or stands by. */
export async function withdrawNomination({
  change,
  row,
  registry: { now },
}: CaseAct<typeof nominations.withdrawNomination, Row>): Promise<void> {
  const given = await electionWithNominations(change, row.electionId, now);
  refuseShut(given);
  await setState(change, row, 'withdrawn');
  if (row.accountName) await change.concerns(row.accountName);
  await change.note({ election: given.election.title, nominee: row.fullName });
}

/** The caller's active nomination, or the last one. @throws Failure NOT_FOUND */
async function ownNomination(read: Read, caller: Caller, electionId: string): Promise<Row> {
  const rows = await readNominations(
    read,
    sql`election_id = ${Number(electionId)} and state <> 'awaiting-authorisation'
      and email = (select lower(email) from login where login_id = ${caller.loginId} and email_verified)`,
  );
  const row = rows.find(({ state }) => standing.includes(state)) ?? rows.at(-1);
  if (!row) throw noNomination();
  return row;
}

/** @throws Failure NOT_FOUND */
export async function getOwnNomination({
  read,
  caller,
  params: { electionId },
  registry: { now },
}: Act<typeof nominations.getOwnNomination>): Promise<AnswerOf<typeof nominations.getOwnNomination>> {
  const { election, window } = await electionWithNominations(read, electionId, now);
  const row = await ownNomination(read, caller, election.electionId);
  const open = window.state === 'open' && election.state === 'published';
  return {
    title: election.title,
    timeZone: election.timeZone,
    closesAt: window.closesAt,
    open,
    nomination: { ...seenBy(row, { caller, account: null, open }), withdrawable: open && standing.includes(row.state) },
    statement: row.statement,
  };
}

/**
 * The nominee accepts or declines. A statement changed after the check is checked again.
 */
export async function answerNomination({
  change,
  caller,
  row,
  body: { accept, statement },
  registry: { now },
}: CaseAct<typeof nominations.answerNomination, Row>): Promise<void> {
  const given = await electionWithNominations(change, row.electionId, now);
  refuseShut(given);
  await setState(change, row, accept ? 'confirmed' : 'declined', {
    statement: accept ? statement : '',
    answeredAt: change.now,
    answeredBy: caller.loginId,
  });
  if (row.accountName) await change.concerns(row.accountName);
  await change.note({ election: given.election.title, nominee: row.fullName, accepted: accept });
}

/** All nominations of an election. @throws Failure NOT_FOUND */
export async function listNominations({
  read,
  params: { electionId },
  registry: { now },
}: Act<typeof nominations.listNominations>): Promise<{ rows: StaffNomination[] }> {
  const { electionId: id } = await readElection(read, electionId, now);
  const rows = await readNominations(read, sql`election_id = ${Number(id)}`);
  return {
    rows: rows.map(({ electionId: _e, nominatedBy: _n, ...row }) => ({ ...row, withdrawable: false, authorisable: false })),
  };
}

/** Records whether a nominee who accepted can be a candidate. @throws Failure ELECTION_BEGUN */
export async function judgeNomination({
  change,
  row,
  body: { eligible, reason },
  registry: { now },
}: CaseAct<typeof nominations.judgeNomination, Row>): Promise<void> {
  const { election } = await electionWithNominations(change, row.electionId, now);
  if (await isBallotFixed(change, election)) throw refuse('ELECTION_BEGUN', { why: 'Voting has opened' });
  await setState(change, row, eligible ? 'eligible' : 'ineligible', { judgedAt: change.now, judgeReason: eligible ? '' : reason });
  await change.note({ election: election.title, nominee: row.fullName, eligible });
  const news = {
    topic: 'elections.votes' as const,
    accountName: null,
    text: eligible
      ? electionsTexts.written('candidateStands', { fullName: row.fullName, title: election.title })
      : electionsTexts.written('candidateCantStand', { fullName: row.fullName, title: election.title, reason }),
    path: `/voting/${row.electionId}/candidates`,
    act: 'View the candidates',
  };
  const [nominator] = await change
    .selectFrom('login')
    .select(['fullName', 'email', 'loginId'])
    .where('loginId', '=', row.nominatedBy)
    .execute();
  const isOwn = nominator?.email.toLowerCase() === row.email;
  await notifyPeople(change, news, [
    { fullName: row.fullName, email: row.email, loginId: null },
    ...(nominator && !isOwn ? [nominator] : []),
  ]);
}
