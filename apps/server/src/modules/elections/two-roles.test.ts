import { api } from '@portal/contract/api';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { exampleElection, inDays } from '../../../test/example-election.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { giveStaffRole, takeStaffRoles } from '../../../test/staff-roles.ts';
import { addElection, publishElection } from './elections.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const scrutineers = ['Dora Nwosu', 'Ravi Menon', 'Vera Lund'];

/** A council election in which members vote, and appoint proxies, now. */
const runningElection = (portal: TestPortal): Promise<string> =>
  portal.db.change(line, async change => {
    const windows = [
      { kind: 'proxy-appoint' as const, opensAt: inDays(-3), closesAt: inDays(2), url: '' },
      { kind: 'member-vote' as const, opensAt: inDays(-3), closesAt: inDays(7), url: 'https://vote.registry.example' },
      { kind: 'proxy-vote' as const, opensAt: inDays(5), closesAt: inDays(7), url: 'https://vote.registry.example' },
    ];
    const { electionId, version } = await addElection({ change, body: exampleElection({ windows }) });
    await publishElection({
      change,
      params: { electionId },
      body: { version },
      publishedAt: new Date(instantAfter(Date.now(), -5 * DAY_MS)),
    });
    return electionId;
  });

/** Approves the last act that waits, as someone sees it. */
async function approveLast(portal: TestPortal, name: string) {
  const person = await portal.as(name);
  const { proposalId, fingerprint } = (await (await portal.as('vera'))(api.proposals.listStaffProposals, {})).data!.waiting.at(-1)!;
  return person(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } });
}

describe.each(kindsForRules)('acts of two roles on elections, on %s', kind => {
  const acts = {
    publish: async (portal: TestPortal) => {
      const stella = await portal.as('stella');
      const windows = [{ kind: 'member-vote' as const, opensAt: inDays(1), closesAt: inDays(7), url: 'https://vote.registry.example' }];
      const { electionId, version } = (await stella(api.elections.addElection, { body: exampleElection({ windows }) })).data!;
      return stella(api.elections.publishElection, { electionId, body: { version } });
    },
    extend: async (portal: TestPortal) => {
      const electionId = await runningElection(portal);
      const stella = await portal.as('stella');
      const { version, windows } = (await stella(api.elections.getElection, { electionId })).data!;
      const longer = windows.map(({ kind: of, opensAt, closesAt, url }) => ({
        kind: of,
        opensAt,
        closesAt: of === 'member-vote' ? inDays(9) : closesAt,
        url,
      }));
      return stella(api.elections.changeElection, { electionId, body: { ...exampleElection({ windows: longer }), version } });
    },
    cancel: async (portal: TestPortal) => {
      const electionId = await runningElection(portal);
      const stella = await portal.as('stella');
      const { version } = (await stella(api.elections.getElection, { electionId })).data!;
      return stella(api.elections.cancelElection, { electionId, body: { version, reason: 'A seat is gone' } });
    },
    void: async (portal: TestPortal) => {
      const electionId = await runningElection(portal);
      const body = { fullName: 'Paul Proxy', email: 'paul@proxy.example', emailAgain: 'paul@proxy.example', authorised: true as const };
      const { proxyId } = (await (await portal.as('corin'))(api.proxies.appointProxy, { account: 'EXAMPLE-AU', electionId, body })).data!;
      return (await portal.as('stella'))(api.proxies.voidProxy, { proxyId, body: { reason: 'Forged' } });
    },
  };

  test.each(Object.keys(acts) as (keyof typeof acts)[])(
    '%s: by the one who asked, or a colleague of the same role, it is not done',
    async act => {
      await using portal = await testPortal(kind);
      const answer = await acts[act](portal);
      expect(answer).toMatchObject({
        errors: [{ code: 'SECOND_PERSON', message: expect.stringMatching(/Dora Nwosu, Ravi Menon,? or Vera Lund can approve it until/) }],
        current: { isMine: true, waitsFor: scrutineers, needsRole: null },
      });
      // Those who can approve it get an e-mail that leads to the page of the election.
      const mail = (await portal.mailsTo('vera@registry.example')).at(-1)!;
      expect(mail.subject).toMatch(
        /^Waiting for a second person: .*“Council now”|^Waiting for a second person: Void the proxy of Paul Proxy/,
      );
      const [sent] = await portal.db.read.rows<{ path: string; act: string }>(
        sql`select path, act from mail where recipient = 'vera@registry.example' order by mail_id desc limit 1`,
      );
      expect(sent).toEqual({ path: expect.stringMatching(/^\/desk\/elections\?election=\d+$/), act: 'Approve or reject' });
      expect(await approveLast(portal, 'stella')).toMatchObject({ errors: [{ code: 'OWN_REQUEST' }] });
      expect(await approveLast(portal, 'stan')).toMatchObject({
        errors: [{ code: 'NO_STAFF_PERMISSION', message: expect.stringContaining('“Observe elections”') }],
      });
      // A colleague of the same role sees that it waits, and for whom; an auditor reads it.
      for (const name of ['stan', 'audra'])
        expect((await (await portal.as(name))(api.proposals.listStaffProposals, {})).data!.waiting.at(-1)).toMatchObject({
          isMine: false,
          needsRole: '“Observe elections”',
          waitsFor: scrutineers,
        });
      // One person with both roles is no second person, for themselves or for others.
      for (const name of ['stella', 'stan']) await giveStaffRole(portal.db, name, 'scrutineer');
      expect(await approveLast(portal, 'stella')).toMatchObject({ errors: [{ code: 'OWN_REQUEST' }] });
      expect(await approveLast(portal, 'stan')).toMatchObject({
        errors: [{ code: 'SAME_ROLE', message: expect.stringMatching(/^You hold “Set up elections”, as Stella Kowalski does\. /) }],
      });
      expect(await approveLast(portal, 'vera')).toMatchObject({ status: 200, data: { state: 'approved', decidedBy: 'Vera Lund' } });
    },
  );

  test('repeating a vote is asked for by a returning officer, and approved by a scrutineer who is none', async () => {
    await using portal = await testPortal(kind);
    const electionId = await runningElection(portal);
    const dora = await portal.as('dora');
    const { version } = (await dora(api.elections.getElection, { electionId })).data!;
    const repeat = () => dora(api.electionOptions.resetElection, { electionId, body: { version, reason: 'A name was missing' } });
    expect(await repeat()).toMatchObject({ errors: [{ code: 'SECOND_PERSON' }], current: { waitsFor: ['Vera Lund'] } });
    expect(await approveLast(portal, 'dora')).toMatchObject({ errors: [{ code: 'OWN_REQUEST' }] });
    // Returning officers observe elections too, and are of the same role.
    expect(await approveLast(portal, 'ravi')).toMatchObject({ errors: [{ code: 'SAME_ROLE' }] });
    expect(await approveLast(portal, 'stella')).toMatchObject({ errors: [{ code: 'NO_STAFF_PERMISSION' }] });
    const generation = async () => (await dora(api.elections.getElection, { electionId })).data!.generation;
    expect(await generation()).toBe(1);
    // A scrutineer who has become a returning officer meanwhile is none any more.
    await giveStaffRole(portal.db, 'vera', 'returning-officer');
    expect(await approveLast(portal, 'vera')).toMatchObject({ errors: [{ code: 'SAME_ROLE' }] });
    await takeStaffRoles(portal.db, 'vera');
    expect(await repeat()).toMatchObject({
      errors: [
        { code: 'NO_SECOND_PERSON', message: expect.stringContaining('with “Observe elections” and without “Count and repeat elections”') },
      ],
    });
    await giveStaffRole(portal.db, 'vera', 'scrutineer');
    expect((await approveLast(portal, 'vera')).errors).toBe(undefined);
    expect(await generation()).toBe(2);
  });

  test('what an act was approved for is done, and nothing else', async () => {
    await using portal = await testPortal(kind);
    const electionId = await runningElection(portal);
    const stella = await portal.as('stella');
    const { version } = (await stella(api.elections.getElection, { electionId })).data!;
    await stella(api.elections.cancelElection, { electionId, body: { version, reason: 'A seat is gone' } });
    // The election has changed since: the approval is refused with it, and nothing is done.
    await portal.db.change(line, change =>
      change
        .updateTable('election')
        .set({ version: version + 1 })
        .where('electionId', '=', Number(electionId))
        .execute(),
    );
    expect(await approveLast(portal, 'vera')).toMatchObject({ status: 412, errors: [{ code: 'STALE' }] });
    expect((await stella(api.elections.getElection, { electionId })).data!.state).toBe('published');
    // Nor is an act of someone whose role has ended.
    await stella(api.elections.cancelElection, { electionId, body: { version: version + 1, reason: 'A seat is gone' } });
    await takeStaffRoles(portal.db, 'stella');
    expect(await approveLast(portal, 'vera')).toMatchObject({ errors: [{ code: 'NO_PERMISSION' }] });
  });
});
