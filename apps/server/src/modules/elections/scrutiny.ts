import type { Scrutiny, scrutiny } from '@portal/contract/elections/scrutiny';
import { proposals } from '@portal/contract/proposals/proposals';
import { sql } from 'kysely';
import type { Act } from '../../platform/http/endpoints.ts';
import { readElection } from './election-row.ts';

/** Number of intervals into which the voting period is divided. */
const PARTS = 48;

/** Votes of accounts and attendees, with the fields needed for counts. */
const allVotes = sql`select election_id, generation, account_name, votes, cast_as, cast_at from election_vote
  union all select election_id, generation, login_id, 1, 'attendee', cast_at from attendee_vote`;

/** Counts and history of an election, for scrutineers; choices are not read. @throws Failure NOT_FOUND */
export async function getScrutiny({
  read,
  params: { electionId },
  registry: { now },
}: Act<typeof scrutiny.getScrutiny>): Promise<Scrutiny> {
  const election = await readElection(read, electionId, now);
  const id = Number(election.electionId);
  const votes = election.windows.filter(({ kind }) => kind === 'member-vote' || kind === 'proxy-vote' || kind === 'attendee-vote');
  const isOwn = election.ballots === 'plain' && votes.some(({ url }) => url === '');
  const opens = Math.min(...votes.map(({ opensAt }) => Date.parse(opensAt)));
  const ends = Math.min(now.getTime(), Math.max(...votes.map(({ closesAt }) => Date.parse(closesAt))));
  const begun = votes.length > 0 && opens < ends;
  const [[facts], rounds, parts, log] = await Promise.all([
    read.rows<Omit<Scrutiny, 'rounds' | 'turnout' | 'log'>>(sql`
      select case when e.roll_frozen_at is not null then (select jsonb_build_object('frozenAt', e.roll_frozen_at, 'accounts', count(*), 'votes', coalesce(sum(votes), 0))
          from election_roll r where r.election_id = e.election_id) end as roll,
        case when e.attendees_frozen_at is not null then (select jsonb_build_object('frozenAt', e.attendees_frozen_at, 'people', count(*))
          from attendee_roll r where r.election_id = e.election_id) end as attendees,
        not has_table_privilege('ballots.ballot', 'select') as box_apart,
        (select count(*)::int from ballot_session s where s.election_id = e.election_id and s.generation = e.generation and s.expires_at > ${now.toISOString()}::timestamptz
          and not exists (select from election_vote v where v.election_id = s.election_id and v.generation = s.generation and v.account_name = s.account_name)
          and not exists (select from attendee_vote v where v.election_id = s.election_id and v.generation = s.generation and v.login_id = s.login_id)) as open_ballots,
        (select jsonb_build_object('active', count(*) filter (where state = 'active'), 'used', count(*) filter (where state = 'used'),
          'revoked', count(*) filter (where state = 'revoked'), 'voided', count(*) filter (where state = 'voided')) from election_proxy p where p.election_id = e.election_id) as proxies,
        e.ballots_sorted_at as sorted_at
      from election e where e.election_id = ${id}`),
    read.rows<Scrutiny['rounds'][number]>(sql`
      select g.generation, count(v.account_name) filter (where v.cast_as = 'member')::int as members, count(v.account_name) filter (where v.cast_as = 'proxy')::int as proxies,
        count(v.account_name) filter (where v.cast_as = 'attendee')::int as attendees, coalesce(sum(v.votes), 0)::int as votes, min(v.cast_at) as first_at, max(v.cast_at) as last_at,
        case when ${isOwn} then (select count(*)::int from ballot b where b.election_id = ${id} and b.generation = g.generation) + ballots.count_of(${id}, g.generation) end as ballots
      from generate_series(1, ${election.generation}::int) as g (generation)
      left join (${allVotes}) v on v.election_id = ${id} and v.generation = g.generation group by g.generation order by g.generation desc`),
    begun
      ? read.rows<{ part: number; count: number }>(sql`
          select least(${PARTS}, greatest(1, ceil(extract(epoch from cast_at - ${new Date(opens).toISOString()}::timestamptz)::float8 / ${(ends - opens) / 1000 / PARTS})))::int as part,
            count(*)::int as count
          from (${allVotes}) v where election_id = ${id} and generation = ${election.generation} group by 1`)
      : [],
    read.rows<Scrutiny['log'][number]>(sql`
      select a.happened_at as at, l.full_name as by, case a.action when ${proposals.approveStaffProposal.id} then concat(a.details ->> 'proposed', ', proposed by ', a.details ->> 'proposedBy', ', approved') else a.summary end as what
      from activity a
      left join login l on l.login_id = coalesce((select s.login_id from login_subject s where s.issuer = a.login_issuer and s.subject = a.login_subject), a.login_subject)
      where a.activity_id in (select r.activity_id from row_change r where r.table_name in ('election', 'election_window', 'election_option', 'encrypted_ballot', 'roll_objection')
        and coalesce(r.after, r.before) ->> 'election_id' = ${String(id)})
      order by a.activity_id limit 500`),
  ]);
  let sum = 0;
  const counts = new Map(parts.map(({ part, count }) => [part, count]));
  const turnout = begun ? Array.from({ length: PARTS }, (_, index) => (sum += counts.get(index + 1) ?? 0)) : [];
  const { roll, attendees, ...rest } = facts!;
  return {
    ...rest,
    roll: roll && { ...roll, frozenAt: new Date(roll.frozenAt).toISOString() },
    attendees: attendees && { ...attendees, frozenAt: new Date(attendees.frozenAt).toISOString() },
    rounds,
    turnout,
    log,
  };
}
