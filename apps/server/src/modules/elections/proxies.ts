import { isRowId } from '@portal/contract/row-ids';
import type { CasesOf } from '../../platform/http/cases.ts';
import type { AnswerOf } from '@portal/contract';
import { electionKinds, type StaffElection } from '@portal/contract/elections/elections';
import type { CastVote, ElectionProxy, proxies } from '@portal/contract/elections/proxies';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../platform/http/caller.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import type { Act, AdmittedAccount, CaseAct } from '../../platform/http/endpoints.ts';
import { refuse } from '../../platform/failure.ts';
import type { Registry } from '../../platform/registry.ts';
import { activeContacts, actorOf, lockAccount, refuseOwnAccount } from '../accounts/index.ts';
import { hasUnpaidInvoiceDueBefore } from '../billing/index.ts';
import { notifyPeople } from '../identity/index.ts';
import { sendMail } from '../mail/index.ts';
import { openBallotOf } from './ballots.ts';
import { readElection, resultsOf } from './election-row.ts';
import { proxyEligibility, whyNot } from './eligibility.ts';
import { accountInElections } from './roll.ts';
import { votingWeightOf } from './weight.ts';
import { stands } from './standing-proxy.ts';
import { electionsTexts } from './mail-texts.ts';

type Row = Omit<ElectionProxy, 'revocable'> & { accountName: string; appointing: boolean };

/** Proxies with the names of their elections. `where`: a condition on `p`. */
async function readProxies(read: Read, where: RawBuilder<unknown>, now: Date): Promise<(ElectionProxy & { accountName: string })[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const rows = await read.rows<Row>(sql`
    select p.election_proxy_id::text as proxy_id, p.election_id::text as election_id, e.title, p.account_name, p.full_name, p.email,
      case when p.state = 'active' and coalesce((select max(w.closes_at) from election_window w where w.election_id = p.election_id) <= ${at}, false)
        then 'expired' else p.state end as state,
      c.full_name as appointed_by, p.appointed_at, p.ended_at, p.end_reason,
      exists (select from election_window w where w.election_id = p.election_id and w.kind = 'proxy-appoint' and w.opens_at <= ${at} and w.closes_at > ${at})
        and e.state = 'published' as appointing
    from election_proxy p join election e using (election_id) join contact c on c.contact_id = p.appointed_by
    where ${where} order by p.election_proxy_id desc limit 2000`);
  return rows.map(({ appointing, ...row }) => ({ ...row, revocable: appointing && row.state === 'active' }));
}

const numberOf = (id: string): number => {
  if (!isRowId(id)) throw refuse('NOT_FOUND', { what: 'The proxy' });
  return Number(id);
};

/** The proxies an account appointed, newest first. */
export const listProxies = async ({
  read,
  account: { accountName },
  registry: { now },
}: Act<typeof proxies.listProxies>): Promise<{ rows: ElectionProxy[] }> => ({
  rows: await readProxies(read, sql`p.account_name = ${accountName}`, now),
});

/** All proxies of an election, for registry staff. @throws Failure NOT_FOUND */
export async function listElectionProxies({
  read,
  params: { electionId },
  registry: { now },
}: Act<typeof proxies.listElectionProxies>): Promise<AnswerOf<typeof proxies.listElectionProxies>> {
  const election = await readElection(read, electionId, now);
  return { rows: await readProxies(read, sql`p.election_id = ${Number(election.electionId)}`, now) };
}

/** Votes of an account that were cast in all elections, newest first. */
export async function listVotes({
  read,
  account: { accountName },
  registry: { now },
}: Act<typeof proxies.listVotes>): Promise<{ rows: CastVote[] }> {
  const rows = await read.rows<CastVote>(sql`
    select v.election_id::text as election_id, e.title, v.generation < e.generation as is_void, v.votes, v.cast_as, v.voter_name, v.cast_at,
      ${resultsOf(now)} as results_url
    from election_vote v join election e using (election_id) where v.account_name = ${accountName} order by v.cast_at desc limit 500`);
  return { rows };
}

/** A published election, and when proxies can be appointed; null if the election has no proxies. @throws Failure NOT_FOUND */
async function electionWithProxies(
  read: Read,
  electionId: string,
  now: Date,
): Promise<{ election: StaffElection; appoint: StaffElection['windows'][number] | null }> {
  const election = await readElection(read, electionId, now);
  const appoint = election.windows.find(({ kind }) => kind === 'proxy-appoint') ?? null;
  if (election.publishedAt === null) throw refuse('NOT_FOUND', { what: 'The election' });
  return { election, appoint };
}

/** Returns the facts that decide whether a contact can appoint the proxy of the account, and its current proxy. @throws Failure NOT_FOUND */
export async function getProxyForm({
  read,
  account,
  caller,
  params: { electionId },
  registry: { now, today, profile },
}: {
  read: Read;
  account: AdmittedAccount;
  caller: Caller;
  params: { electionId: string };
  registry: Pick<Registry, 'now' | 'today' | 'profile'>;
}): Promise<AnswerOf<typeof proxies.getProxyForm>> {
  const { election, appoint } = await electionWithProxies(read, electionId, now);
  const { accountName } = account;
  const [owes, inElection, proxiesOfAccount, weight, contacts] = await Promise.all([
    hasUnpaidInvoiceDueBefore(read, accountName, today),
    accountInElections(read, accountName, [election.electionId]),
    readProxies(read, sql`p.account_name = ${accountName} and p.election_id = ${Number(election.electionId)} and ${stands}`, now),
    votingWeightOf(read, account, profile),
    activeContacts(read, accountName, { permission: 'voting-vote' }),
  ]);
  const own = inElection.get(election.electionId)!;
  const eligibility = appoint
    ? proxyEligibility(
        election.kind,
        { ...account, mfa: caller.mfa, owes, proxy: own.proxy, votedBy: own.votedBy },
        { ...appoint, url: `/voting/${election.electionId}/appoint-proxy` },
      )
    : ({
        reason: 'NO_PROXIES',
        message: 'This election has no proxies',
        detail: 'Those who can vote in it vote themselves',
        url: null,
      } as const);
  const cancelled = election.state === 'cancelled';
  return {
    electionId: election.electionId,
    title: election.title,
    timeZone: election.timeZone,
    ballots: election.ballots,
    closesAt: appoint?.closesAt ?? null,
    proxiesVoteAt: election.windows.find(({ kind }) => kind === 'proxy-vote')?.opensAt ?? null,
    votes: own.votes ?? (electionKinds[election.kind].memberVotes === 'tier' ? weight.votes : weight.votes && 1),
    per: electionKinds[election.kind].per,
    eligibility: cancelled ? { reason: 'CLOSED', message: 'This election is cancelled', detail: '', url: null } : eligibility,
    proxy: proxiesOfAccount[0] ?? null,
    ownEmails: contacts.map(({ email }) => email.toLowerCase()),
  };
}

/**
 * Appoints the proxy of an account in one election. The account's row is locked, so of a concurrent vote and appointment one is refused; from then
 * on the account has no direct vote. Every corporate contact is notified immediately, so that a forged appointment is noticed.
 * @throws Failure NOT_FOUND, VOTES_CAST, PROXY_APPOINTED, PROXY_NOT_POSSIBLE with the reason
 */
export async function appointProxy({
  change,
  account,
  caller,
  params: { electionId },
  body: { fullName, email },
  registry: { now, today, profile, config },
}: Act<typeof proxies.appointProxy>): Promise<ElectionProxy> {
  const { accountName } = account;
  const actor = await actorOf(change, account);
  const { orgName } = await lockAccount(change, accountName);
  const form = await getProxyForm({ read: change, account, caller, params: { electionId }, registry: { now, today, profile } });
  const { eligibility, title, votes, per } = form;
  if (eligibility.reason === 'ALREADY_VOTED') throw refuse('VOTES_CAST');
  if (form.proxy) throw refuse('PROXY_APPOINTED', { name: form.proxy.fullName, account: accountName });
  if (eligibility.reason !== null) throw refuse('PROXY_NOT_POSSIBLE', { why: whyNot(eligibility) });
  const opened = await openBallotOf(change, accountName, form.electionId, now);
  if (opened)
    throw refuse('PROXY_NOT_POSSIBLE', {
      why: `${opened.voterName} has the ballot open and can cast it until ${opened.expiresAt.slice(11, 16)} UTC. Try again after that`,
    });
  const { electionProxyId } = await change
    .insertInto('electionProxy')
    .values({ electionId: Number(form.electionId), accountName, fullName, email, appointedBy: actor.contactId, appointedAt: change.now })
    .returning('electionProxyId')
    .executeTakeFirstOrThrow();
  await change.note({ election: title, proxy: fullName, email });
  await notifyPeople(
    change,
    {
      topic: 'elections.votes',
      accountName,
      text: electionsTexts.written('proxyAppointed', { fullName, accountName, title, actor: actor.name, email }),
      path: '/voting/proxy-history',
      act: 'View proxies',
    },
    await activeContacts(change, accountName, { types: ['corporate'] }),
  );
  await sendMail(change, {
    topic: 'elections.votes',
    recipient: email,
    recipientName: fullName,
    text: electionsTexts.written('youAreProxy', {
      orgName,
      title,
      actor: actor.name,
      accountName,
      howMany: votes === 1 ? 'vote' : `${votes ?? ''} votes per ${per}`.replace('  ', ' '),
      howProxiesVote: howProxiesVote(form, config.appUrl),
      actorEmail: actor.email,
    }),
  });
  return proxyById(change, electionProxyId, now);
}

/** How a proxy votes: signed in, on encrypted ballots with a code of the credential authority. */
function howProxiesVote(
  { ballots, proxiesVoteAt }: Pick<AnswerOf<typeof proxies.getProxyForm>, 'ballots' | 'proxiesVoteAt'>,
  appUrl: string,
): string {
  const from = proxiesVoteAt === null ? '' : `Proxies vote online from ${proxiesVoteAt.slice(0, 16).replace('T', ' ')} UTC. `;
  const code =
    ballots === 'encrypted'
      ? ' The voting code comes by e-mail from the credential authority of the election, not from the registry, once proxies can’t be appointed or revoked any more.'
      : '';
  return `${from}You sign in to ${appUrl}/voting with a login of this e-mail address and a second factor.${code}`;
}

async function proxyById(read: Read, id: number | string, now: Date): Promise<ElectionProxy> {
  const [row] = await readProxies(read, sql`p.election_proxy_id = ${Number(id)}`, now);
  return row!;
}

/** Revokes an appointment of the account. @throws Failure PROXY_FINAL */
export async function revokeProxy({
  change,
  account,
  row: proxy,
  registry: { now },
}: CaseAct<typeof proxies.revokeProxy, ProxyRow>): Promise<ElectionProxy> {
  if (!proxy.revocable) throw refuse('PROXY_FINAL', { why: 'proxy appointment is closed' });
  const actor = await actorOf(change, account);
  return endProxy(change, proxy, { state: 'revoked', reason: '', by: actor.name }, now);
}

/** Voids an appointment for the registry, at any time before the proxy has voted. */
export const voidProxy = ({
  change,
  row: proxy,
  body: { reason },
  registry: { now },
}: CaseAct<typeof proxies.voidProxy, ProxyRow>): Promise<ElectionProxy> =>
  endProxy(change, proxy, { state: 'voided', reason, by: 'The registry' }, now);

/** An appointment with the account that made it. */
export type ProxyRow = ElectionProxy & { accountName: string };

/** Proxies, moved by contacts of the account that appointed them or by registry staff. The account is locked first, as in casting its vote. */
export const proxyCases: CasesOf<ProxyRow> = {
  stateOf: ({ state }) => state,
  lock: async ({ change, caller, account, params: { proxyId }, registry: { now } }) => {
    const one = sql`p.election_proxy_id = ${numberOf(proxyId!)}`;
    const where = account ? sql`${one} and p.account_name = ${account.accountName}` : one;
    const [found] = await readProxies(change, where, now);
    if (!found) throw refuse('NOT_FOUND', { what: 'The proxy' });
    await lockAccount(change, found.accountName);
    if (!account) await refuseOwnAccount(change, found.accountName, caller);
    return (await readProxies(change, where, now))[0]!;
  },
  refusal: async ({ state }) => refuse('PROXY_FINAL', { why: `it is ${state}` }),
};

async function endProxy(
  change: Change,
  { proxyId, accountName, title, fullName, email }: ElectionProxy & { accountName: string },
  { state, reason, by }: { state: 'revoked' | 'voided'; reason: string; by: string },
  now: Date,
): Promise<ElectionProxy> {
  await change
    .updateTable('electionProxy')
    .set({ state, endedAt: change.now, endReason: reason })
    .where('electionProxyId', '=', Number(proxyId))
    .execute();
  await change.note({ election: title, proxy: fullName, ...(reason && { reason }) });
  const why = reason ? [`Reason: ${reason}`] : [];
  await notifyPeople(
    change,
    {
      topic: 'elections.votes',
      accountName,
      text: electionsTexts.written('noLongerProxy', { fullName, accountName, actor: by, title, details: why.join('\n\n') }),
      path: '/voting',
      act: 'View elections',
    },
    await activeContacts(change, accountName, { types: ['corporate'] }),
  );
  await sendMail(change, {
    topic: 'elections.votes',
    recipient: email,
    recipientName: fullName,
    text: electionsTexts.written('youNoLongerProxy', { accountName, actor: by, title, details: why.join('\n\n') }),
  });
  return proxyById(change, proxyId, now);
}
