import type { AnswerOf } from '@portal/contract';
import { isRowId } from '@portal/contract/row-ids';
import type { ObjectionSubject, RollObjection, rollObjections, StaffObjection } from '@portal/contract/encrypted-ballots/objections';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { CasesOf } from '../../platform/http/cases.ts';
import type { Act, CaseAct } from '../../platform/http/endpoints.ts';
import type { Profile } from '../../profile.ts';
import { activeContacts, actorOf, lockAccount, refuseOwnAccount } from '../accounts/index.ts';
import { accountInElections, lockElection, objectionEnd, readElection } from '../elections/index.ts';
import { notifyPeople } from '../identity/index.ts';
import { holdersOf } from '../roles/index.ts';
import { endObjection } from './ending-objections.ts';
import { classesOfRoll } from './roll-classes.ts';
import { encryptedBallotsTexts } from './mail-texts.ts';
import type { MailText } from '../mail/index.ts';

/** Objections that an account makes in one election. */
const MAX_OBJECTIONS = 5;

/** An objection with its election, as it is stored. */
export type ObjectionRow = StaffObjection & { electionId: string; title: string };

/** Objections, the open ones first, then the newest. @param where a condition on `o` */
export const readObjections = (read: Pick<Read, 'rows'>, where: RawBuilder<unknown>): Promise<ObjectionRow[]> =>
  read.rows<ObjectionRow>(sql`
    select o.roll_objection_id::text as objection_id, o.election_id::text as election_id, e.title, o.account_name, o.about, o.reason, o.state, c.full_name as made_by, o.made_at,
      o.votes_then, o.decided_at, o.answer, r.votes as votes_now, l.full_name as decided_by
    from roll_objection o join election e using (election_id) join contact c on c.contact_id = o.made_by left join login l on l.login_id = o.decided_by
    left join election_roll r on r.election_id = o.election_id and r.account_name = o.account_name
    where ${where} order by (o.state = 'open') desc, o.roll_objection_id desc limit 500`);

/** An objection as its account sees it. */
const ownOf = ({ objectionId, about, reason, state, madeBy, madeAt, votesThen, decidedAt, answer }: ObjectionRow): RollObjection => ({
  objectionId,
  about,
  reason,
  state,
  madeBy,
  madeAt,
  votesThen,
  decidedAt,
  answer,
});

/** An objection as registry staff see it. */
export const forStaff = ({ electionId: _election, title: _title, ...row }: ObjectionRow): StaffObjection => row;

type Entry = AnswerOf<typeof rollObjections.getRollEntry>;

/** The entry of an account on the roll, with what refuses an objection now; null where one can be made. */
async function readEntry(
  read: Read,
  { accountName, electionId, now, profile }: { accountName: string; electionId: string; now: Date; profile: Profile },
): Promise<Entry & { refused: string | null }> {
  const election = await readElection(read, electionId, now);
  if (election.ballots !== 'encrypted' || election.publishedAt === null) throw refuse('NOT_FOUND', { what: 'The election' });
  const id = Number(electionId);
  const own = (await accountInElections(read, accountName, [electionId])).get(electionId)!;
  const [[frozen], roll, objections] = await Promise.all([
    read.rows<{ fixedAt: string | null }>(sql`select roll_frozen_at as fixed_at from election where election_id = ${id}`),
    classesOfRoll(read, id),
    readObjections(read, sql`o.election_id = ${id} and o.account_name = ${accountName}`),
  ]);
  const { opensAt, closesAt } = objectionEnd(election, profile);
  const refused =
    election.state === 'cancelled'
      ? 'the election is cancelled'
      : frozen!.fixedAt === null
        ? 'the roll isn’t fixed yet'
        : closesAt === null || Date.parse(closesAt) <= now.getTime()
          ? 'objections are closed, as voting opens'
          : objections.some(({ state }) => state === 'open')
            ? `${accountName} has an objection that isn’t decided yet`
            : objections.length >= MAX_OBJECTIONS
              ? `${accountName} has made ${MAX_OBJECTIONS} in this election. Write to the registry`
              : null;
  const possible: ObjectionSubject[] = refused !== null ? [] : own.votes === null ? ['missing'] : ['votes', 'code'];
  return {
    title: election.title,
    timeZone: election.timeZone,
    fixedAt: frozen!.fixedAt,
    votes: own.votes,
    closesAt,
    opensAt,
    roll: frozen!.fixedAt === null ? [] : roll,
    possible,
    objections: objections.map(ownOf),
    refused,
  };
}

/** The entry of an account on the electoral roll, and its objections. @throws Failure NOT_FOUND before the election is published, and for other ballots */
export async function getRollEntry({
  read,
  account: { accountName },
  params: { electionId },
  registry: { now, profile },
}: Act<typeof rollObjections.getRollEntry>): Promise<Entry> {
  const { refused: _refused, ...entry } = await readEntry(read, { accountName, electionId, now, profile });
  return entry;
}

/** Subjects of objections in the words of mails. */
export const subjectWords: Record<ObjectionSubject, string> = {
  votes: 'its number of votes',
  missing: 'not being on the roll',
  code: 'its voting code',
};

/**
 * Objects to the entry of an account. Returning officers are asked to decide by mail, and those who vote for the account are notified.
 * @throws Failure NOT_FOUND, OBJECTION_NOT_POSSIBLE with the reason
 */
export async function objectToRoll({
  change,
  account,
  params: { electionId },
  body: { about, reason },
  registry: { now, profile },
}: Act<typeof rollObjections.objectToRoll>): Promise<RollObjection> {
  const { accountName } = account;
  const actor = await actorOf(change, account);
  await lockAccount(change, accountName);
  await lockElection(change, electionId, now);
  const { title, votes, possible, closesAt, opensAt, refused } = await readEntry(change, { accountName, electionId, now, profile });
  if (refused !== null) throw refuse('OBJECTION_NOT_POSSIBLE', { why: refused });
  if (!possible.includes(about))
    throw refuse('OBJECTION_NOT_POSSIBLE', {
      why:
        votes === null
          ? `${accountName} isn’t on the roll`
          : `${accountName} is on the roll, with ${votes} ${votes === 1 ? 'vote' : 'votes'}`,
    });
  const { rollObjectionId } = await change
    .insertInto('rollObjection')
    .values({ electionId: Number(electionId), accountName, about, reason, madeBy: actor.contactId, madeAt: change.now, votesThen: votes })
    .returning('rollObjectionId')
    .executeTakeFirstOrThrow();
  await change.note({ election: title, about, reason });
  await notifyPeople(
    change,
    {
      topic: 'elections.votes',
      accountName: null,
      text: encryptedBallotsTexts.written('decideObjectionRoll', {
        accountName,
        title,
        actor: actor.name,
        subjectWords: subjectWords[about],
        reason,
        opensOn: inUtc(opensAt!),
        until: inUtc(closesAt!),
      }),
      path: `/desk/elections?election=${electionId}`,
      act: 'Decide',
    },
    await holdersOf(change, ['returning-officer'], change.now),
  );
  await notifyVoters(change, accountName, {
    electionId,
    text: encryptedBallotsTexts.written('objectsRoll', { accountName, title, actor: actor.name, subjectWords: subjectWords[about] }),
  });
  return ownOf((await readObjections(change, sql`o.roll_objection_id = ${Number(rollObjectionId)}`))[0]!);
}

/** An instant in mails. */
export const inUtc = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`;

/** Notifies those who vote for an account about its entry on the roll. */
export const notifyVoters = async (
  change: Change,
  accountName: string,
  { electionId, text }: { electionId: string; text: MailText },
): Promise<void> =>
  notifyPeople(
    change,
    { topic: 'elections.votes', accountName, text, path: `/voting/${electionId}/roll`, act: 'View the entry' },
    await activeContacts(change, accountName, { permission: 'voting-vote' }),
  );

/** Objections, moved by contacts of their account or by returning officers. Account and election are locked first: of a decision and a withdrawal, one is made. */
export const objectionCases: CasesOf<ObjectionRow> = {
  stateOf: ({ state }) => state,
  lock: async ({ change, caller, account, params: { objectionId }, registry: { now } }) => {
    const notFound = () => refuse('NOT_FOUND', { what: 'The objection' });
    if (!isRowId(objectionId!)) throw notFound();
    const one = sql`o.roll_objection_id = ${Number(objectionId)}`;
    const where = account ? sql`${one} and o.account_name = ${account.accountName}` : one;
    const [found] = await readObjections(change, where);
    if (!found) throw notFound();
    await lockAccount(change, found.accountName);
    await lockElection(change, found.electionId, now);
    if (!account) await refuseOwnAccount(change, found.accountName, caller);
    return (await readObjections(change, where))[0]!;
  },
  refusal: async ({ state }) => refuse('OBJECTION_NOT_POSSIBLE', { why: `it is ${state}` }),
};

/** Withdraws an objection that isn’t decided. */
export async function withdrawObjection({
  change,
  row,
  registry: { profile },
}: CaseAct<typeof rollObjections.withdrawObjection, ObjectionRow>): Promise<RollObjection> {
  await endObjection(change, row, { state: 'withdrawn' }, profile);
  await change.note({ election: row.title });
  return ownOf((await readObjections(change, sql`o.roll_objection_id = ${Number(row.objectionId)}`))[0]!);
}

/** Corrections of upheld objections in the roll of an election, by the votes of entries before and after. */
export const listCorrections = (
  read: Pick<Read, 'rows'>,
  electionId: string,
): Promise<{ before: number | null; after: number; accounts: number }[]> =>
  read.rows(sql`select votes_then as before, votes_given as after, count(*)::int as accounts from roll_objection
    where election_id = ${Number(electionId)} and votes_given is not null group by votes_then, votes_given order by votes_then nulls first, votes_given`);

/** How many objections to the roll of an election there were, by state. */
export async function countObjections(
  read: Pick<Read, 'rows'>,
  electionId: string,
): Promise<{ open: number; upheld: number; rejected: number; withdrawn: number }> {
  const [row] = await read.rows<{ open: number; upheld: number; rejected: number; withdrawn: number }>(sql`
    select count(*) filter (where state = 'open')::int as open, count(*) filter (where state = 'upheld')::int as upheld,
      count(*) filter (where state = 'rejected')::int as rejected, count(*) filter (where state = 'withdrawn')::int as withdrawn
    from roll_objection where election_id = ${Number(electionId)}`);
  return row!;
}
