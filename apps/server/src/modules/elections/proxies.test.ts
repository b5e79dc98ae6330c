import { api } from '@portal/contract/api';
import { DAY_MS } from '@portal/contract/days';
import { describe, expect, test } from 'vitest';
import { exampleElection, inDays } from '../../../test/example-election.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { seconded } from '../../../test/scrutineer.ts';
import { addElection, publishElection } from './elections.ts';
import { freezeRolls } from './roll.ts';

const url = 'https://vote.registry.example/now';
const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const given = { fullName: 'Olive Tan', email: 'olive.tan@example.org', emailAgain: 'olive.tan@example.org', authorised: true as const };

/** A council election in which proxies can be appointed and members vote now; without proxies if no day is given. Returns its number. */
async function openElection(portal: TestPortal, appointUntil: number | null = 4): Promise<string> {
  return portal.db.change(line, async change => {
    const { electionId, version } = await addElection({
      change,
      body: exampleElection({
        windows: [
          { kind: 'member-vote', opensAt: inDays(-3), closesAt: inDays(7), url },
          ...(appointUntil === null
            ? []
            : ([
                { kind: 'proxy-appoint', opensAt: inDays(-3), closesAt: inDays(appointUntil), url: '' },
                { kind: 'proxy-vote', opensAt: inDays(6.5), closesAt: inDays(7), url },
              ] as const)),
        ],
      }),
    });
    await publishElection({ change, params: { electionId }, body: { version }, publishedAt: new Date(Date.now() - 5 * DAY_MS) });
    return electionId;
  });
}

describe.each(kindsForRules)('proxies on %s', kind => {
  test('an election without proxies says so, and none can be appointed', async () => {
    await using portal = await testPortal(kind);
    const electionId = await openElection(portal, null);
    const corin = await portal.as('corin');
    const form = (await corin(api.proxies.getProxyForm, { account: 'EXAMPLE-AU', electionId })).data!;
    expect(form).toMatchObject({
      title: 'Council now',
      closesAt: null,
      proxiesVoteAt: null,
      eligibility: { reason: 'NO_PROXIES', message: 'This election has no proxies', url: null },
    });
    const answer = await corin(api.proxies.appointProxy, { account: 'EXAMPLE-AU', electionId, body: given });
    expect(answer).toMatchObject({ status: 409, errors: [{ code: 'PROXY_NOT_POSSIBLE' }] });
  });

  test('a corporate contact appoints one proxy, the proxy and the colleagues get an e-mail, and the direct vote is gone', async () => {
    await using portal = await testPortal(kind);
    const electionId = await openElection(portal);
    const corin = await portal.as('corin');
    const form = (await corin(api.proxies.getProxyForm, { account: 'EXAMPLE-AU', electionId })).data!;
    expect(form).toMatchObject({ votes: 8, proxy: null, eligibility: { reason: null, url: `/voting/${electionId}/appoint-proxy` } });
    const answer = await corin(api.proxies.appointProxy, { account: 'EXAMPLE-AU', electionId, body: given });
    expect(answer.data).toMatchObject({
      fullName: 'Olive Tan',
      state: 'active',
      revocable: true,
      appointedBy: expect.stringContaining('Corin'),
    });
    const { elections } = (await corin(api.voting.getMemberVoting, { account: 'EXAMPLE-AU' })).data!;
    const own = elections.find(election => election.electionId === electionId)!;
    expect(own.proxy).toBe('Olive Tan');
    expect(own.windows.find(window => window.kind === 'member-vote')!.eligibility).toMatchObject({ reason: 'PROXY_APPOINTED', url: null });
    const mails = await portal.db.read.selectFrom('mail').select(['recipient', 'subject']).where('topic', '=', 'elections.votes').execute();
    expect(mails.map(({ recipient }) => recipient)).toEqual(expect.arrayContaining(['olive.tan@example.org', 'corin@example-au.example']));
    // One for each account.
    const again = await corin(api.proxies.appointProxy, { account: 'EXAMPLE-AU', electionId, body: given });
    expect(again).toMatchObject({ status: 409, errors: [{ code: 'PROXY_APPOINTED' }] });
  });

  test('of two concurrent appointments one is refused', async () => {
    await using portal = await testPortal(kind);
    const electionId = await openElection(portal);
    const corin = await portal.as('corin');
    const both = await Promise.all(
      ['one', 'two'].map(name =>
        corin(api.proxies.appointProxy, { account: 'EXAMPLE-AU', electionId, body: { ...given, fullName: `Proxy ${name}` } }),
      ),
    );
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test('revoking a proxy restores the direct vote, and a voided one shows the reason', async () => {
    await using portal = await testPortal(kind);
    const electionId = await openElection(portal);
    const corin = await portal.as('corin');
    const appoint = async () => (await corin(api.proxies.appointProxy, { account: 'EXAMPLE-AU', electionId, body: given })).data!;
    const { proxyId } = await appoint();
    const olive = await portal.as('olive');
    expect(await olive(api.proxies.revokeProxy, { account: 'OTHER-SG', proxyId })).toMatchObject({ status: 404 });
    expect((await corin(api.proxies.revokeProxy, { account: 'EXAMPLE-AU', proxyId })).data).toMatchObject({ state: 'revoked' });
    expect(await corin(api.proxies.revokeProxy, { account: 'EXAMPLE-AU', proxyId })).toMatchObject({ errors: [{ code: 'PROXY_FINAL' }] });
    const second = await appoint();
    const stella = await portal.as('stella');
    const voiding = await stella(api.proxies.voidProxy, { proxyId: second.proxyId, body: { reason: 'The signature was forged' } });
    const listed = async () => (await corin(api.proxies.listProxies, { account: 'EXAMPLE-AU' })).data!.rows;
    expect((await listed())[0]).toMatchObject({ state: 'active' });
    // Someone of another role approves it, on the page of the election.
    const vera = await portal.as('vera');
    expect((await vera(api.proposals.listStaffProposals, {})).data!.waiting.at(-1)).toMatchObject({
      what: 'Void the proxy of Olive Tan: “The signature was forged”',
      link: `/desk/elections?election=${electionId}`,
    });
    expect((await seconded(portal, voiding)).errors).toBe(undefined);
    const rows = await listed();
    expect(rows.map(({ state }) => state)).toEqual(['voided', 'revoked']);
    expect(rows[0]).toMatchObject({ endReason: 'The signature was forged' });
    expect((await stella(api.proxies.listElectionProxies, { electionId })).data!.rows).toHaveLength(2);
  });

  test('after the window has closed nothing can be appointed or revoked', async () => {
    await using portal = await testPortal(kind);
    const electionId = await openElection(portal, -1);
    const corin = await portal.as('corin');
    const answer = await corin(api.proxies.appointProxy, { account: 'EXAMPLE-AU', electionId, body: given });
    expect(answer).toMatchObject({
      status: 409,
      errors: [{ code: 'PROXY_NOT_POSSIBLE', message: expect.stringMatching(/^Unable to submit proxy at this time\. Closed/) }],
    });
  });

  test('the form requires two equal addresses in English letters and the confirmation', async () => {
    await using portal = await testPortal(kind);
    const electionId = await openElection(portal);
    const corin = await portal.as('corin');
    const refused = async (body: object) =>
      (await corin(api.proxies.appointProxy, { account: 'EXAMPLE-AU', electionId, body: { ...given, ...body } })).errors!.map(
        ({ field, message }) => `${field}: ${message}`,
      );
    expect(await refused({ email: 'olive@exämple.org' })).toContain('email: It must be a valid email in English');
    expect(await refused({ email: 'olive' })).toContain('email: Enter a valid email address');
    expect(await refused({ emailAgain: 'olive.tam@example.org' })).toEqual(['emailAgain: Enter the same e-mail address twice']);
    expect(await refused({ authorised: false })).toEqual(['authorised: Confirm that you are authorised and have read the notice']);
    expect(await refused({ fullName: 'O' })).toEqual(['fullName: Enter the full name of the proxy']);
  });

  test('the roll is frozen once, with the votes at that time, and appointments have those votes', async () => {
    await using portal = await testPortal(kind);
    const electionId = await openElection(portal);
    await freezeRolls(portal.db, new Date(), portal.context.profile);
    await freezeRolls(portal.db, new Date(), portal.context.profile);
    const roll = await portal.db.read
      .selectFrom('electionRoll')
      .select(['accountName', 'votes', 'tier'])
      .where('electionId', '=', Number(electionId))
      .execute();
    expect(roll).toEqual(
      expect.arrayContaining([
        { accountName: 'EXAMPLE-AU', votes: 8, tier: 'Medium' },
        { accountName: 'NATREG-XX', votes: 64, tier: '' },
        { accountName: 'LABNET-AU', votes: 1, tier: 'Associate' },
      ]),
    );
    expect(roll.some(({ accountName }) => accountName === 'CAMPUS-JP')).toBe(false);
    const corin = await portal.as('corin');
    const { elections } = (await corin(api.voting.getMemberVoting, { account: 'EXAMPLE-AU' })).data!;
    expect(elections.find(election => election.electionId === electionId)).toMatchObject({ frozen: true, votes: 8 });
  });

  test('the permission to let others vote is enough to grant the vote', async () => {
    await using portal = await testPortal(kind);
    const electionId = await openElection(portal);
    const corin = await portal.as('corin');
    const voters = (await corin(api.proxies.listVoters, { account: 'EXAMPLE-AU' })).data!.rows;
    const tess = voters.find(({ fullName }) => fullName.startsWith('Tess'))!;
    expect(tess).toMatchObject({ mayVote: false, fixed: null });
    const input = { account: 'EXAMPLE-AU', contactId: tess.contactId };
    expect(await (await portal.as('tess'))(api.proxies.setVoter, { ...input, body: { mayVote: true } })).toMatchObject({ status: 403 });
    await corin(api.proxies.setVoter, { ...input, body: { mayVote: true } });
    const seen = (await (await portal.as('tess'))(api.voting.getMemberVoting, { account: 'EXAMPLE-AU' })).data!;
    const vote = seen.elections.find(election => election.electionId === electionId)!.windows.find(({ kind: of }) => of === 'member-vote')!;
    expect(vote.eligibility!.reason).toBe(null);
    const corporate = voters.find(({ fullName }) => fullName.startsWith('Corin'))!;
    expect(
      await corin(api.proxies.setVoter, { account: 'EXAMPLE-AU', contactId: corporate.contactId, body: { mayVote: false } }),
    ).toMatchObject({ errors: [{ code: 'PERMISSION_NOT_GRANTABLE' }] });
  });
});
