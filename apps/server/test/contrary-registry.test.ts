import path from 'node:path';
import { emptyApplication } from '@portal/contract/applications/application-form';
import { api } from '@portal/contract/api';
import { DAY_MS, dayIn, daysAfter } from '@portal/contract/days';
import { emptyForm, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approveAlone, confirmLast, sendRequest } from './deciding-requests.ts';
import { issueSignUps } from '../src/modules/billing/issuing/sign-up.ts';
import { beginBilling } from '../src/modules/billing/membership/beginning.ts';
import { fileStorage } from '../src/modules/documents/index.ts';
import { addElection, freezeRolls, publishElection, saveOptions } from '../src/modules/elections/index.ts';
import { billingPortal, inWords } from './billing-portal.ts';
import { exampleElection } from './example-election.ts';
import { castForm, slipIn } from './plain-ballot.ts';
import { type TestPortal, testPortal } from './portal.ts';
import { samplePdf, sentFile } from './sample-files.ts';

const environment = { REGISTRY_PROFILE: path.join(import.meta.dirname, 'contrary-profile.json') };
const account = 'EXAMPLE-AU';
const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };
const need = { plan: [{ purpose: 'Hosting', amounts: [256, 512, 768, 1024, 1600] }], network: 'A data centre in Singapore.' };

/** A registry whose profile differs in every value from the example registry: another registry is a file, not a fork. */
describe('a registry with another profile', () => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal(undefined, environment);
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  async function acknowledged(kind: RequestKind, form: Partial<RequestForm>): Promise<string> {
    const [corin, olive] = [await portal.as('corin'), await portal.as('olive')];
    const papers = kind === 'acquisition' ? [await sentFile(corin)] : [];
    const { requestId } = await sendRequest(corin, account, kind, { recipient: 'OTHER-SG', reason: 'Sold', ...form }, papers);
    const { version } = (await olive(api.requests.getRequest, { account: 'OTHER-SG', requestId })).data!;
    const answered = await olive(api.requests.acknowledgeTransfer, {
      account: 'OTHER-SG',
      requestId,
      body: {
        version,
        form: { ...emptyForm, ...need },
        documentIds: kind === 'acquisition' ? [await sentFile(olive)] : [],
        truthful: true,
      },
    });
    expect(answered).toMatchObject({ status: 200 });
    return requestId;
  }

  test('a transfer is free, and its only hostmaster completes it', async () => {
    const requestId = await acknowledged('transfer', { resources: ['198.18.8.0/22'] });
    expect(await approveAlone(portal, requestId)).toMatchObject({ data: { state: 'completed', due: null } });
  });

  test('a merger costs the fee of the profile, in its currency', async () => {
    const merger = { resources: ['198.18.64.0/24'], legalName: 'Other Cloud', occasion: 'merger', startsOn: '2026-11-01' } as const;
    const requestId = await acknowledged('acquisition', { ...merger, resources: [...merger.resources] });
    expect(await approveAlone(portal, requestId)).toMatchObject({
      data: { state: 'awaiting-fee', due: { payer: 'OTHER-SG', amount: '250.00', currency: 'EUR' } },
    });
  });

  test('it has its own request sizes', async () => {
    const corin = await portal.as('corin');
    const eligibility = await corin(api.requests.getEligibility, { account, kind: 'ipv4' });
    const said = JSON.stringify(eligibility.data);
    expect(said).toContain('/24');
    expect(said).not.toContain('/23');
  });

  test('fees are in its currency with its tax, without a transfer fee', async () => {
    const corin = await portal.as('corin');
    const query = { kind: 'member', economy: 'NO', begins: '2026-01-01', ipv4: '1024', ipv6: '0', asns: 0, transferred: '1024' } as const;
    const { estimate, choices, transferFee } = (await corin(api.feeEstimates.getFeeEstimate, { query })).data!;
    expect(estimate).toMatchObject({ currency: 'EUR', taxRate: '0.25', tax: '564.10', total: '2820.51' });
    expect(choices.economies).toEqual(['NO', 'SJ', 'IS', 'GL', 'FO']);
    expect(transferFee).toBeNull();
    const billing = (await corin(api.billing.getBilling, { account })).data!;
    expect(billing).toMatchObject({ currency: 'EUR', reactivationMonths: 12, rpkiSuspensionDays: null });
    expect(billing.paymentInstructions).toEqual(['To Northnic Foundation', 'IBAN NO93 8601 1117 947']);
  });

  test('members come from its region and accept its agreement, without a reference to national registries', async () => {
    const nadia = await portal.as('nadia');
    const terms = (await nadia(api.applications.getApplicationTerms, {})).data!;
    expect(terms).toMatchObject({
      agreement: { version: '3', url: 'https://northnic.test/agreement' },
      reviewTime: 'three weeks',
      nationalRegistries: [],
    });
    const uploaded = await nadia(api.files.uploadFile, {
      query: { fileName: 'certificate.pdf' },
      body: new Blob([new Uint8Array(samplePdf('certificate.pdf'))]),
    });
    const apply = async (economy: string, agreementVersion: string) => {
      const { applicationId, version } = (await nadia(api.applications.startApplication, {})).data!;
      const draft = {
        ...emptyApplication,
        orgName: 'Fjord Networks AS',
        economy,
        organisationType: 'company' as const,
        business: 'internet service provider' as const,
        registrationNumber: '999888777',
        postalAddress: 'Kai 1',
        city: 'Tromsø',
        phone: '+47 77 00 00 00',
        abuseEmail: 'abuse@fjord.example',
        position: 'Managing director',
        contactPhone: '+47 77 00 00 01',
        accountName: 'fjord-no',
        resources: ['ipv6' as const],
        networkPlan: 'Two upstreams from March.',
        billingEmail: 'accounts@fjord.example',
      };
      const saved = await nadia(api.applications.saveDraft, {
        applicationId,
        body: { version, step: 'review', draft, documentIds: [uploaded.data!.documentId] },
      });
      const sent = await nadia(api.applications.submitApplication, {
        applicationId,
        body: { version: saved.data?.version ?? version, agreementVersion, truthful: true },
      });
      if (sent.errors) await nadia(api.applications.withdrawApplication, { applicationId });
      return sent.errors?.map(({ code, field }) => `${code} ${field ?? ''}`.trim()) ?? ['sent'];
    };
    expect(await apply('AU', '3')).toContain('INVALID_REQUEST economy');
    expect(await apply('NO', '2026-07')).toEqual(['AGREEMENT_CHANGED']);
    expect(await apply('NO', '3')).toEqual(['sent']);

    await portal.db.change(line, change => beginBilling(change, '2000-01-01'));
    // Approved, it is billed in the registry's currency with its tax, and opens once that is paid.
    const stella = await portal.as('stella');
    const [{ applicationId }] = (await portal.db.read.rows<{ applicationId: string }>(
      sql`select membership_application_id::text as application_id from membership_application where account_name = 'FJORD-NO'`,
    )) as [{ applicationId: string }];
    expect((await stella(api.applications.approveApplication, { applicationId, body: {} })).status).toBe(200);
    const { profile, outside } = portal.context;
    await issueSignUps(portal.db, { now: new Date(), profile, store: outside(fileStorage), fonts: [] });
    const billed = async () => (await stella(api.billing.getStaffBilling, { accountName: 'FJORD-NO' })).data!.invoices[0]!;
    const { number, total, tax, lines } = await billed();
    expect(await billed()).toMatchObject({ kind: 'sign-up', currency: 'EUR' });
    const net = lines.reduce((sum, { amount }) => sum + Number(amount), 0);
    expect(Number(tax)).toBeCloseTo(net * 0.25, 2);
    expect(Number(total)).toBeCloseTo(net * 1.25, 2);
    const credited = await stella(api.corrections.issueCreditNote, {
      invoiceNumber: number,
      body: { amount: '20.00', reason: 'A mistake' },
    });
    expect(credited.status).toBe(200);
    const { balance } = await billed();
    expect(Number(balance)).toBeCloseTo(Number(total) - 20, 2);
    const body = { amount: balance, receivedOn: dayIn('America/St_Johns', new Date()), reference: 'SIGN-UP-1' };
    // One person records less alone than at the example registry.
    const alone = await stella(api.billing.recordPayment, { invoiceNumber: number, body });
    expect(alone.errors?.[0]?.code).toBe('SECOND_PERSON');
    expect((await confirmLast(portal)).errors).toBeUndefined();
    expect(await billed()).toMatchObject({ state: 'paid', balance: '0.00' });
    expect((await nadia(api.accounts.listAccounts, {})).data).toMatchObject([{ accountName: 'FJORD-NO', accountStatus: 'open' }]);
  });

  test('an approved request waits in line when its last /8 is empty', async () => {
    const max = await portal.as('max');
    await portal.db.change(line, change => change.rows(sql`delete from pool where kind = 'ipv4'`));
    const form = {
      ...emptyForm,
      ...need,
      path: 'lir' as const,
      length: 25,
      providerSpace: '100.64.0.0/24',
      plan: [{ purpose: 'Access', amounts: [100, 120, 128] }],
    };
    const where = { account: 'CORAL-KI' };
    const { requestId, version } = (await max(api.requests.startRequest, { ...where, body: { kind: 'ipv4' } })).data!;
    const saved = await max(api.requests.saveRequest, { ...where, requestId, body: { version, form, documentIds: [] } });
    const sent = await max(api.requests.submitRequest, { ...where, requestId, body: { version: saved.data!.version, truthful: true } });
    expect(sent.errors).toBeUndefined();
    expect((await approveAlone(portal, requestId)).errors).toBeUndefined();
    expect((await max(api.requests.getRequest, { ...where, requestId })).data).toMatchObject({ state: 'on-hold', place: 1 });
  });
});

/** The day this many days after another, as written in mails. */
const saidAfter = (day: string, days: number): string => inWords(daysAfter(day, days));

describe('the renewals of a registry with another calendar of billing', () => {
  const today = dayIn('America/St_Johns', new Date());
  const mailsOf = async (portal: Awaited<ReturnType<typeof billingPortal>>, recipient: string): Promise<string[]> =>
    (
      await portal.db.read
        .selectFrom('mail')
        .select(['subject', 'body'])
        .where('recipient', 'like', `${recipient}@%`)
        .orderBy('mailId')
        .execute()
    ).map(({ subject, body }) => `${subject}\n${body}`);

  test('each step happens on its own day, from the reminder to the closing, and the mails have these days', async () => {
    const D = daysAfter(today, -95);
    const after = (days: number): string => daysAfter(D, days);
    await using portal = await billingPortal(undefined, { [account]: D }, environment);
    const { on, accountStateOf, billingOf } = portal;
    await on(after(-41));
    expect((await accountStateOf(account)).steps).toEqual([]);
    await on(after(-40));
    expect((await mailsOf(portal, 'bill')).at(-1)).toContain('We send the renewal invoice 5 days later.');
    await on(after(4));
    expect((await billingOf(account)).invoices).toEqual([]);
    await on(after(5));
    const [invoice] = (await billingOf(account)).invoices;
    expect(invoice).toMatchObject({ issuedOn: after(5), dueOn: after(20), periodFrom: after(1), currency: 'EUR', tax: '0.00' });
    await on(after(24));
    expect((await accountStateOf(account)).accountStatus).toBe('open');
    await on(after(25));
    expect((await accountStateOf(account)).accountStatus).toBe('suspended');
    expect((await mailsOf(portal, 'bill')).at(-1)).toMatch(
      new RegExp(`is suspended[^]*It closes on\\s+${saidAfter(D, 90).replaceAll(' ', '\\s+')}`),
    );
    const bill = await portal.as('bill', { mfa: false });
    expect((await bill(api.billing.getBilling, { account })).data).toMatchObject({
      calendar: { invoiceDays: 5, dueDays: 20 },
      ahead: [
        { step: 'second-reminder', day: after(35) },
        { step: 'closing-warning', day: after(70) },
        { step: 'closing', day: after(90) },
      ],
    });
    await on(after(95));
    expect(await accountStateOf(account)).toMatchObject({
      accountStatus: 'closed',
      steps: [
        ['reminder', after(-40)],
        ['holdings', D],
        ['invoice', after(5)],
        ['suspension', after(25)],
        ['second-reminder', after(35)],
        ['closing-warning', after(70)],
        ['closing', after(90)],
      ],
    });
    expect((await mailsOf(portal, 'bill')).at(-1)).toMatch(/reactivated within\s+12\s+months/);
  });

  test('reductions apply to the economies and days of its profile, and quotes are available as long as it says', async () => {
    const D = daysAfter(today, 59);
    await using portal = await billingPortal(undefined, { [account]: D, 'OTHER-SG': daysAfter(D, 2) }, { ...environment });
    await portal.db.change(line, change =>
      change.updateTable('account').set({ economy: 'GL' }).where('accountName', '=', account).execute(),
    );
    const [bill, olive] = [await portal.as('bill', { mfa: false }), await portal.as('olive')];
    const query = { kind: 'member', begins: daysAfter(D, 1), ipv4: '256', ipv6: '0', asns: 0 } as const;
    const steps = async (economy: string) =>
      (await bill(api.feeEstimates.getFeeEstimate, { query: { ...query, economy } })).data!.estimate.lines.map(({ step }) => step);
    expect(await steps('GL')).toEqual(['addresses', 'ldc']);
    // On the UN’s list, and not on this registry’s.
    expect(await steps('KH')).toEqual(['addresses']);
    const asked = await bill(api.renewals.askForQuote, { account });
    expect(asked).toMatchObject({ status: 200, data: { opensOn: daysAfter(D, -60), quotes: [{ currency: 'EUR' }] } });
    const early = await olive(api.renewals.askForQuote, { account: 'OTHER-SG' });
    expect(early.errors).toMatchObject([{ code: 'RENEWAL_NOT_OPEN', message: expect.stringContaining('60 days before the term ends') }]);
  });
});

test('an election of a registry with other tiers uses their votes', async () => {
  await using portal = await testPortal(undefined, environment);
  const electionId = await portal.db.change(line, async change => {
    const { electionId, version } = await addElection({ change, body: exampleElection() });
    const rows = ['Ada', 'Bo', 'Cy'].map(name => ({ name, statement: '' }));
    await saveOptions({ change, params: { electionId }, body: { rows } });
    await publishElection({ change, params: { electionId }, body: { version }, publishedAt: new Date(Date.now() - 5 * DAY_MS) });
    return electionId;
  });
  const corin = await portal.as('corin');
  const before = (await corin(api.voting.getMemberVoting, { account })).data!;
  expect(before).toMatchObject({
    weight: { votes: 3, tier: 'Local' },
    tiers: [{ name: 'Guest' }, { name: 'Local', ipv4: '/18' }, { name: 'National' }],
  });
  await freezeRolls(portal.db, new Date(), portal.context.profile);
  const roll = await portal.db.read
    .selectFrom('electionRoll')
    .select(['accountName', 'votes', 'tier'])
    .where('electionId', '=', Number(electionId))
    .execute();
  expect(roll).toEqual(
    expect.arrayContaining([
      { accountName: account, votes: 3, tier: 'Local' },
      { accountName: 'NATREG-XX', votes: 7, tier: '' },
      { accountName: 'LABNET-AU', votes: 1, tier: 'Guest' },
    ]),
  );
  // The ballot is cast with them.
  const opened = (await corin(api.ballots.openBallot, { account, electionId })).data!;
  const { pathname, search } = new URL(opened.url);
  const headers = { host: 'portal.test' };
  const page = await portal.http.inject({ url: pathname + search, headers });
  expect(page.body).toContain('3 votes');
  const cast = await portal.http.inject({
    method: 'POST',
    url: pathname + search,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    payload: castForm(slipIn(page.body), [1]),
  });
  expect(cast.statusCode).toBe(200);
  expect((await corin(api.proxies.listVotes, { account })).data!.rows).toMatchObject([{ votes: 3, voterName: 'Corin Achterberg' }]);
});
