import { api } from '@portal/contract/api';
import { DAY_MS, daysAfter, utcDay } from '@portal/contract/days';
import { emptyForm, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { approveAlone, approveByTwo, completePaid, confirmLast, issueFees, payFee } from '../../../test/deciding-requests.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { sentFile } from '../../../test/sample-files.ts';
import { ledgerOf } from '../billing/invoices/ledger.ts';
import { checkInvariants } from '../../platform/invariants.ts';
import { runRequestDeadlines } from './request-deadlines.ts';

const account = 'EXAMPLE-AU';
const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
const offer = { resources: ['198.18.8.0/22'], recipient: 'OTHER-SG', reason: 'Not needed any more' };
const answers = { plan: [{ purpose: 'Hosting', amounts: [256, 512, 768, 1024, 1600] }], network: 'A data centre in Singapore.' };

/** Sends a case of the example account. */
async function send(portal: TestPortal, kind: RequestKind, form: Partial<RequestForm>): Promise<string> {
  const corin = await portal.as('corin');
  const { requestId, version } = (await corin(api.requests.startRequest, { account, body: { kind } })).data!;
  const documentIds = kind === 'acquisition' ? [await sentFile(corin)] : [];
  const saved = await corin(api.requests.saveRequest, {
    account,
    requestId,
    body: { version, form: { ...emptyForm, ...form }, documentIds },
  });
  const sent = await corin(api.requests.submitRequest, { account, requestId, body: { version: saved.data!.version, truthful: true } });
  expect(sent).toMatchObject({ status: 200 });
  return requestId;
}

/** A transfer that its recipient acknowledged. */
async function acknowledged(portal: TestPortal, form: Partial<RequestForm> = {}, kind: RequestKind = 'transfer'): Promise<string> {
  const requestId = await send(portal, kind, { ...offer, ...form });
  const olive = await portal.as('olive');
  const { version } = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
  const documentIds = kind === 'acquisition' ? [await sentFile(olive)] : [];
  const body = { version, form: { ...emptyForm, ...answers }, documentIds, truthful: true as const };
  expect(await olive(api.requests.acknowledgeTransfer, { account: 'OTHER-SG', requestId, body })).toMatchObject({ status: 200 });
  return requestId;
}
const sendReturn = (portal: TestPortal): Promise<string> =>
  send(portal, 'return', { resources: ['198.18.64.0/24'], reason: 'Network closed', startsOn: '2026-11-01' });
const stateOf = async (portal: TestPortal, requestId: string) =>
  (await (await portal.as('stella'))(api.requestDesk.getStaffRequest, { requestId })).data!;
const invoicesOf = async (portal: TestPortal, accountName: string) =>
  (await (await portal.as('stella'))(api.billing.getStaffBilling, { accountName })).data!;
const lockedOf = (portal: TestPortal) =>
  portal.db.read.rows(sql`select 1 from delegation where account_name = ${account} and status in ('locked', 'closing')`);

describe.each(kindsForRules)('changes of holder on %s', kind => {
  test('a return takes two members of staff: the second one sees what leaves which account, and nothing happens before that', async () => {
    await using portal = await testPortal(kind);
    const requestId = await sendReturn(portal);
    const proposed = await approveAlone(portal, requestId, { note: 'Thank you' });
    expect(proposed).toMatchObject({ status: 409, errors: [{ code: 'SECOND_PERSON' }], current: { isMine: true, state: 'pending' } });
    expect(await stateOf(portal, requestId)).toMatchObject({ state: 'submitted', proposal: { proposedBy: 'Stella Kowalski' } });
    const stan = await portal.as('stan');
    const [waiting] = (await stan(api.proposals.listStaffProposals, {})).data!.waiting;
    expect(waiting).toMatchObject({
      accountName: account,
      isMine: false,
      what: `Return REQ-${requestId}: 198.18.64.0/24 of ${account}`,
      link: `/desk/requests/transfers-${requestId}`,
    });
    const stans = (await portal.db.read.selectFrom('login').select('email').where('username', '=', 'stan').executeTakeFirstOrThrow()).email;
    const mail = (await portal.mailsTo(stans)).at(-1)!;
    expect(mail.subject).toBe(`Waiting for a second person: ${waiting!.what}`);
    // The case itself has the button, for the proposal that the approval confirms.
    expect((await stateOf(portal, requestId)).proposal).toMatchObject({ proposalId: waiting!.proposalId });
    expect(waiting!.shown).toEqual(
      expect.arrayContaining([
        { label: 'Resources', value: '198.18.64.0/24' },
        { label: 'From', value: account },
        { label: 'Note', value: 'Thank you' },
      ]),
    );
    expect(await confirmLast(portal, 'stella')).toMatchObject({ status: 403, errors: [{ code: 'OWN_REQUEST' }] });
    expect(await confirmLast(portal)).toMatchObject({ status: 200, data: { state: 'approved', decidedBy: 'Stan Petrov' } });
    expect(await stateOf(portal, requestId)).toMatchObject({ state: 'completed', decidedBy: 'Stella Kowalski', proposal: null });
  });

  test('approving a case that was changed, withdrawn or rejected meanwhile does nothing', async () => {
    await using portal = await testPortal(kind);
    const [stella, corin] = [await portal.as('stella'), await portal.as('corin')];
    const requestId = await sendReturn(portal);
    expect(await stella(api.requestDesk.approveRequest, { requestId, body: { version: 999 } })).toMatchObject({
      errors: [{ code: 'STALE' }],
    });
    await approveAlone(portal, requestId);
    await stella(api.requestDesk.askAboutRequest, { requestId, body: { question: 'All of it?' } });
    const asked = (await corin(api.requests.getRequest, { account, requestId })).data!;
    await corin(api.requests.answerRequest, { account, requestId, body: { version: asked.version, answer: 'Yes' } });
    expect(await confirmLast(portal)).toMatchObject({ status: 412, errors: [{ code: 'STALE' }] });
    expect(await stateOf(portal, requestId)).toMatchObject({ state: 'in-review' });
    await approveAlone(portal, requestId);
    await corin(api.requests.withdrawRequest, { account, requestId });
    expect(await confirmLast(portal)).toMatchObject({ errors: [{ code: 'ALREADY_RESOLVED' }] });
    expect(await lockedOf(portal)).toEqual([]);
  });

  test('a return is carried out from the day its holder named, because its networks are announced until then', async () => {
    let days = 0;
    await using portal = await testPortal(kind, {}, () => new Date(Date.now() + days * DAY_MS));
    const startsOn = daysAfter(utcDay(Date.now()), 3);
    const requestId = await send(portal, 'return', { resources: ['198.18.64.0/24'], reason: 'Network closed', startsOn });
    const seen = await stateOf(portal, requestId);
    expect(await approveAlone(portal, requestId)).toMatchObject({
      status: 409,
      errors: [{ code: 'NOT_BEFORE', message: expect.stringContaining(`REQ-${requestId} can be carried out on`) }],
    });
    expect(await stateOf(portal, requestId)).toMatchObject({ state: 'submitted', proposal: null });
    expect(seen).toMatchObject({ workingHours: 0, late: false, notBefore: startsOn });
    // The queue counts its waiting time from then on.
    const listed = async () =>
      (await (await portal.as('stella'))(api.desk.listRequests, { query: { q: `REQ-${requestId}` } })).data!.rows[0]!;
    expect((await listed()).dueAt! > startsOn).toBe(true);
    days = 2.9;
    expect((await listed()).late).toBe(false);
    days = 4;
    expect(await stateOf(portal, requestId)).toMatchObject({ notBefore: null });
    expect(await approveByTwo(portal, requestId)).toMatchObject({ state: 'completed' });
  });

  test('the second person can’t be a contact of the recipient either', async () => {
    await using portal = await testPortal(kind);
    const requestId = await acknowledged(portal);
    await approveAlone(portal, requestId);
    await portal.db.change(line, change =>
      change.rows(sql`update contact set login_id = (select login_id from login where username = 'stan')
        where account_name = 'OTHER-SG' and login_id = (select login_id from login where username = 'olive')`),
    );
    expect(await confirmLast(portal)).toMatchObject({ status: 403, errors: [{ code: 'OWN_REQUEST' }] });
    expect(await stateOf(portal, requestId)).toMatchObject({ state: 'submitted' });
  });

  test('one hostmaster can decide alone if the profile says so', async () => {
    await using portal = await testPortal(kind);
    portal.context.profile.holderChangesAlone = true;
    try {
      const requestId = await sendReturn(portal);
      expect(await approveAlone(portal, requestId)).toMatchObject({ data: { state: 'completed' } });
    } finally {
      portal.context.profile.holderChangesAlone = false;
    }
  });
});

describe.each(kindsForRules)('transfer fees on %s', kind => {
  test('the invoice goes to the recipient; a part payment doesn’t complete the transfer, full payment does', async () => {
    await using portal = await testPortal(kind);
    const [stella, olive, corin] = [await portal.as('stella'), await portal.as('olive'), await portal.as('corin')];
    const requestId = await acknowledged(portal);
    const { version } = await approveByTwo(portal, requestId);
    expect(await stella(api.requestDesk.completeTransfer, { requestId, body: { version } })).toMatchObject({
      errors: [{ code: 'FEE_UNPAID' }],
    });
    await issueFees(portal);
    await issueFees(portal);
    const { invoices } = await invoicesOf(portal, 'OTHER-SG');
    const [invoice, ...others] = invoices.filter(({ kind: of }) => of === 'transfer');
    expect(others).toEqual([]);
    expect(invoice!.lines[0]!.description).toBe(`Transfer fee: 198.18.8.0/22, REQ-${requestId}`);
    const seen = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
    expect(seen.due).toMatchObject({ payer: 'OTHER-SG', paidOn: null, invoice: { number: invoice!.number, total: invoice!.total } });
    expect((await corin(api.requests.getRequest, { account, requestId })).data!.due).toMatchObject({ payer: 'OTHER-SG', invoice: null });
    expect(await stella(api.billing.cancelInvoice, { invoiceNumber: invoice!.number, body: { reason: 'No' } })).toMatchObject({
      errors: [{ code: 'INVOICE_SETTLED' }],
    });
    const { expiryDate } = await invoicesOf(portal, 'OTHER-SG');
    const pay = (amount: string) =>
      stella(api.billing.recordPayment, {
        invoiceNumber: invoice!.number,
        body: { amount, receivedOn: invoice!.issuedOn, reference: `TT ${amount}` },
      });
    await pay('1.00');
    await completePaid(portal);
    expect(await stateOf(portal, requestId)).toMatchObject({ state: 'awaiting-fee' });
    await pay((Number(invoice!.total) - 1).toFixed(2));
    await Promise.all([completePaid(portal), completePaid(portal)]);
    expect(await stateOf(portal, requestId)).toMatchObject({ state: 'completed', due: { paidOn: invoice!.issuedOn } });
    // A transfer renews no membership.
    expect((await invoicesOf(portal, 'OTHER-SG')).expiryDate).toBe(expiryDate);
  });

  test('without payment the transfer expires, its invoice is cancelled, and what was paid becomes credit', async () => {
    await using portal = await testPortal(kind);
    const stella = await portal.as('stella');
    const requestId = await acknowledged(portal);
    await approveByTwo(portal, requestId);
    await issueFees(portal);
    const { number, total } = (await stateOf(portal, requestId)).due!.invoice!;
    const before = (await invoicesOf(portal, 'OTHER-SG')).credit;
    const { today } = await invoicesOf(portal, 'OTHER-SG');
    await stella(api.billing.recordPayment, { invoiceNumber: number, body: { amount: '25.00', receivedOn: today, reference: 'TT part' } });
    await runRequestDeadlines(portal.db, new Date(Date.now() + 61 * DAY_MS), portal.context.profile);
    expect(await stateOf(portal, requestId)).toMatchObject({ state: 'expired' });
    const after = await invoicesOf(portal, 'OTHER-SG');
    expect(after.invoices.find(each => each.number === number)).toMatchObject({ state: 'cancelled', total });
    expect(Number(after.credit) - Number(before)).toBe(25);
    expect((await checkInvariants(portal.context, null)).filter(({ violations }) => violations.length > 0)).toEqual([]);
    expect(await lockedOf(portal)).toEqual([]);

    // The credit pays a part of the next fee, and comes back again.
    const again = await acknowledged(portal);
    await approveByTwo(portal, again);
    await issueFees(portal);
    expect((await invoicesOf(portal, 'OTHER-SG')).credit).toBe('0.00');
    await runRequestDeadlines(portal.db, new Date(Date.now() + 61 * DAY_MS), portal.context.profile);
    expect((await invoicesOf(portal, 'OTHER-SG')).credit).toBe(after.credit);
    const side = (await ledgerOf(portal.db.read, 'OTHER-SG')).reduce((sum, { credit }) => sum + Number(credit), 0);
    expect(side).toBe(-Number(after.credit));
    expect((await checkInvariants(portal.context, null)).filter(({ violations }) => violations.length > 0)).toEqual([]);
  });

  test('a paid transfer that can no longer be completed is put on hold with the reason, and staff complete it once that is possible', async () => {
    await using portal = await testPortal(kind);
    const stella = await portal.as('stella');
    const requestId = await acknowledged(portal);
    await approveByTwo(portal, requestId);
    await payFee(portal, requestId);
    const setStatus = (status: string) =>
      portal.db.change(line, change => change.rows(sql`update account set account_status = ${status} where account_name = 'OTHER-SG'`));
    await setStatus('suspended');
    await completePaid(portal);
    await completePaid(portal);
    const held = await stateOf(portal, requestId);
    expect(held.state).toBe('on-hold');
    expect(held.events.filter(({ kind: of }) => of === 'on-hold').map(({ party }) => party)).toEqual([account, 'OTHER-SG']);
    expect((await portal.mailsTo('corin@example-au.example')).at(-1)!.subject).toContain('on hold');
    await setStatus('open');
    expect(await stella(api.requestDesk.completeTransfer, { requestId, body: { version: held.version - 1 } })).toMatchObject({
      errors: [{ code: 'STALE' }],
    });
    expect(await stella(api.requestDesk.completeTransfer, { requestId, body: { version: held.version } })).toMatchObject({
      data: { state: 'completed' },
    });
  });

  test('a share of zero waives the fee, and a merger costs what the profile says', async () => {
    await using portal = await testPortal(kind);
    const policy = portal.context.profile.requestPolicy;
    const { transferFeeShare, acquisitionFee } = policy;
    try {
      policy.transferFeeShare = '0';
      expect(await approveByTwo(portal, await acknowledged(portal))).toMatchObject({ state: 'completed', due: null });
      policy.acquisitionFee = '500.00';
      const form = { resources: ['198.18.64.0/24'], legalName: 'Other Cloud', occasion: 'merger', startsOn: '2026-11-01' } as const;
      const merger = await acknowledged(portal, { ...form, resources: [...form.resources] }, 'acquisition');
      expect(await approveByTwo(portal, merger)).toMatchObject({ state: 'awaiting-fee', due: { payer: 'OTHER-SG', amount: '500.00' } });
    } finally {
      Object.assign(policy, { transferFeeShare, acquisitionFee });
    }
  });
});
