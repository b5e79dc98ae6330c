import { api } from '@portal/contract/api';
import { type ApplicationDraft, emptyApplication, problemsOfApplication } from '@portal/contract/applications/application-form';
import type { ApplicationDetail } from '@portal/contract/applications/applications';
import { DAY_MS } from '@portal/contract/days';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { samplePdf } from '../../../test/sample-files.ts';
import { runApplicationDeadlines } from './deadlines.ts';

type Person = Awaited<ReturnType<TestPortal['as']>>;

const agreementVersion = '2026-07';
/** A complete application of a small provider in Suva. */
const complete = (given: Partial<ApplicationDraft> = {}): ApplicationDraft => ({
  ...emptyApplication,
  orgName: 'Lagoon Networks Ltd',
  economy: 'FJ',
  organisationType: 'company',
  business: 'internet service provider',
  registrationNumber: 'RCFS-30117',
  postalAddress: '12 Example Street\nGround floor',
  city: 'Suva',
  phone: '+679 555 0140',
  abuseEmail: 'abuse@lagoon.example',
  position: 'Managing director',
  contactPhone: '+679 555 0141',
  accountName: 'lagoon-fj',
  resources: ['ipv6', 'asn'],
  networkPlan: 'Two upstreams from March; routers are ordered.',
  billingEmail: 'accounts@lagoon.example',
  ...given,
});

const sendDocument = async (person: Person, fileName = 'certificate.pdf'): Promise<string> =>
  (await person(api.files.uploadFile, { query: { fileName }, body: new Blob([new Uint8Array(samplePdf(fileName))]) })).data!.documentId;

async function write(person: Person, draft: ApplicationDraft): Promise<ApplicationDetail> {
  const { applicationId, version } = (await person(api.applications.startApplication, {})).data!;
  const documentIds = [await sendDocument(person)];
  await person(api.applications.saveDraft, { applicationId, body: { version, step: 'review', draft, documentIds } });
  return (await person(api.applications.getApplication, { applicationId })).data!;
}
const submitting = (person: Person, { applicationId, version }: Pick<ApplicationDetail, 'applicationId' | 'version'>) =>
  person(api.applications.submitApplication, { applicationId, body: { version, agreementVersion, truthful: true } });
/** An application submitted to the registry's desk. */
async function apply(person: Person, draft: ApplicationDraft): Promise<ApplicationDetail> {
  const answer = await submitting(person, await write(person, draft));
  expect(answer).toMatchObject({ status: 200 });
  return answer.data!;
}
const subjects = async (portal: TestPortal, recipient: string): Promise<string[]> =>
  (await portal.mailsTo(recipient)).map(({ subject }) => subject);
const referralSubjects = async (portal: TestPortal, recipient: string): Promise<string[]> =>
  (await subjects(portal, recipient)).filter(subject => subject.startsWith('REF-'));
const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);
const linkIn = async (portal: TestPortal, recipient: string): Promise<string> =>
  /\/accept-referral\/([\w-]{43})/.exec((await portal.mailsTo(recipient)).at(-1)!.body)![1]!;

/** Withdraws what an earlier test left open. */
async function withdrawAll(portal: TestPortal): Promise<void> {
  for (const name of ['nadia', 'olive', 'stella']) {
    const person = await portal.as(name);
    for (const { applicationId } of (await person(api.applications.listApplications, {})).data!)
      await person(api.applications.withdrawApplication, { applicationId });
  }
}

describe.each(kindsForRules)('from draft to member on %s', kind => {
  test('Nadia begins at home, continues elsewhere, submits, answers a question, and becomes the corporate contact of a new account', async () => {
    await using portal = await testPortal(kind);
    const [nadia, stella] = [await portal.as('nadia', { mfa: false }), await portal.as('stella')];
    const begun = (await nadia(api.applications.startApplication, {})).data!;
    expect(begun).toMatchObject({ state: 'draft', version: 1, draft: { billingEmail: 'nadia@newcomer.example' }, events: [] });
    const { applicationId } = begun;
    const half = { ...begun.draft, orgName: 'Lagoon', economy: 'FJ' };
    expect(await nadia(api.applications.saveDraft, { applicationId, body: { version: 1, step: 'contacts', draft: half } })).toMatchObject({
      status: 200,
      data: { version: 2 },
    });
    const elsewhere = await portal.as('nadia', { mfa: false });
    expect((await elsewhere(api.applications.getApplication, { applicationId })).data).toMatchObject({ step: 'contacts', draft: half });
    const proposed = await elsewhere(api.applications.checkAccountName, { applicationId, body: { name: '' } });
    expect(proposed.data).toEqual({
      free: null,
      proposals: ['LAGOON-FJ', 'MEMBER-FJ', 'LAGOON2-FJ'],
    });

    const draft = complete({
      technicalContact: {
        same: false,
        fullName: 'Tomasi Vula',
        email: 'tomasi@lagoon.example',
        emailAgain: 'tomasi@lagoon.example',
        phone: '',
      },
    });
    const [wrong, right] = [await sendDocument(elsewhere, 'holiday.pdf'), await sendDocument(elsewhere)];
    await elsewhere(api.applications.saveDraft, { applicationId, body: { version: 2, step: 'documents', draft, documentIds: [wrong] } });
    await elsewhere(api.applications.saveDraft, { applicationId, body: { version: 3, step: 'review', draft, documentIds: [right] } });
    const submitted = await submitting(elsewhere, { applicationId, version: 4 });
    expect(submitted).toMatchObject({
      status: 200,
      data: {
        state: 'submitted',
        accountName: 'LAGOON-FJ',
        agreement: { version: agreementVersion },
        events: [{ kind: 'submitted', by: 'Nadia Haddad' }],
      },
    });
    // Repeating it changes nothing.
    expect((await submitting(elsewhere, { applicationId, version: 4 })).data).toEqual(submitted.data);

    const { rows, total } = (await stella(api.applications.listStaffApplications, { query: {} })).data!;
    expect({ total, rows }).toMatchObject({
      total: 1,
      rows: [{ reference: `APP-${applicationId}`, orgName: 'Lagoon Networks Ltd', accountType: 'regular' }],
    });
    expect((await stella(api.applications.reviewApplication, { applicationId })).data).toMatchObject({
      state: 'in-review',
      reviewer: 'Stella Kowalski',
    });
    await stella(api.applications.askAboutApplication, { applicationId, body: { question: 'Is the street number 12 or 21?' } });
    // A colleague is waiting for the answer.
    expect(await stella(api.applications.approveApplication, { applicationId, body: {} })).toMatchObject({
      status: 409,
      errors: [{ code: 'REQUEST_STATE', message: expect.stringContaining('waiting for an answer of its applicant') as string }],
      current: { state: 'needs-info' },
    });
    const asked = (await nadia(api.applications.getApplication, { applicationId })).data!;
    expect(asked).toMatchObject({ state: 'needs-info', question: 'Is the street number 12 or 21?' });
    expect(asked.events.at(-1)).toMatchObject({ kind: 'question', by: 'Registry staff' });
    await nadia(api.applications.saveDraft, {
      applicationId,
      body: { version: 4, step: 'organisation', draft: { ...draft, postalAddress: '21 Example Street' } },
    });
    const answered = await nadia(api.applications.answerApplication, { applicationId, body: { version: 5, answer: '21, sorry' } });
    expect(answered).toMatchObject({ status: 200, data: { state: 'in-review', question: null } });

    const approved = await stella(api.applications.approveApplication, { applicationId, body: { note: 'Welcome' } });
    expect(approved).toMatchObject({ status: 200, data: { state: 'approved', resolvedBy: 'Stella Kowalski', alike: [] } });
    const line = (await portal.lastActivity())!;
    expect(line).toMatchObject({
      action: 'applications.approveApplication',
      accountName: 'LAGOON-FJ',
      details: { corporateContact: 'Nadia Haddad (nadia@newcomer.example)' },
    });
    const account = 'LAGOON-FJ';
    expect((await nadia(api.documents.listDocuments, { account })).data!.rows).toMatchObject([
      { fileName: 'certificate.pdf', reference: `APP-${applicationId}`, uploadedBy: 'Nadia Haddad' },
    ]);
    expect((await nadia(api.accounts.listAccounts, {})).data).toMatchObject([
      {
        accountName: account,
        accountStatus: 'new',
        accountType: 'regular',
        orgName: 'Lagoon Networks Ltd',
        contactTypes: ['corporate', 'billing'],
      },
    ]);
    expect((await nadia(api.organisations.getOrganisation, { account })).data).toMatchObject({
      registrationNumber: 'RCFS-30117',
      postalAddress: ['21 Example Street'],
      city: 'Suva',
      billingEmail: 'accounts@lagoon.example',
    });
    expect(
      (await nadia(api.contacts.listContacts, { account, query: {} })).data!.rows.map(({ fullName, status }) => [fullName, status]),
    ).toEqual([
      ['Nadia Haddad', 'active'],
      ['Tomasi Vula', 'invited'],
    ]);
    expect(await subjects(portal, 'nadia@newcomer.example')).toEqual([
      `APP-${applicationId}: the application was received`,
      `APP-${applicationId}: question about your application`,
      `APP-${applicationId}: LAGOON-FJ is approved`,
    ]);
    expect(await subjects(portal, 'tomasi@lagoon.example')).toEqual(['Invitation to LAGOON-FJ']);
    expect((await nadia(api.applications.getApplication, { applicationId })).data).toMatchObject({
      state: 'approved',
      accountStatus: 'new',
    });
  });

  test('of two applicants who want the same account name at the same time one gets it, and the other has to choose another', async () => {
    await using portal = await testPortal(kind);
    const [nadia, olive] = [await portal.as('nadia'), await portal.as('olive')];
    const [hers, theirs] = [
      await write(nadia, complete()),
      await write(olive, complete({ registrationNumber: 'OTHER-1', orgName: 'Lagoon Trading' })),
    ];
    const answers = await Promise.all([submitting(nadia, hers), submitting(olive, theirs)]);
    const [done, refused] = answers.toSorted((a, b) => a.status - b.status);
    expect(done).toMatchObject({ status: 200, data: { accountName: 'LAGOON-FJ' } });
    expect(refused).toMatchObject({ status: 409, errors: [{ code: 'ACCOUNT_NAME_TAKEN', field: 'accountName' }] });
  });

  test('of two staff members who decide concurrently one succeeds, and the other gets 409 with the present application', async () => {
    await using portal = await testPortal(kind);
    const [nadia, stella, again] = [await portal.as('nadia'), await portal.as('stella'), await portal.as('stella')];
    const { applicationId } = await apply(nadia, complete());
    const answers = await Promise.all([
      stella(api.applications.approveApplication, { applicationId, body: {} }),
      again(api.applications.refuseApplication, { applicationId, body: { reason: 'No paper' } }),
    ]);
    const [done, refused] = answers.toSorted((a, b) => a.status - b.status);
    expect(done!.status).toBe(200);
    expect(refused).toMatchObject({
      status: 409,
      errors: [{ code: 'ALREADY_RESOLVED' }],
      current: { applicationId, state: done!.data!.state },
    });
    const accounts = (await nadia(api.accounts.listAccounts, {})).data!;
    expect(accounts).toHaveLength(done!.data!.state === 'approved' ? 1 : 0);
  });

  test('the fourth of concurrent drafts of one person is refused', async () => {
    await using portal = await testPortal(kind);
    const nadia = await portal.as('nadia');
    const answers = await Promise.all([1, 2, 3, 4].map(() => nadia(api.applications.startApplication, {})));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 200, 409]);
  });

  test('a referred customer who accepts twice at the same time is counted once', async () => {
    await using portal = await testPortal(kind);
    const [corin, nadia, olive] = [await portal.as('corin'), await portal.as('nadia'), await portal.as('olive')];
    await corin(api.referrals.referCustomer, { account: 'EXAMPLE-AU', body: customer });
    const referralToken = await linkIn(portal, 'nadia@newcomer.example');
    const answers = await Promise.all([
      nadia(api.referrals.acceptReferral, { referralToken }),
      olive(api.referrals.declineReferral, { referralToken }),
    ]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(answers.find(({ status }) => status >= 300)).toMatchObject({ status: 410, errors: [{ code: 'REFERRAL_USED' }] });
  });
});

const customer = {
  orgName: 'Newcomer Broadband',
  economy: 'NZ',
  contactName: 'Nadia Haddad',
  contactEmail: 'nadia@newcomer.example',
  phone: '+64 4 555 0190',
  resources: ['asn' as const],
  note: 'Their second upstream is ours.',
  technicalContact: true,
  consent: true as const,
};

describe('the contents of an application', () => {
  let portal: Awaited<ReturnType<typeof testPortal>>;
  beforeAll(async () => {
    portal = await testPortal();
  });
  afterAll(async () => portal[Symbol.asyncDispose]());
  afterEach(() => withdrawAll(portal));

  test('all missing fields are reported together, and nothing is submitted', async () => {
    const nadia = await portal.as('nadia');
    const empty = (await nadia(api.applications.startApplication, {})).data!;
    const refused = await submitting(nadia, empty);
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.errors!.map(({ code, field, message }) => ({ code, field, message }))).toEqual(
      problemsOfApplication(empty.draft, 0).map(({ field, message }) => ({ code: 'INVALID_REQUEST', field, message })),
    );
    expect((await nadia(api.applications.getApplication, { applicationId: empty.applicationId })).data).toMatchObject({
      state: 'draft',
      version: 1,
    });
    const outside = await write(nadia, complete({ economy: 'DE', accountName: 'LAGOON-DE' }));
    expect((await submitting(nadia, outside)).errors![0]).toMatchObject({
      field: 'economy',
      message: 'Choose an economy of the service region',
    });
  });

  test('names in any script, with markup and formulas, stay unchanged on the page, in mails, and as text in the exported list', async () => {
    const [nadia, stella] = [await portal.as('nadia'), await portal.as('stella')];
    const names = [
      '礁湖网络有限公司',
      'شركة البحيرة للشبكات',
      '=HYPERLINK("http://evil.example";"x")',
      '<img src=x onerror=alert(1)>',
      'L'.repeat(200),
    ];
    for (const [i, orgName] of names.entries()) {
      const { applicationId } = await apply(nadia, complete({ orgName, accountName: `NAME${i}-FJ`, registrationNumber: `N-${i}` }));
      const seen = (await stella(api.applications.getStaffApplication, { applicationId })).data!;
      expect(seen).toMatchObject({ orgName, form: { orgName } });
    }
    const bodies = (await portal.mailsTo('nadia@newcomer.example')).map(({ body }) => body);
    for (const name of names) expect(bodies.some(body => body.includes(name))).toBe(true);
    const file = (await stella(api.applications.exportStaffApplications, { query: {} })).data!;
    const text = await file.blob.text();
    expect(text).toContain(`"'=HYPERLINK(""http://evil.example"";""x"")"`);
    expect(text.split('\r\n')).toHaveLength(names.length + 2);
  });

  test('text that the database can’t store and endless text are refused, and the draft stays', async () => {
    const nadia = await portal.as('nadia');
    const { applicationId, version } = await write(nadia, complete());
    for (const orgName of ['nul \0 byte', 'x'.repeat(301)]) {
      const body = { version, step: 'organisation' as const, draft: complete({ orgName }) };
      expect(await nadia(api.applications.saveDraft, { applicationId, body })).toMatchObject({
        status: 400,
        errors: [{ code: 'INVALID_REQUEST' }],
      });
    }
    expect((await nadia(api.applications.getApplication, { applicationId })).data).toMatchObject({
      version,
      draft: { orgName: 'Lagoon Networks Ltd' },
    });
  });

  test('an existing member is pointed to its membership; a similar organisation is shown to staff', async () => {
    const [nadia, olive, stella] = [await portal.as('nadia'), await portal.as('olive'), await portal.as('stella')];
    const same = await write(nadia, complete({ economy: 'AU', accountName: 'LAGOON-AU', registrationNumber: 'abn 00000000019' }));
    expect(await submitting(nadia, same)).toMatchObject({ status: 409, errors: [{ code: 'ORGANISATION_IS_MEMBER' }] });
    const first = await apply(nadia, complete({ economy: 'AU', accountName: 'LAGOON-AU', orgName: 'example networks pty ltd' }));
    const second = await apply(olive, complete({ economy: 'AU', accountName: 'LAGOON2-AU', registrationNumber: 'rcfs 30117' }));
    expect((await stella(api.applications.getStaffApplication, { applicationId: first.applicationId })).data!.alike).toEqual([
      { kind: 'account', name: 'EXAMPLE-AU', applicationId: null, orgName: 'Example Networks Pty Ltd' },
      { kind: 'application', name: second.reference, applicationId: second.applicationId, orgName: 'Lagoon Networks Ltd' },
    ]);
  });

  test('an outdated agreement, and saving over another person’s draft, are refused with the present version', async () => {
    const nadia = await portal.as('nadia');
    const { applicationId, version } = await write(nadia, complete());
    const old = await nadia(api.applications.submitApplication, {
      applicationId,
      body: { version, agreementVersion: '2019', truthful: true },
    });
    expect(old).toMatchObject({ status: 409, errors: [{ code: 'AGREEMENT_CHANGED' }] });
    const stale = await nadia(api.applications.saveDraft, {
      applicationId,
      body: { version: version - 1, step: 'billing', draft: complete({ city: 'Nadi' }) },
    });
    expect(stale).toMatchObject({ status: 412, errors: [{ code: 'STALE' }], current: { version, draft: { city: 'Suva' } } });
  });
});

describe('ownership of an application', () => {
  let portal: Awaited<ReturnType<typeof testPortal>>;
  beforeAll(async () => {
    portal = await testPortal();
  });
  afterAll(async () => portal[Symbol.asyncDispose]());
  afterEach(() => withdrawAll(portal));

  test('no other person can find it, staff cannot see drafts, and staff cannot decide their own', async () => {
    const [nadia, olive, stella] = [await portal.as('nadia'), await portal.as('olive'), await portal.as('stella')];
    const draft = await write(nadia, complete());
    const { applicationId } = draft;
    for (const answer of [
      await olive(api.applications.getApplication, { applicationId }),
      await olive(api.applications.saveDraft, { applicationId, body: { version: 2, step: 'review', draft: complete() } }),
      await submitting(olive, draft),
      await olive(api.applications.withdrawApplication, { applicationId }),
      await olive(api.applications.checkAccountName, { applicationId, body: { name: 'EXAMPLE-AU' } }),
      await olive(api.applications.getStaffApplication, { applicationId }),
      await stella(api.applications.getStaffApplication, { applicationId }),
      await stella(api.applications.approveApplication, { applicationId, body: {} }),
    ])
      expect(answer.status).toBe(404);
    const own = await apply(stella, complete());
    expect(await stella(api.applications.approveApplication, { applicationId: own.applicationId, body: {} })).toMatchObject({
      status: 403,
      errors: [{ code: 'OWN_REQUEST' }],
    });
  });

  test('once submitted it can change only when the registry asks; when withdrawn, its name is free again', async () => {
    const [nadia, olive, stella] = [await portal.as('nadia'), await portal.as('olive'), await portal.as('stella')];
    const { applicationId, version } = await apply(nadia, complete());
    const body = { version, step: 'review' as const, draft: complete() };
    expect(await nadia(api.applications.saveDraft, { applicationId, body })).toMatchObject({
      status: 409,
      errors: [{ code: 'WITH_REGISTRY' }],
    });
    expect(await nadia(api.applications.answerApplication, { applicationId, body: { version, answer: 'Hm' } })).toMatchObject({
      status: 409,
    });
    const theirs = await write(olive, complete({ registrationNumber: 'OTHER-1' }));
    expect(await submitting(olive, theirs)).toMatchObject({ status: 409, errors: [{ code: 'ACCOUNT_NAME_TAKEN' }] });
    expect((await nadia(api.applications.withdrawApplication, { applicationId })).status).toBe(204);
    expect(await nadia(api.applications.withdrawApplication, { applicationId })).toMatchObject({
      status: 409,
      errors: [{ code: 'ALREADY_RESOLVED' }],
    });
    expect(await stella(api.applications.approveApplication, { applicationId, body: {} })).toMatchObject({
      status: 409,
      current: { state: 'withdrawn' },
    });
    expect((await submitting(olive, theirs)).status).toBe(200);
  });

  test('after a refusal with a reason, a new application is possible', async () => {
    const [nadia, stella] = [await portal.as('nadia'), await portal.as('stella')];
    const { applicationId } = await apply(nadia, complete());
    await stella(api.applications.refuseApplication, { applicationId, body: { reason: 'The certificate is of another company.' } });
    expect((await nadia(api.applications.getApplication, { applicationId })).data).toMatchObject({
      state: 'rejected',
      events: [{ kind: 'submitted' }, { kind: 'rejected', by: 'Registry staff', words: 'The certificate is of another company.' }],
    });
    expect((await portal.mailsTo('nadia@newcomer.example')).at(-1)!.body).toContain('The certificate is of another company.');
    expect(await apply(nadia, complete())).toMatchObject({ accountName: 'LAGOON-FJ' });
    const { rows } = (
      await stella(api.applications.listStaffApplications, { query: { status: 'resolved', state: 'rejected', economy: 'fj', q: 'lagoon' } })
    ).data!;
    expect(rows).toMatchObject([{ applicationId, resolvedBy: 'Stella Kowalski' }]);
    expect((await stella(api.applications.listStaffApplications, { query: { q: 'nothing of the kind' } })).data).toEqual({
      rows: [],
      total: 0,
    });
  });

  test('a person who repeatedly tries taken names has to wait', async () => {
    const nadia = await portal.as('nadia');
    const { applicationId } = await write(nadia, complete());
    const ask = (name: string) => nadia(api.applications.checkAccountName, { applicationId, body: { name } });
    expect((await ask('lagoon-fj')).data).toMatchObject({ free: true });
    for (let i = 0; i < 5; i++) expect((await ask('EXAMPLE-AU')).data).toMatchObject({ free: false });
    expect(await ask('EXAMPLE-AU')).toMatchObject({ status: 429, errors: [{ code: 'TOO_MANY_REQUESTS' }] });
  });
});

test('an untouched draft brings a reminder after ten days and is deleted after fourteen, each once', async () => {
  await using portal = await testPortal();
  const nadia = await portal.as('nadia');
  const { applicationId, reference } = await write(nadia, complete());
  for (const days of [9, 10.5, 11, 14.5, 15]) await runApplicationDeadlines(portal.db, inDays(days));
  expect(await subjects(portal, 'nadia@newcomer.example')).toEqual([
    `${reference}: your draft is waiting`,
    `${reference}: your draft was deleted`,
  ]);
  expect((await nadia(api.applications.getApplication, { applicationId })).status).toBe(404);
  expect((await nadia(api.applications.listApplications, {})).data).toEqual([]);
  expect(await portal.db.read.selectFrom('applicationDraft').select('draft').execute()).toEqual([]);
});

describe('referral of a customer', () => {
  const account = 'EXAMPLE-AU';

  test('the customer agrees and owns the application, and the referrer sees only its state', async () => {
    await using portal = await testPortal();
    const [corin, nadia, stella] = [await portal.as('corin'), await portal.as('nadia'), await portal.as('stella')];
    const sent = await corin(api.referrals.referCustomer, { account, body: customer });
    expect(sent).toMatchObject({ status: 200, data: { state: 'sent', referredBy: 'Corin Achterberg' } });
    const [mail] = await portal.mailsTo('nadia@newcomer.example');
    expect(mail!.body).not.toContain(customer.note);
    const referralToken = await linkIn(portal, 'nadia@newcomer.example');
    expect((await nadia(api.referrals.getReferral, { referralToken })).data).toMatchObject({
      state: 'open',
      referrer: 'Example Networks Pty Ltd',
      orgName: customer.orgName,
    });
    const { applicationId } = (await nadia(api.referrals.acceptReferral, { referralToken })).data!;
    const begun = (await nadia(api.applications.getApplication, { applicationId })).data!;
    expect(begun).toMatchObject({
      referredBy: 'Example Networks Pty Ltd',
      draft: {
        orgName: customer.orgName,
        economy: 'NZ',
        resources: ['asn'],
        technicalContact: { same: false, email: 'corin@example-au.example' },
      },
    });
    const state = async () => (await corin(api.referrals.listReferrals, { account, query: {} })).data!.rows[0]!.state;
    expect(await state()).toBe('opened');
    const draft = complete({ orgName: customer.orgName, economy: 'NZ', accountName: 'NEWCOMER-NZ' });
    const documentIds = [await sendDocument(nadia)];
    await nadia(api.applications.saveDraft, { applicationId, body: { version: begun.version, step: 'review', draft, documentIds } });
    await submitting(nadia, { applicationId, version: begun.version + 1 });
    expect(await state()).toBe('submitted');
    await stella(api.applications.approveApplication, { applicationId, body: {} });
    expect(await state()).toBe('approved');
    expect(await referralSubjects(portal, 'corin@example-au.example')).toEqual([
      'REF-1: Newcomer Broadband accepted and started its application',
      'REF-1: Newcomer Broadband submitted its application',
      'REF-1: Newcomer Broadband was approved as a member',
    ]);
    expect((await stella(api.applications.getStaffApplication, { applicationId })).data).toMatchObject({
      referredBy: { accountName: account },
    });
    expect(await corin(api.applications.getApplication, { applicationId })).toMatchObject({ status: 404 });
  });

  test('only open regular accounts can refer, and only contacts who may submit requests', async () => {
    await using portal = await testPortal();
    const refer = async (name: string, accountName: string) =>
      (await portal.as(name))(api.referrals.referCustomer, { account: accountName, body: customer });
    expect(await refer('nils', 'NATREG-XX')).toMatchObject({ status: 403, errors: [{ code: 'NOT_A_MEMBER' }] });
    expect(await refer('max', 'LATE-FJ')).toMatchObject({ status: 403, errors: [{ code: 'ACCOUNT_SUSPENDED' }] });
    expect(await refer('bill', account)).toMatchObject({ status: 403, errors: [{ code: 'NO_PERMISSION' }] });
    expect(await refer('olive', account)).toMatchObject({ status: 404 });
    expect((await (await portal.as('nils'))(api.referrals.listReferrals, { account: 'NATREG-XX', query: {} })).data!.notPossible).toContain(
      'regular',
    );
    expect(await portal.mailsTo('nadia@newcomer.example')).toEqual([]);
  });

  test('it is refused without consent, for a member, and for the same customer twice; a confirmed repetition is sent', async () => {
    await using portal = await testPortal();
    const corin = await portal.as('corin');
    const refer = (body: object) => corin(api.referrals.referCustomer, { account, body: { ...customer, ...body } });
    expect(await refer({ consent: false })).toMatchObject({ status: 400 });
    expect(await refer({ contactEmail: 'nadia at newcomer' })).toMatchObject({ status: 400 });
    expect(await refer({ economy: 'DE' })).toMatchObject({ status: 400 });
    expect(await refer({ orgName: 'EXAMPLE networks PTY LTD', economy: 'AU' })).toMatchObject({
      status: 409,
      errors: [{ code: 'REFERRAL_NOT_POSSIBLE' }],
    });
    expect((await refer({})).status).toBe(200);
    expect(await refer({})).toMatchObject({ status: 409, errors: [{ code: 'ALREADY_REFERRED' }] });
    expect((await refer({ again: true })).status).toBe(200);
    expect((await refer({ again: true })).status).toBe(200);
    expect(await refer({ again: true })).toMatchObject({ status: 429 });
  });

  test('an unknown, withdrawn or expired link says why it doesn’t work', async () => {
    await using portal = await testPortal();
    const [corin, nadia] = [await portal.as('corin'), await portal.as('nadia')];
    const { referralId } = (await corin(api.referrals.referCustomer, { account, body: customer })).data!;
    const withdrawn = await linkIn(portal, 'nadia@newcomer.example');
    expect((await corin(api.referrals.withdrawReferral, { account, referralId })).data).toMatchObject({ state: 'withdrawn' });
    expect(await corin(api.referrals.withdrawReferral, { account, referralId })).toMatchObject({
      status: 409,
      errors: [{ code: 'ALREADY_RESOLVED' }],
    });
    expect(await nadia(api.referrals.acceptReferral, { referralToken: withdrawn })).toMatchObject({
      status: 410,
      errors: [{ code: 'REFERRAL_WITHDRAWN' }],
    });
    expect(await nadia(api.referrals.getReferral, { referralToken: 'x'.repeat(43) })).toMatchObject({
      status: 404,
      errors: [{ code: 'REFERRAL_NOT_FOUND' }],
    });
    await corin(api.referrals.referCustomer, { account, body: { ...customer, again: true } });
    const left = await linkIn(portal, 'nadia@newcomer.example');
    for (const days of [6, 7.5, 8, 14.5, 15]) await runApplicationDeadlines(portal.db, inDays(days));
    expect(await subjects(portal, 'nadia@newcomer.example')).toHaveLength(3);
    expect(await referralSubjects(portal, 'corin@example-au.example')).toEqual(['REF-2: Newcomer Broadband didn’t answer within 14 days']);
    expect((await nadia(api.referrals.getReferral, { referralToken: left })).data).toMatchObject({ state: 'expired' });
    expect(await nadia(api.referrals.declineReferral, { referralToken: left })).toMatchObject({
      status: 410,
      errors: [{ code: 'REFERRAL_EXPIRED' }],
    });
  });
});
