import type { AnswerOf } from '@portal/contract';
import { DAY_MS } from '@portal/contract/days';
import type { WindowKind } from '@portal/contract/elections/election-windows';
import { electionKinds, type StaffElection } from '@portal/contract/elections/elections';
import type { ElectionWindow, Eligibility, MemberElection, ProxyTurn, VotingElection, voting } from '@portal/contract/elections/voting';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act, AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { hasUnpaidInvoiceDueBefore } from '../billing/index.ts';
import { listVoters } from '../contacts/index.ts';
import { attendeeOf } from './attendance.ts';
import { attendeeInElections } from './attendee-roll.ts';
import { electionsSince, resultsOf } from './election-row.ts';
import { attendeeEligibility, memberVoteEligibility, nominationEligibility, proxyEligibility } from './eligibility.ts';
import { type AccountInElection, accountInElections } from './roll.ts';
import { votingWeightOf } from './weight.ts';

/** Days for which past and cancelled elections are shown: about until the next conference. */
const LATELY_DAYS = 180;

type Window = StaffElection['windows'][number];
type Last = AnswerOf<typeof voting.getAttendeeVoting>['last'];
/** Returns the reader's eligibility in a window; null if the window doesn't concern the reader, undefined if it is hidden. */
type EligibilityOf = (window: Window) => Eligibility | null | undefined;

/** Elections in which attendees vote, for the signed-in person, independent of accounts. */
export async function getAttendeeVoting({
  read,
  caller,
  registry: { now },
}: {
  read: Read;
  caller: Caller;
  registry: Pick<Registry, 'now'>;
}): Promise<AnswerOf<typeof voting.getAttendeeVoting>> {
  const [found, last, proxyTurns] = await Promise.all([
    electionsLately(read, 'attendee-vote', now),
    lastElection(read, 'attendee-vote', now),
    proxyTurnsOf(read, caller, now),
  ]);
  // Elections of the same conference share one query.
  const attendees = new Map(
    [...new Set(found.map(({ conference }) => conference!))].map(conference => [conference, attendeeOf(read, caller, conference)]),
  );
  const inElections = attendeeInElections(
    read,
    caller.loginId,
    found.map(({ electionId }) => electionId),
  );
  const elections = await Promise.all(
    found.map(async election => {
      const { conference, registrationCutOff } = election;
      const attendee = { ...(await attendees.get(conference!))!, ...(await inElections).get(election.electionId)! };
      return shown(election, window => {
        if (window.kind === 'nomination') return nominationEligibility(election.kind, null, window);
        return window.kind === 'attendee-vote' ? attendeeEligibility(attendee, registrationCutOff!, window) : undefined;
      });
    }),
  );
  return { asOf: now.toISOString(), elections: inOrder(elections), last, proxyTurns };
}

/** The whole voting home of an account in one answer: elections of its members, those of attendees for the person, and who votes for the account. */
export async function getMemberVoting({
  read,
  account,
  caller,
  registry,
}: Act<typeof voting.getMemberVoting>): Promise<AnswerOf<typeof voting.getMemberVoting>> {
  const [members, attendees, voters] = await Promise.all([
    memberElections(read, account, caller, registry),
    getAttendeeVoting({ read, caller, registry }),
    listVoters({ read, account }),
  ]);
  const { elections, last, proxyTurns } = attendees;
  return { ...members, attendees: { elections, last }, proxyTurns, voters: voters.rows };
}

/** Elections in which members vote, as a contact of one account sees them. */
async function memberElections(
  read: Read,
  account: AdmittedAccount,
  caller: Caller,
  registry: Pick<Registry, 'now' | 'today' | 'profile'>,
): Promise<Omit<AnswerOf<typeof voting.getMemberVoting>, 'attendees' | 'proxyTurns' | 'voters'>> {
  const { now, profile } = registry;
  const [found, last, weight] = await Promise.all([
    electionsOfMember(read, account, caller, registry),
    lastElection(read, 'member-vote', now),
    votingWeightOf(read, account, profile),
  ]);
  const elections = found.map(({ election, own, shown: seen }): MemberElection => {
    const { frozen, proxy, votedBy, votedAt } = own;
    const current = election.state === 'published' && account.accountStatus === 'open' && weight.votes !== null;
    const votes = electionKinds[election.kind].memberVotes === 'tier' ? weight.votes : 1;
    return {
      ...seen,
      votes: current ? (own.votes ?? votes) : null,
      frozen,
      proxy,
      voted: votedBy === null ? null : { by: votedBy, at: votedAt! },
    };
  });
  return { asOf: now.toISOString(), elections: inOrder(elections), last, weight, tiers: profile.votingTiers };
}

/** Elections in which members vote, what the caller can do in each now, and how the account stands in them; not its votes, which are counted from its holdings. */
export async function electionsOfMember(
  read: Read,
  account: AdmittedAccount,
  caller: Caller,
  { now, today }: Pick<Registry, 'now' | 'today'>,
): Promise<{ election: StaffElection; own: AccountInElection; shown: ReturnType<typeof shown> }[]> {
  const [found, owes] = await Promise.all([
    electionsLately(read, 'member-vote', now),
    hasUnpaidInvoiceDueBefore(read, account.accountName, today),
  ]);
  const standing = await accountInElections(
    read,
    account.accountName,
    found.map(({ electionId }) => electionId),
  );
  return found.map(election => {
    const own = standing.get(election.electionId)!;
    const voter = { ...account, mfa: caller.mfa, owes, proxy: own.proxy, votedBy: own.votedBy };
    const eligibilityOf: EligibilityOf = window => {
      if (window.kind === 'nomination') return nominationEligibility(election.kind, voter, window);
      if (window.kind === 'proxy-appoint') return proxyEligibility(election.kind, voter, window);
      if (window.kind === 'proxy-vote') return null;
      return window.kind === 'member-vote' ? memberVoteEligibility(election.kind, voter, window) : undefined;
    };
    return { election, own, shown: shown(election, eligibilityOf) };
  });
}

/** Accounts whose votes a person can cast now as their proxy: appointments of the verified address of the login, in windows that are open. */
const proxyTurnsOf = (read: Read, { loginId }: Pick<Caller, 'loginId'>, now: Date): Promise<ProxyTurn[]> =>
  read.rows<ProxyTurn>(sql`
    select p.election_proxy_id::text as proxy_id, p.account_name, e.title
    from login l join election_proxy p on lower(p.email) = lower(l.email) join election e using (election_id)
    join election_window w on w.election_id = e.election_id and w.kind = 'proxy-vote'
    where l.login_id = ${loginId} and l.email_verified and p.state = 'active' and e.state = 'published'
      and w.opens_at <= ${now.toISOString()}::timestamptz and w.closes_at > ${now.toISOString()}::timestamptz
    order by w.closes_at, p.account_name, p.election_proxy_id limit 100`);

const electionsLately = (read: Read, vote: WindowKind, now: Date): Promise<StaffElection[]> =>
  electionsSince(read, vote, new Date(now.getTime() - LATELY_DAYS * DAY_MS), now);

/** The last election that ended, shown when there is no other. */
async function lastElection(read: Read, vote: WindowKind, now: Date): Promise<Last> {
  const [last] = await read.rows<NonNullable<Last>>(sql`
    select e.title, max(w.closes_at) as closed_at, ${resultsOf(now)} as results_url from election e join election_window w using (election_id)
    where e.state = 'published' and exists (select from election_window v where v.election_id = e.election_id and v.kind = ${vote})
    group by e.election_id having max(w.closes_at) <= ${now.toISOString()}::timestamptz order by 2 desc limit 1`);
  return last ?? null;
}

/** Returns the address for a window; proxies are appointed in the portal only. */
const placeOf = (electionId: string, { kind, url }: Pick<Window, 'kind' | 'url'>): string =>
  kind === 'proxy-appoint'
    ? `/voting/${electionId}/appoint-proxy`
    : url || `/voting/${electionId}/${kind === 'nomination' ? 'nominate' : kind === 'attendee-vote' ? 'cast?as=attendee' : 'cast'}`;

/** The public page of an election whose ballots the registry holds itself: its candidates, then its result. */
const ownPageOf = ({ electionId, ballots, firstSetUpAt, windows }: StaffElection): string | null =>
  ballots === 'encrypted'
    ? firstSetUpAt && `/elections/${electionId}`
    : windows.some(({ kind, url }) => (kind === 'member-vote' || kind === 'attendee-vote') && url === '')
      ? `/ballots/${electionId}`
      : null;

/** The page of the candidates, if the portal holds the nominations. */
const candidatesOf = ({ electionId, windows }: StaffElection): string | null =>
  windows.some(({ kind, url }) => kind === 'nomination' && url === '') ? `/voting/${electionId}/candidates` : null;

function shown(election: StaffElection, eligibilityOf: EligibilityOf): VotingElection {
  const { electionId, kind, ballots, title, description, seats, cancelReason, timeZone, candidatesUrl, resultsUrl } = election;
  // Drafts aren't read here.
  const state = election.state as VotingElection['state'];
  const windows = election.windows
    .map(window => ({ ...window, url: placeOf(electionId, window) }))
    .flatMap((window): ElectionWindow[] => {
      const eligibility = eligibilityOf(window);
      if (eligibility === undefined) return [];
      const { kind: of, opensAt, closesAt, words, url } = window;
      const host = url.startsWith('/') ? null : new URL(url).host;
      return [{ kind: of, opensAt, closesAt, state: window.state, words, host, eligibility: state === 'cancelled' ? null : eligibility }];
    });
  return {
    electionId,
    kind,
    ballots,
    title,
    description,
    seats,
    state,
    cancelReason,
    timeZone,
    candidatesUrl: candidatesUrl || candidatesOf(election) || ownPageOf(election),
    // A running election has none.
    resultsUrl: state === 'closed' ? resultsUrl || ownPageOf(election) : null,
    windows,
  };
}

/** Sorts open elections first, then future ones by opening, then past ones, latest first; cancelled ones at the end. */
function inOrder<Election extends VotingElection>(elections: readonly Election[]): Election[] {
  const rank = ({ state, windows }: Election): [number, number] => {
    const ends = windows.map(({ closesAt }) => Date.parse(closesAt));
    if (state === 'cancelled') return [3, -Math.max(...ends)];
    if (state === 'closed') return [2, -Math.max(...ends)];
    const open = windows.filter(window => window.state === 'open').map(({ closesAt }) => Date.parse(closesAt));
    if (open.length > 0) return [0, Math.min(...open)];
    return [1, Math.min(...windows.filter(window => window.state === 'not-yet-open').map(({ opensAt }) => Date.parse(opensAt)))];
  };
  return [...elections].sort((a, b) => {
    const [x, y] = [rank(a), rank(b)];
    return x[0] - y[0] || x[1] - y[1] || Number(a.electionId) - Number(b.electionId);
  });
}
