import type { AnswerOf } from '@portal/contract';
import type { nominations } from '@portal/contract/elections/nominations';
import { sql } from 'kysely';
import { type Change, type Database, ownActivity, type Read } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { inDrawnOrder, readBallotOrder, revealSeed } from './ballot-order.ts';
import { electionWithNominations } from './nominations.ts';
import { saveOptions } from './options.ts';

type Candidate = AnswerOf<typeof nominations.listCandidates>['rows'][number];

const readCandidates = (read: Read, electionId: string): Promise<Candidate[]> =>
  read.rows<Candidate>(sql`select full_name, organisation, statement, coalesce(account_name, nominator_name) as nominated_by
    from nomination where election_id = ${Number(electionId)} and state = 'eligible' order by lower(full_name), nomination_id`);

/** The candidates, all in the same form and sorted by name, so that none is favoured. @throws Failure NOT_FOUND */
export async function listCandidates({
  read,
  params: { electionId },
  registry: { now },
}: Act<typeof nominations.listCandidates>): Promise<AnswerOf<typeof nominations.listCandidates>> {
  const { election, window } = await electionWithNominations(read, electionId, now);
  return {
    title: election.title,
    seats: election.seats,
    final: window.state === 'closed',
    rows: await readCandidates(read, election.electionId),
    order: await readBallotOrder(read, election.electionId),
  };
}

/**
 * Puts the candidates on the ballot, in the order that follows from the seed of the election: however often it is done, it is the same.
 * @returns how many candidates there are
 * @throws Failure NOT_FOUND, ELECTION_BEGUN, ELECTION_OVER, NOMINATION_CLOSED while nominations are open or unchecked
 */
export async function putCandidatesOnBallot({
  change,
  params: { electionId },
}: {
  change: Change;
  params: { electionId: string };
}): Promise<{ candidates: number }> {
  const { election, window } = await electionWithNominations(change, electionId, new Date(change.now));
  if (window.state !== 'closed') throw refuse('NOMINATION_CLOSED', { why: 'people can still be nominated' });
  const [waiting] = await change.rows<{ count: number }>(
    sql`select count(*)::int as count from nomination where election_id = ${Number(election.electionId)} and state = 'confirmed'`,
  );
  if (waiting!.count > 0) throw refuse('NOMINATION_CLOSED', { why: `${waiting!.count} who agreed to stand were not checked yet` });
  const seed = await revealSeed(change, election.electionId);
  const rows = inDrawnOrder(await readCandidates(change, election.electionId), ({ fullName }) => fullName, seed, election.electionId);
  await saveOptions({
    change,
    params: { electionId: election.electionId },
    body: { rows: rows.map(({ fullName, statement }) => ({ name: fullName, statement })) },
  });
  await change.note({ seed });
  return { candidates: rows.length };
}

/**
 * Puts candidates on the ballots of elections whose nominations are closed and checked, unless staff did. Safe to run again. A ballot still empty
 * when voting opens is filled then, because nominations may close at that moment.
 */
export async function drawBallots(db: Database, now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const due = await db.read.rows<{ electionId: string }>(sql`
    select e.election_id::text as election_id from election e join election_window n on n.election_id = e.election_id and n.kind = 'nomination' and n.url = ''
    where e.state = 'published' and n.closes_at <= ${at} and not exists (select from election_option o where o.election_id = e.election_id)
      and not exists (select from nomination m where m.election_id = e.election_id and m.state = 'confirmed')
      and exists (select from nomination m where m.election_id = e.election_id and m.state = 'eligible')
      and exists (select from election_window v where v.election_id = e.election_id and v.kind in ('member-vote', 'proxy-vote', 'attendee-vote') and v.url = '' and v.closes_at > ${at})`);
  await eachAlone(
    due,
    ({ electionId }) => `election ${electionId}`,
    ({ electionId }) =>
      db.change(ownActivity('elections.nominations.putCandidatesOnBallot', 'Put candidates on the ballot'), async change => {
        await putCandidatesOnBallot({ change, params: { electionId } });
      }),
  );
}
