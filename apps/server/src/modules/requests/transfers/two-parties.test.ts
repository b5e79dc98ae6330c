import { api } from '@portal/contract/api';
import { emptyForm, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { approveAlone } from '../../../../test/deciding-requests.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../../test/portal.ts';
import { addDemoPools } from '../../resources/demo-pools.ts';
import { runRequestDeadlines } from '../request-deadlines.ts';

type Person = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';
const offer = { resources: ['198.18.8.0/22'], recipient: 'OTHER-SG', reason: 'We sold the data centre' };
const plan = {
  plan: [{ purpose: 'Hosting', amounts: [256, 512, 768, 1024, 1600] }],
  network: 'A server room in Singapore with two upstreams.',
};

/** Saves a draft and sends it. */
async function send(person: Person, of: string, kind: RequestKind, form: Partial<RequestForm>) {
  const { requestId, version } = (await person(api.requests.startRequest, { account: of, body: { kind } })).data!;
  const saved = await person(api.requests.saveRequest, { account: of, requestId, body: { version, form: { ...emptyForm, ...form } } });
  expect(saved).toMatchObject({ status: 200 });
  const sent = await person(api.requests.submitRequest, { account: of, requestId, body: { version: saved.data!.version, truthful: true } });
  return { requestId, version: sent.data?.version ?? saved.data!.version, sent };
}
const change = { action: 'demo.prepare', summary: 'Prepared', traceId: '0'.repeat(32) };

describe.each(kindsForRules)('the two parties of a transfer on %s', kind => {
  test('neither learns about the other: fees, plans, private registrations, reasons', async () => {
    await using portal = await testPortal(kind);
    const [corin, olive, stella] = [await portal.as('corin'), await portal.as('olive'), await portal.as('stella')];
    const { requestId, version } = await send(corin, account, 'transfer', { ...offer, withRegistrations: true });
    await portal.db.change(change, async db => {
      await db.rows(sql`update assignment set visibility = 'private', netname = 'SECRET-CUSTOMER' where resource = '198.18.8.0/24'`);
    });
    const seen = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
    expect(JSON.stringify(seen)).not.toMatch(/SECRET-CUSTOMER|data centre|every invoice|\bmailbox|agreement|you keep/i);
    expect(seen.plan!.effects.map(({ today }) => today)).toContain('Private registration');
    expect(seen.checks.map(({ checkId }) => checkId)).toContain('source');
    // Hidden values can't be searched by.
    const found = async (q: string) =>
      (await olive(api.requests.listRequests, { account: 'OTHER-SG', query: { q } })).data!.rows.map(row => row.requestId);
    expect(await found('sold the data')).toEqual([]);
    expect(await found('198.18.8.0')).toEqual([requestId]);
    await olive(api.requests.acknowledgeTransfer, {
      account: 'OTHER-SG',
      requestId,
      body: { version, form: { ...emptyForm, ...plan }, truthful: true },
    });
    const theirs = (await corin(api.requests.getRequest, { account, requestId })).data!;
    expect(JSON.stringify(theirs)).not.toMatch(/1\u00a0600|overdue at/);
    expect(theirs.checks.find(({ checkId }) => checkId === 'recipient')).toMatchObject({ state: 'met' });
    // Registry staff see all of it.
    const desk = (await stella(api.requestDesk.getStaffRequest, { requestId })).data!;
    expect(JSON.stringify(desk)).toMatch(/1\u00a0600 addresses planned/);
    expect(JSON.stringify(desk)).toContain('SECRET-CUSTOMER');
  });

  test('while the registry asks, the sender can’t change what the recipient acknowledged', async () => {
    await using portal = await testPortal(kind);
    const [corin, olive, stella] = [await portal.as('corin'), await portal.as('olive'), await portal.as('stella')];
    const { requestId, version } = await send(corin, account, 'transfer', { ...offer, withRegistrations: true, withRoas: true });
    await olive(api.requests.acknowledgeTransfer, {
      account: 'OTHER-SG',
      requestId,
      body: { version, form: { ...emptyForm, ...plan }, truthful: true },
    });
    await stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'Which contract?', to: 'sender' } });
    const asked = (await corin(api.requests.getRequest, { account, requestId })).data!;
    const saved = await corin(api.requests.saveRequest, {
      account,
      requestId,
      body: {
        version: asked.version,
        form: {
          ...asked.form,
          resources: ['198.18.0.0/19'],
          recipient: 'KELP-WS',
          withRegistrations: false,
          withRoas: false,
          reason: 'Contract 4',
        },
      },
    });
    expect(saved.data!.form).toMatchObject({ ...offer, withRegistrations: true, withRoas: true, reason: 'Contract 4' });
  });

  test('the recipient acknowledges the plan it read: a changed plan is refused, and shown', async () => {
    await using portal = await testPortal(kind);
    const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
    const { requestId } = await send(corin, account, 'transfer', { ...offer, withRegistrations: true });
    const read = async () => (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
    const acknowledge = (version: number) =>
      olive(api.requests.acknowledgeTransfer, {
        account: 'OTHER-SG',
        requestId,
        body: { version, form: { ...emptyForm, ...plan }, truthful: true },
      });
    const seen = await read();
    const route = 'route: 198.18.9.0/24\ndescr: Added late\norigin: AS65536\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n';
    const added = await corin(api.whois.uploadText, { account, body: { text: route, dryRun: false } });
    expect(added.data!.outcomes!.map(({ state }) => state)).toEqual(['ok']);
    const refused = await acknowledge(seen.version);
    const shown = await read();
    expect(refused).toMatchObject({ status: 412, errors: [{ code: 'STALE' }], current: { version: shown.version, state: 'offered' } });
    expect(shown.plan!.effects.map(({ name }) => name)).toContain('198.18.9.0/24AS65536');
    expect(await acknowledge(shown.version)).toMatchObject({ status: 200 });
  });

  test('overlapping resources are refused before anything is locked, and drafts may contain invalid ones', async () => {
    await using portal = await testPortal(kind);
    const corin = await portal.as('corin');
    for (const resources of [
      ['198.18.8.0/22', '198.18.8.0/22'],
      ['198.18.8.0/22', '198.18.8.0 - 198.18.9.255'],
    ]) {
      const { sent, requestId } = await send(corin, account, 'transfer', { ...offer, resources });
      expect(sent).toMatchObject({
        status: 400,
        errors: [{ field: 'resources.1', message: expect.stringContaining('overlaps') as string }],
      });
      await corin(api.requests.withdrawRequest, { account, requestId });
    }
    const { sent, requestId } = await send(corin, account, 'return', {
      resources: ['198.18.64.0/24', 'nonsense'],
      startsOn: '2026-11-01',
      reason: 'x',
    });
    expect(sent).toMatchObject({ status: 400, errors: [{ field: 'resources.1' }] });
    expect(
      (await corin(api.requests.getRequest, { account, requestId })).data!.checks.find(({ checkId }) => checkId === 'holder'),
    ).toMatchObject({ state: 'unmet', known: 'Not held: nonsense' });
    const locked = await portal.db.read.rows(
      sql`select 1 from delegation where account_name = ${account} and status in ('locked', 'closing')`,
    );
    expect(locked).toEqual([]);
  });

  test('a block held for a request has the requested size, even after it was changed', async () => {
    await using portal = await testPortal(kind);
    await portal.db.change(change, db => addDemoPools(db));
    const [max, stella] = [await portal.as('max'), await portal.as('stella')];
    const form = {
      path: 'lir' as const,
      length: 23,
      providerSpace: '100.64.0.0/24',
      plan: [{ purpose: 'Access', amounts: [512, 512, 512] }],
      network: 'Two cities, one border router each.',
    };
    const { requestId } = await send(max, 'CORAL-KI', 'ipv4', form);
    const held = (await stella(api.requestDesk.reviewRequest, { requestId })).data!;
    expect(held.proposed!.resource).toMatch(/\/23$/);
    await stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'Is a /24 enough?' } });
    const asked = (await max(api.requests.getRequest, { account: 'CORAL-KI', requestId })).data!;
    const saved = await max(api.requests.saveRequest, {
      account: 'CORAL-KI',
      requestId,
      body: { version: asked.version, form: { ...asked.form, length: 24 } },
    });
    const answered = await max(api.requests.answerRequest, {
      account: 'CORAL-KI',
      requestId,
      body: { version: saved.data!.version, answer: 'Yes' },
    });
    expect(answered).toMatchObject({ data: { state: 'in-review', asked: 'IPv4 /24' } });
    const again = (await stella(api.requestDesk.getStaffRequest, { requestId })).data!;
    expect(again.proposed).toMatchObject({ held: true, resource: expect.stringMatching(/\/24$/) as string });
    const decided = (await approveAlone(portal, requestId)).data!;
    expect(decided.resources).toEqual([expect.stringMatching(/\/24$/)]);
    const left = await portal.db.read.rows(sql`select 1 from pool where held_for is not null`);
    expect(left).toEqual([]);
  });

  test('an offer ends when the account of either party closes, and the space is free again', async () => {
    await using portal = await testPortal(kind);
    const corin = await portal.as('corin');
    const { requestId } = await send(corin, account, 'transfer', offer);
    await portal.db.change(change, db => db.rows(sql`update account set account_status = 'closed' where account_name = 'OTHER-SG'`));
    await runRequestDeadlines(portal.db, new Date(), portal.context.profile);
    await runRequestDeadlines(portal.db, new Date(), portal.context.profile);
    expect((await corin(api.requests.getRequest, { account, requestId })).data).toMatchObject({ state: 'expired' });
    const locked = await portal.db.read.rows(sql`select 1 from delegation where account_name = ${account} and status = 'locked'`);
    expect(locked).toEqual([]);
    expect((await portal.mailsTo('corin@example-au.example')).filter(({ subject }) => subject.includes('ended: '))).toHaveLength(1);
  });

  test('an answer with an incomplete form is refused, with the fields', async () => {
    await using portal = await testPortal(kind);
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const { requestId } = await send(corin, account, 'asn', {
      multihomed: 'now',
      neighbours: [{ asn: 'AS64496', name: 'Transit' }],
      network: 'Two upstreams and an exchange point.',
      reason: 'Another routing policy',
    });
    await stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'Which routers?' } });
    const asked = (await corin(api.requests.getRequest, { account, requestId })).data!;
    const { data } = await corin(api.requests.saveRequest, {
      account,
      requestId,
      body: { version: asked.version, form: { ...asked.form, neighbours: [] } },
    });
    const answer = { version: data!.version, answer: 'Two' };
    expect(await corin(api.requests.answerRequest, { account, requestId, body: answer })).toMatchObject({
      status: 400,
      errors: [{ field: 'neighbours' }],
    });
  });

  test('of two people who decide at the same moment one wins, and the other gets a refusal', async () => {
    await using portal = await testPortal(kind);
    const [corin, olive, stella, stan] = [
      await portal.as('corin'),
      await portal.as('olive'),
      await portal.as('stella'),
      await portal.as('stan'),
    ];
    const { requestId, version } = await send(corin, account, 'transfer', offer);
    const acknowledge = olive(api.requests.acknowledgeTransfer, {
      account: 'OTHER-SG',
      requestId,
      body: { version, form: { ...emptyForm, ...plan }, truthful: true },
    });
    const withdraw = corin(api.requests.withdrawRequest, { account, requestId });
    const both = await Promise.all([acknowledge, withdraw]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)[0]).toBe(200);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const again = await send(corin, account, 'return', { resources: ['198.18.64.0/24'], startsOn: '2026-11-01', reason: 'Closed' });
    await approveAlone(portal, again.requestId);
    const [proposal] = (await stan(api.proposals.listStaffProposals, {})).data!.waiting;
    const confirm = () =>
      stan(api.proposals.approveStaffProposal, { proposalId: proposal!.proposalId, body: { fingerprint: proposal!.fingerprint } });
    const decisions = await Promise.all([
      confirm(),
      stella(api.requestDesk.refuseRequest, { requestId: again.requestId, body: { reason: 'No' } }),
      confirm(),
    ]);
    expect(decisions.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, errors } of decisions) if (status !== 200) expect(errors![0]!.code).toBe('ALREADY_RESOLVED');
  });
});
