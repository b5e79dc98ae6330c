import { api } from '@portal/contract/api';
import { DAY_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  archiveOf,
  authorityName,
  ballotOf,
  cast,
  emailOf,
  openEncrypted,
  type OpenEncrypted,
  verified,
} from '../../../test/encrypted-election.ts';
import { inDays } from '../../../test/example-election.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { inviteProxies } from '../elections/vote-notices.ts';
import { testContext } from '../../../test/context.ts';
import { askAppointed } from './asking.ts';
import { encryptedBallotInvariants } from './invariants.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const code = (answer: { errors?: { code: string }[] | undefined }): string | undefined => answer.errors?.[0]?.code;

describe.each(kindsForRules)('proxies on encrypted ballots, on %s', kind => {
  let portal: TestPortal;
  let open: OpenEncrypted;
  let now = Date.now();
  beforeAll(async () => {
    now = Date.now();
    portal = await testPortal(kind, {}, () => new Date(now));
    open = await openEncrypted(portal, {
      values: {
        windows: [
          { kind: 'proxy-appoint', opensAt: inDays(-1), closesAt: inDays(1), url: '' },
          { kind: 'member-vote', opensAt: inDays(-1), closesAt: inDays(6), url: '' },
          { kind: 'proxy-vote', opensAt: inDays(4), closesAt: inDays(6), url: '' },
        ],
      },
    });
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const appoint = async (as: string, account: string, proxy: string) => {
    const email = await emailOf(portal, proxy);
    const body = { fullName: 'Max Fernandez', email: email.toUpperCase(), emailAgain: email, authorised: true as const };
    return (await (await portal.as(as))(api.proxies.appointProxy, { account, electionId: open.electionId, body })).data!.proxyId;
  };
  const castAs = async (name: string, proxyId: string, { ballot, rightKey }: { ballot: string; rightKey: string }) =>
    (await portal.as(name))(api.proxyVotes.castProxyBallot, { proxyId, body: { ballot, rightKey } });
  const own = async (name: string) => (await (await portal.as(name))(api.proxyVotes.listProxyVotes, {})).data!.rows;
  /** Returns the votes that the page of elections asks the person for. */
  const turns = async (name: string) => (await (await portal.as(name))(api.voting.getAttendeeVoting, {})).data!.proxyTurns;
  const roll = async () =>
    (await (await portal.as(authorityName))(api.ballotCredentials.takeRoll, { electionId: open.electionId })).data!.rows;
  const archived = async () => (await verified(await archiveOf(portal, open.electionId))).ballots.length;

  test('an appointment moves the ballot of the account and its code, and taking it back returns both', async () => {
    const { electionId } = open;
    const ofOther = await ballotOf(portal, open, 'OTHER-SG', [1], 'olive');
    const before = (await roll()).find(({ accountName }) => accountName === 'OTHER-SG')!;
    const proxyId = await appoint('olive', 'OTHER-SG', 'max');
    expect(code(await cast(portal, electionId, { as: 'olive', account: 'OTHER-SG', body: ofOther }))).toBe('PROXY_APPOINTED');
    expect((await roll()).find(({ accountName }) => accountName === 'OTHER-SG')).toEqual({
      accountName: 'OTHER-SG',
      votes: before.votes,
      emails: [(await emailOf(portal, 'max')).toUpperCase()],
      proxyId,
    });
    expect(await own('max')).toMatchObject([
      { proxyId, accountName: 'OTHER-SG', votes: before.votes, state: 'active', window: 'not-yet-open', votedAt: null },
    ]);
    // Proxies vote in their own time only.
    expect(code(await castAs('max', proxyId, ofOther))).toBe('BALLOT_CLOSED');
    expect(await turns('max')).toEqual([]);

    await (await portal.as('olive'))(api.proxies.revokeProxy, { account: 'OTHER-SG', proxyId });
    expect((await roll()).find(({ accountName }) => accountName === 'OTHER-SG')).toEqual(before);
    expect(await own('max')).toMatchObject([{ proxyId, state: 'revoked' }]);
    expect(await castAs('max', proxyId, ofOther)).toMatchObject({
      errors: [{ code: 'BALLOT_CLOSED', message: expect.stringContaining('you aren’t the proxy of OTHER-SG any more') }],
    });
    expect((await cast(portal, electionId, { as: 'olive', account: 'OTHER-SG', body: ofOther })).data).toMatchObject({
      votes: before.votes,
    });
    // Who has voted appoints no one.
    const body = { fullName: 'Max', email: 'max@many.example', emailAgain: 'max@many.example', authorised: true as const };
    expect(code(await (await portal.as('olive'))(api.proxies.appointProxy, { account: 'OTHER-SG', electionId, body }))).toBe('VOTES_CAST');
  });

  test('the proxy votes once with the votes of the account, signed in; that is final, and the log of both has it', async () => {
    const { electionId } = open;
    const body = await ballotOf(portal, open, 'EXAMPLE-AU', [0], 'corin');
    const second = await ballotOf(portal, open, 'EXAMPLE-AU', [2], 'corin');
    const proxyId = await appoint('corin', 'EXAMPLE-AU', 'max');
    expect((await portal.mailsTo((await emailOf(portal, 'max')).toUpperCase())).at(-1)!.body).toContain(
      'comes by e-mail from the credential authority',
    );

    // Appointments are final: the authority is asked for the codes of proxies, once.
    now += 1.5 * DAY_MS;
    const toAuthority = async () => (await portal.mailsTo(await emailOf(portal, authorityName))).map(({ subject }) => subject);
    await askAppointed(portal.db, new Date(now));
    const asked = await toAuthority();
    expect(asked.at(-1)).toBe('Send the voting codes of proxies of Council, encrypted');
    await askAppointed(portal.db, new Date(now));
    expect(await toAuthority()).toEqual(asked);
    expect((await (await portal.as(authorityName))(api.ballotCredentials.getAuthority, { electionId })).data!.proxies).toMatchObject({
      accounts: 1,
      isClosed: true,
    });

    now += 3 * DAY_MS;
    await inviteProxies({ ...testContext(portal), now: new Date(now) });
    const invited = (await portal.mailsTo((await emailOf(portal, 'max')).toUpperCase())).at(-1)!;
    expect(invited.subject).toBe('Vote as the proxy of EXAMPLE-AU in Council, encrypted');
    expect(invited.body).toContain(`/voting/proxy-votes/${proxyId}`);
    expect(await turns('max')).toEqual([{ proxyId, accountName: 'EXAMPLE-AU', title: 'Council, encrypted' }]);
    expect(await turns('corin')).toEqual([]);
    // For everyone else there is no such appointment; a session without a second factor is not enough.
    for (const name of ['hana', 'corin', 'stella']) {
      expect(code(await castAs(name, proxyId, body))).toBe('NOT_FOUND');
      expect(code(await (await portal.as(name))(api.proxyVotes.getProxyBallotForm, { proxyId }))).toBe('NOT_FOUND');
    }
    const alone = await portal.as('max', { mfa: false });
    expect(code(await alone(api.proxyVotes.castProxyBallot, { proxyId, body: { ballot: body.ballot, rightKey: body.rightKey } }))).toMatch(
      /^MFA/,
    );
    // The code of another account is none of this one.
    const { tracker: _tracker, ...ofNils } = await ballotOf(portal, open, 'NATREG-XX', [0], 'nils');
    expect(code(await castAs('max', proxyId, ofNils))).toBe('BALLOT_REFUSED');
    expect((await (await portal.as('max'))(api.proxyVotes.getProxyBallotForm, { proxyId })).data).toMatchObject({ votes: 8 });

    // Two presses and the account itself in the same moment: one ballot.
    const before = await archived();
    const answers = await Promise.all([
      castAs('max', proxyId, body),
      castAs('max', proxyId, second),
      cast(portal, electionId, { as: 'corin', account: 'EXAMPLE-AU', body: second }),
    ]);
    // The same ballot that two sent is answered as the one that was cast.
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ data }) => data!.tracker)).size).toBe(1);
    expect(await archived()).toBe(before + 1);
    expect(await turns('max')).toEqual([]);
    const [kept, not] = answers[0].status === 200 ? [body, second] : [second, body];
    expect((await castAs('max', proxyId, kept)).data).toMatchObject({ tracker: kept.tracker, votes: 8 });
    expect(code(await castAs('max', proxyId, not))).toBe('VOTES_CAST');
    expect(code(await cast(portal, electionId, { as: 'corin', account: 'EXAMPLE-AU', body: not }))).toBe('VOTES_CAST');

    // Roll and log show it to both.
    const corin = await portal.as('corin');
    expect((await corin(api.proxies.listVotes, { account: 'EXAMPLE-AU' })).data!.rows[0]).toMatchObject({
      castAs: 'proxy',
      voterName: 'Max Fernandez',
      votes: 8,
    });
    expect(await own('max')).toMatchObject([{ proxyId, state: 'used', votedAt: expect.any(String) }, { state: 'revoked' }]);
    const lines = await portal.db.read.rows<{ action: string; by: string; proxy: string | null }>(sql`
      select a.action, l.username as by, a.details ->> 'castAs' as proxy from activity a join login l on l.login_id = coalesce((select s.login_id from login_subject s
        where s.issuer = a.login_issuer and s.subject = a.login_subject), a.login_subject)
      where a.account_name = 'EXAMPLE-AU' and a.refusal is null and a.action in ('encryptedBallots.proxyVotes.castProxyBallot', 'elections.proxies.appointProxy') order by a.activity_id`);
    expect(lines).toEqual(
      expect.arrayContaining([
        { action: 'elections.proxies.appointProxy', by: 'corin', proxy: null },
        { action: 'encryptedBallots.proxyVotes.castProxyBallot', by: 'max', proxy: 'proxy' },
      ]),
    );
    const seen = (await corin(api.activityLog.listActivities, { account: 'EXAMPLE-AU', query: {} })).data!.lines.map(
      ({ summary }) => summary,
    );
    expect(seen).toEqual(
      expect.arrayContaining([
        expect.stringContaining('Appointed a proxy'),
        expect.stringContaining('Cast an encrypted ballot as a proxy'),
      ]),
    );
    // A used appointment is final, for the account and for the registry.
    expect(code(await corin(api.proxies.revokeProxy, { account: 'EXAMPLE-AU', proxyId }))).toBe('PROXY_FINAL');
    expect(code(await (await portal.as('stella'))(api.proxies.voidProxy, { proxyId, body: { reason: 'Too late' } }))).toBe('PROXY_FINAL');
    const stored = (query: ReturnType<typeof sql>) => portal.db.change(line, change => change.rows(query));
    await expect(
      stored(sql`insert into election_vote (election_id, generation, account_name, votes, cast_as, voter_name, cast_at)
        values (${Number(electionId)}, 1, 'EXAMPLE-AU', 8, 'proxy', 'Max', now())`),
    ).rejects.toThrow(/election_vote_pkey/);
    await expect(
      stored(sql`insert into election_vote (election_id, generation, account_name, votes, cast_as, voter_name, cast_at)
        select election_id, 1, account_name, votes, 'proxy', 'Max', now() from election_roll where election_id = ${Number(electionId)} and account_name = 'NATREG-XX'`),
    ).rejects.toThrow(/the votes of NATREG-XX are those of its contacts/);

    const { profile } = portal.context;
    const scope = { read: portal.db.read, accounts: null, profile, now: new Date(now) };
    const found = await Promise.all(encryptedBallotInvariants.map(({ check }) => check(scope as never)));
    expect(found.flat()).toEqual([]);
  });
});
