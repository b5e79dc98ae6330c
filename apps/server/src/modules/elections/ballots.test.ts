import { api } from '@portal/contract/api';
import { DAY_MS, HOUR_MS, instantAfter, MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { testContext } from '../../../test/context.ts';
import { exampleElection, inDays } from '../../../test/example-election.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { seconded } from '../../../test/scrutineer.ts';
import { keepReportedVote } from './ballots.ts';
import { addElection, publishElection } from './elections.ts';
import { handOverAddress, reportSignature } from './hand-over.ts';
import { freezeRolls } from './roll.ts';
import { inviteProxies } from './vote-notices.ts';

const secret = 'a secret that the voting system shares with us';
const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const url = 'https://vote.registry.example/ec?lang=en';
const given = { fullName: 'Olive Tan', email: 'olive.tan@example.org', emailAgain: 'olive.tan@example.org', authorised: true as const };

async function openElection(portal: TestPortal): Promise<string> {
  return portal.db.change(line, async change => {
    const { electionId, version } = await addElection({
      change,
      body: exampleElection({
        windows: [
          { kind: 'proxy-appoint', opensAt: inDays(-3), closesAt: inDays(4), url: '' },
          { kind: 'member-vote', opensAt: inDays(-3), closesAt: inDays(7), url },
          { kind: 'proxy-vote', opensAt: inDays(6.5), closesAt: inDays(7), url },
        ],
      }),
    });
    await publishElection({ change, params: { electionId }, body: { version }, publishedAt: new Date(Date.now() - 5 * DAY_MS) });
    return electionId;
  });
}

/** The voter of a ballot opened through the API. Without a secret it isn't in the address, so it is read from the table. */
const voterOf = async (portal: TestPortal, castAs: 'member' | 'proxy' = 'member') =>
  (await portal.db.read.selectFrom('ballotSession').select('voterId').where('castAs', '=', castAs).executeTakeFirstOrThrow()).voterId;

const report = (
  portal: TestPortal,
  voter: string,
  votedAt = new Date().toISOString(),
  signature = reportSignature(secret, voter, votedAt),
) => portal.db.change(line, change => keepReportedVote(change, { voter, votedAt, signature }, secret));

test('a hand-over contains an opaque voter, its votes and its expiry, and is signed', () => {
  const address = new URL(
    handOverAddress(url, secret, { voter: 'v', votes: 8, electionId: '7', generation: 1, expiresAt: '2027-02-16T04:00:00Z' }),
  );
  expect(Object.fromEntries(address.searchParams)).toEqual({
    lang: 'en',
    voter: 'v',
    votes: '8',
    election: '7',
    round: '1',
    exp: String(Date.parse('2027-02-16T04:00:00Z') / 1000),
    signature: expect.stringMatching(/^[\w-]{43}$/),
  });
});

describe.each(kindsForRules)('the ballot on %s', kind => {
  test('a vote is reported once, appears in the history, and prevents every other way to vote', async () => {
    await using portal = await testPortal(kind);
    const electionId = await openElection(portal);
    await freezeRolls(portal.db, new Date(), portal.context.profile);
    const corin = await portal.as('corin');
    const input = { account: 'EXAMPLE-AU', electionId };
    const twice = await Promise.all([corin(api.ballots.openBallot, input), corin(api.ballots.openBallot, input)]);
    expect(twice.map(({ data }) => data!.votes)).toEqual([8, 8]);
    const voter = await voterOf(portal);
    // While it is open no proxy can be appointed.
    expect(await corin(api.proxies.appointProxy, { ...input, body: given })).toMatchObject({ errors: [{ code: 'PROXY_NOT_POSSIBLE' }] });
    await report(portal, voter);
    await report(portal, voter);
    const { rows } = (await corin(api.proxies.listVotes, { account: 'EXAMPLE-AU' })).data!;
    expect(rows).toMatchObject([{ title: 'Council now', votes: 8, castAs: 'member', isVoid: false, voterName: 'Corin Achterberg' }]);
    expect(await corin(api.ballots.openBallot, input)).toMatchObject({ status: 409, errors: [{ code: 'VOTES_CAST' }] });
    expect(await corin(api.proxies.appointProxy, { ...input, body: given })).toMatchObject({
      status: 409,
      errors: [{ code: 'VOTES_CAST', message: 'Votes have already been cast for this account' }],
    });
    // No row of ours contains the choice.
    const kept = await portal.db.read.selectFrom('electionVote').selectAll().execute();
    expect(Object.keys(kept[0]!)).not.toContain('choice');
  });

  test('forged, late, early and unknown reports are refused, without a trace', async () => {
    await using portal = await testPortal(kind);
    const electionId = await openElection(portal);
    const corin = await portal.as('corin');
    await corin(api.ballots.openBallot, { account: 'EXAMPLE-AU', electionId });
    const voter = await voterOf(portal);
    const now = new Date().toISOString();
    const refused = { code: 'VOTE_REPORT_REFUSED' };
    await expect(report(portal, voter, now, reportSignature('another secret', voter, now))).rejects.toMatchObject(refused);
    await expect(report(portal, crypto.randomUUID())).rejects.toMatchObject(refused);
    await expect(report(portal, voter, instantAfter(Date.now(), 2 * MINUTE_MS))).rejects.toMatchObject(refused);
    await expect(report(portal, voter, instantAfter(Date.now(), -2 * HOUR_MS))).rejects.toMatchObject(refused);
    expect(await portal.db.read.selectFrom('electionVote').selectAll().execute()).toEqual([]);
    // Without the setting every report is refused.
    const body = { voter, votedAt: now, signature: reportSignature('', voter, now) };
    expect(await corin(api.ballots.reportVote, { body })).toMatchObject({ status: 403, errors: [refused] });
  });

  test('a vote with other votes than the frozen roll gives is refused by the database, whatever writes it', async () => {
    await using portal = await testPortal(kind);
    const electionId = await openElection(portal);
    await freezeRolls(portal.db, new Date(), portal.context.profile);
    const store = (account: string, votes: number) =>
      portal.db.change(line, change =>
        change.rows(sql`insert into election_vote (election_id, generation, account_name, votes, cast_as, voter_name, cast_at)
          values (${Number(electionId)}, 1, ${account}, ${votes}, 'member', 'x', now())`),
      );
    await expect(store('EXAMPLE-AU', 64)).rejects.toThrow('does not give EXAMPLE-AU 64 votes');
    await store('EXAMPLE-AU', 8);
  });

  test('a report of a ballot whose votes changed as the roll was frozen is refused until it is opened again, and a link handed over before holds', async () => {
    await using portal = await testPortal(kind);
    const electionId = await openElection(portal);
    const corin = await portal.as('corin');
    const input = { account: 'EXAMPLE-AU', electionId };
    await corin(api.ballots.openBallot, input);
    await freezeRolls(portal.db, new Date(), portal.context.profile);
    const until = inDays(5);
    await portal.db.change(line, change =>
      change.rows(
        sql`update ballot_session set votes = 4, expires_at = ${until}::timestamptz where account_name = 'EXAMPLE-AU' returning 1 as set`,
      ),
    );
    const voter = await voterOf(portal);
    await expect(report(portal, voter)).rejects.toMatchObject({
      code: 'VOTE_REPORT_REFUSED',
      message: expect.stringContaining('opened with 4 votes, and the roll gives 8'),
    });
    expect((await corin(api.ballots.openBallot, input)).data!.votes).toBe(8);
    const [session] = await portal.db.read.selectFrom('ballotSession').select(['votes', 'expiresAt']).execute();
    expect([session!.votes, Date.parse(session!.expiresAt)]).toEqual([8, Date.parse(until)]);
    await report(portal, voter);
  });

  test('of a concurrent vote and proxy exactly one succeeds', async () => {
    await using portal = await testPortal(kind);
    const electionId = await openElection(portal);
    const corin = await portal.as('corin');
    const input = { account: 'EXAMPLE-AU', electionId };
    const [ballot, proxy] = await Promise.all([
      corin(api.ballots.openBallot, input),
      corin(api.proxies.appointProxy, { ...input, body: given }),
    ]);
    expect([ballot.status, proxy.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test('a proxy is asked to vote once its window opens, signs in, and opens the ballot of the account; others and a withdrawn one don’t', async () => {
    let now = Date.now();
    await using portal = await testPortal(kind, {}, () => new Date(now));
    const electionId = await openElection(portal);
    await freezeRolls(portal.db, new Date(), portal.context.profile);
    const corin = await portal.as('corin');
    const address = 'Olive@Other-SG.example';
    const { proxyId } = (
      await corin(api.proxies.appointProxy, { account: 'EXAMPLE-AU', electionId, body: { ...given, email: address, emailAgain: address } })
    ).data!;
    const registry = { ...testContext(portal), config: { ...portal.config, votingSystemSecret: secret } };
    const run = (days: number) => inviteProxies({ ...registry, now: new Date(Date.now() + days * DAY_MS) });
    const mails = async () => (await portal.mailsTo(address)).length;
    await run(0);
    expect(await mails()).toBe(1);
    await run(6.6);
    await run(6.7);
    expect(await mails()).toBe(2);
    expect((await portal.mailsTo(address)).at(-1)!.body).toContain(`/voting/proxy-votes/${proxyId}`);
    const open = async (name: string, options?: { mfa?: boolean }) =>
      (await portal.as(name, options))(api.ballots.openProxyBallot, { proxyId });
    // The mail alone opens nothing: before the window, for others, and without a second factor there is no ballot.
    expect(await open('olive')).toMatchObject({ status: 409, errors: [{ code: 'BALLOT_CLOSED' }] });
    now += 6.7 * DAY_MS;
    for (const name of ['corin', 'nils', 'stella']) expect(await open(name)).toMatchObject({ status: 404 });
    expect(await open('olive', { mfa: false })).toMatchObject({ status: 401, errors: [{ code: 'MFA_REQUIRED' }] });
    expect(await portal.db.read.selectFrom('ballotSession').selectAll().execute()).toEqual([]);
    expect((await open('olive')).data!.url).toContain('https://vote.registry.example/ec');
    const { rows } = (await (await portal.as('olive'))(api.proxyVotes.listProxyVotes, {})).data!;
    expect(rows).toMatchObject([{ proxyId, ballots: 'plain', host: 'vote.registry.example', accountName: 'EXAMPLE-AU', votes: 8 }]);
    const voter = await voterOf(portal, 'proxy');
    const stella = await portal.as('stella');
    await seconded(portal, await stella(api.proxies.voidProxy, { proxyId, body: { reason: 'Forged' } }));
    await expect(report(portal, voter, new Date(now).toISOString())).rejects.toMatchObject({ code: 'VOTE_REPORT_REFUSED' });
    expect(await open('olive')).toMatchObject({ errors: [{ code: 'BALLOT_CLOSED', message: expect.stringContaining('was voided') }] });
  });
});
