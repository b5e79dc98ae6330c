import { api } from '@portal/contract/api';
import { emptyForm } from '@portal/contract/requests/request-form';
import { type RequestState } from '@portal/contract/requests/life';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { approveByTwo, completePaid, payFee, sendRequest } from '../../../test/deciding-requests.ts';
import { testPortal } from '../../../test/portal.ts';
import { sentFile } from '../../../test/sample-files.ts';

const account = 'EXAMPLE-AU';
const offer = { resources: ['198.18.8.0/22'], recipient: 'OTHER-SG', reason: 'Sold' };
const need = { plan: [{ purpose: 'Hosting', amounts: [256, 512, 768, 1024, 1600] }], network: 'A data centre in Singapore.' };

test('an impossible act is refused with the state and who acts next, not as a change by someone else', async () => {
  await using portal = await testPortal();
  const [corin, olive, stella] = [await portal.as('corin'), await portal.as('olive'), await portal.as('stella')];
  const { requestId, reference } = await sendRequest(corin, account, 'transfer', offer);
  const refused = async (): Promise<string[]> => {
    const { version } = (await stella(api.requestDesk.getStaffRequest, { requestId })).data!;
    const answers = [
      await stella(api.requestDesk.reviewRequest, { requestId }),
      await stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'Which?' } }),
      await stella(api.requestDesk.approveRequest, { requestId, body: { version, note: '', resource: '' } }),
    ];
    return answers.flatMap(({ status, errors }) => (status === 409 ? [`${errors![0]!.code} ${errors![0]!.message}`] : []));
  };
  const waits = (state: string): string => `REQUEST_STATE This isn’t possible now: ${reference} is ${state}`;
  expect(await refused()).toEqual(Array.from({ length: 3 }, () => waits('offered: OTHER-SG acknowledges or declines it')));
  const { version } = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
  await olive(api.requests.acknowledgeTransfer, {
    account: 'OTHER-SG',
    requestId,
    body: { version, form: { ...emptyForm, ...need }, truthful: true },
  });
  await stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'Which contract?', to: 'sender' } });
  const asked = (await stella(api.requestDesk.getStaffRequest, { requestId })).data!;
  const early = await stella(api.requestDesk.approveRequest, { requestId, body: { version: asked.version, note: '', resource: '' } });
  expect(`${early.errors![0]!.code} ${early.errors![0]!.message}`).toBe(waits('waiting for an answer from EXAMPLE-AU'));
  expect(early).toMatchObject({ current: { state: 'needs-info' } });
});

test('the recipient of a merger adds the document that its page lists as required', async () => {
  await using portal = await testPortal();
  const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
  const merger = {
    ...offer,
    resources: ['198.18.64.0 - 198.18.66.255'],
    occasion: 'merger' as const,
    legalName: 'Other Pte. Ltd.',
    startsOn: '2026-10-01',
  };
  const { requestId } = await sendRequest(corin, account, 'acquisition', merger, [await sentFile(corin)]);
  const offered = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
  expect(offered.documents.filter(({ required }) => required)).toHaveLength(1);
  const acknowledge = (documentIds: string[]) =>
    olive(api.requests.acknowledgeTransfer, {
      account: 'OTHER-SG',
      requestId,
      body: { version: offered.version, form: emptyForm, documentIds, truthful: true },
    });
  expect(await acknowledge([])).toMatchObject({ status: 400, errors: [{ field: 'documents' }] });
  expect(await acknowledge([await sentFile(olive)])).toMatchObject({ status: 200, data: { state: 'submitted' } });
});

test('a holder of historical resources can transfer and list them, but can’t request anything else without an agreement', async () => {
  await using portal = await testPortal();
  const [hana, olive] = [await portal.as('hana'), await portal.as('olive')];
  const historical = 'OLDNET-JP';
  const listed = await hana(api.listings.addListing, {
    account: historical,
    body: { kind: 'offer', resource: '198.18.160.0/20', notes: 'Not announced', consent: true },
  });
  expect(listed).toMatchObject({ status: 200 });
  const { requestId, checks } = await sendRequest(hana, historical, 'transfer', { ...offer, resources: ['198.18.128.0/20'] });
  expect(checks.find(({ checkId }) => checkId === 'historical')).toMatchObject({ state: 'review' });
  expect(checks.map(({ checkId }) => checkId)).not.toContain('agreement');
  const { version } = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
  const form = { ...emptyForm, ...need, plan: [{ purpose: 'Hosting', amounts: [4096, 5000, 6000, 7000, 8000] }] };
  const body = { version, form, truthful: true as const };
  expect(await olive(api.requests.acknowledgeTransfer, { account: 'OTHER-SG', requestId, body })).toMatchObject({ status: 200 });
  await approveByTwo(portal, requestId);
  await payFee(portal, requestId);
  await completePaid(portal);
  expect((await hana(api.requests.getRequest, { account: historical, requestId })).data).toMatchObject({ state: 'completed' });
  for (const [kind, given] of [
    ['ipv6', { path: 'end-site', length: 48, startsOn: '2026-12-24', network: 'A campus with two upstream providers.' }],
    ['asn', { multihomed: 'now', neighbours: [{ asn: 'AS64496', name: 'Transit' }], network: 'A campus with two upstream providers.' }],
    ['transfer', { incoming: true, otherRegistry: 'ARIN', legalName: 'Prairie Inc.', resources: ['100.66.0.0/22'], ...need }],
  ] as const)
    await expect(sendRequest(hana, historical, kind, given as object)).rejects.toThrow(/REQUEST_NOT_ALLOWED.*agreement/);
});

test('a colleague can take over a case; the former reviewer is informed, the parties aren’t', async () => {
  await using portal = await testPortal();
  const [corin, stella, stan] = [await portal.as('corin'), await portal.as('stella'), await portal.as('stan')];
  const { requestId, reference } = await sendRequest(corin, account, 'return', {
    resources: ['198.18.64.0/24'],
    reason: 'Closed',
    startsOn: '2026-11-01',
  });
  await stella(api.requestDesk.reviewRequest, { requestId });
  expect(await stella(api.requestDesk.reviewRequest, { requestId })).toMatchObject({ errors: [{ code: 'REQUEST_STATE' }] });
  const before = (await corin(api.requests.getRequest, { account, requestId })).data!.events.length;
  const versionBefore = (await stella(api.requestDesk.getStaffRequest, { requestId })).data!.version;
  const taken = (await stan(api.requestDesk.reviewRequest, { requestId })).data!;
  expect(taken).toMatchObject({ state: 'in-review', reviewer: 'Stan Petrov' });
  expect(taken.events.at(-1)).toMatchObject({ kind: 'in-review', internal: true, words: 'Taken over from Stella Kowalski' });
  expect((await corin(api.requests.getRequest, { account, requestId })).data!.events).toHaveLength(before);
  const { email } = await portal.db.read.selectFrom('login').select('email').where('username', '=', 'stella').executeTakeFirstOrThrow();
  expect((await portal.mailsTo(email)).at(-1)!.subject).toBe(`${reference} (Return 198.18.64.0/24): Stan Petrov took it over`);
  // What was seen before is approved still: the reviewer is no part of it.
  expect(taken.version).toBe(versionBefore);
});

/** States of a transfer, each with the words for the state and who acts next. */
const wordsOf: Record<RequestState, string> = {
  draft: 'a draft until EXAMPLE-AU sends it',
  offered: 'offered: OTHER-SG acknowledges or declines it',
  submitted: 'with the registry, which reviews it next',
  'in-review': 'in review: the registry decides it',
  'needs-info': 'waiting for an answer from EXAMPLE-AU',
  'awaiting-fee': 'approved and waiting for its fee: OTHER-SG pays it',
  'on-hold': 'on hold: registry staff complete or reject it',
  completed: 'completed',
  rejected: 'rejected',
  withdrawn: 'withdrawn',
  declined: 'declined',
  expired: 'expired',
};
const states = Object.keys(wordsOf) as RequestState[];
const open = ['draft', 'offered', 'submitted', 'in-review', 'needs-info', 'awaiting-fee', 'on-hold'] as const satisfies RequestState[];
/** Acts on a transfer, each with its person and possible states. Sending a sent request again returns the same. */
const acts: Record<string, { as: 'corin' | 'olive' | 'stella'; possible: readonly RequestState[] }> = {
  saveRequest: { as: 'corin', possible: ['draft', 'needs-info'] },
  submitRequest: { as: 'corin', possible: ['draft', 'offered', 'submitted', 'in-review', 'awaiting-fee', 'on-hold'] },
  answerRequest: { as: 'corin', possible: ['needs-info'] },
  writeAboutRequest: { as: 'corin', possible: open.filter(state => state !== 'draft') },
  withdrawRequest: { as: 'corin', possible: ['draft', 'offered'] },
  acknowledgeTransfer: { as: 'olive', possible: ['offered'] },
  declineTransfer: { as: 'olive', possible: ['offered'] },
  reviewRequest: { as: 'stella', possible: ['submitted', 'needs-info'] },
  askAboutRequest: { as: 'stella', possible: ['submitted', 'in-review', 'needs-info'] },
  approveRequest: { as: 'stella', possible: ['submitted', 'in-review'] },
  completeTransfer: { as: 'stella', possible: ['awaiting-fee', 'on-hold'] },
  refuseRequest: { as: 'stella', possible: open.filter(state => state !== 'draft') },
};

test('every impossible act on a transfer names the state and who acts next, never “someone else”', async () => {
  await using portal = await testPortal();
  // Cases are put into each state here, whatever state they were in.
  await portal.db.change({ action: 'test', summary: 'States by hand', traceId: '0'.repeat(32) }, change =>
    change.rows(sql`alter table resource_request disable trigger b_follow_life`),
  );
  const people = { corin: await portal.as('corin'), olive: await portal.as('olive'), stella: await portal.as('stella') };
  const { requestId, reference } = await sendRequest(people.corin, account, 'transfer', offer);
  const put = (state: RequestState) =>
    portal.db.change({ action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) }, async change => {
      await change.rows(sql`update resource_request set state = ${state}, fee = ${['awaiting-fee', 'on-hold'].includes(state) ? 100 : null},
        submitted_at = case when ${state} = 'draft' then null else started_at end,
        resolved_at = case when ${(open as readonly string[]).includes(state)} then null else started_at end where resource_request_id = ${Number(requestId)}`);
      await change.rows(sql`update resource_request_question set closed_at = now() where closed_at is null`);
      if (state === 'needs-info')
        await change.rows(sql`insert into resource_request_question (resource_request_id, account_name, words, asked_by, asked_at, answer_by)
          select ${Number(requestId)}, ${account}, 'Which?', login_id, now(), now() + interval '9 days' from login where username = 'stella'`);
    });
  const attempt = async (name: string): Promise<string> => {
    const [row] = await portal.db.read.rows<{ version: number }>(
      sql`select version from resource_request where resource_request_id = ${Number(requestId)}`,
    );
    const { version } = row!;
    const [mine, theirs] = [
      { account, requestId },
      { account: 'OTHER-SG', requestId },
    ];
    const { corin, olive, stella } = people;
    const calls: Record<string, () => Promise<{ status: number; errors?: { code: string; message: string }[] }>> = {
      saveRequest: () => corin(api.requests.saveRequest, { ...mine, body: { version, form: { ...emptyForm, ...offer }, documentIds: [] } }),
      submitRequest: () => corin(api.requests.submitRequest, { ...mine, body: { version, truthful: true } }),
      answerRequest: () => corin(api.requests.answerRequest, { ...mine, body: { version, answer: 'This', documentIds: [] } }),
      writeAboutRequest: () => corin(api.requests.writeAboutRequest, { ...mine, body: { words: 'Hello', documentIds: [] } }),
      withdrawRequest: () => corin(api.requests.withdrawRequest, mine),
      acknowledgeTransfer: () =>
        olive(api.requests.acknowledgeTransfer, { ...theirs, body: { version, form: { ...emptyForm, ...need }, truthful: true } }),
      declineTransfer: () => olive(api.requests.declineTransfer, { ...theirs, body: { version, reason: '' } }),
      reviewRequest: () => stella(api.requestDesk.reviewRequest, { requestId }),
      askAboutRequest: () => stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'Which?', to: 'sender' } }),
      approveRequest: () => stella(api.requestDesk.approveRequest, { requestId, body: { version, note: '', resource: '' } }),
      completeTransfer: () => stella(api.requestDesk.completeTransfer, { requestId, body: { version } }),
      refuseRequest: () => stella(api.requestDesk.refuseRequest, { requestId, body: { reason: 'No' } }),
    };
    const { status, errors } = await calls[name]!();
    return errors ? `${status} ${errors[0]!.code} ${errors[0]!.message}` : `${status}`;
  };
  let tried = 0;
  for (const state of states) {
    await put(state);
    for (const [name, { as, possible }] of Object.entries(acts)) {
      if (possible.includes(state)) continue;
      tried++;
      const isOver = !(open as readonly RequestState[]).includes(state);
      // Only its own account sees a draft. A closed case waits for no one.
      const expected =
        state === 'draft' && as !== 'corin'
          ? '404 NOT_FOUND The request wasn’t found'
          : isOver && as === 'stella'
            ? '409 ALREADY_RESOLVED The request was already resolved'
            : `409 REQUEST_STATE This isn’t possible now: ${reference} is ${wordsOf[state]}`;
      expect(`${name} while ${state}: ${await attempt(name)}`).toBe(`${name} while ${state}: ${expected}`);
    }
  }
  expect(tried).toBeGreaterThan(90);
});
