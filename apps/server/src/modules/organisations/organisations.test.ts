import { api } from '@portal/contract/api';
import { DAY_MS, dayIn } from '@portal/contract/days';
import type { Organisation } from '@portal/contract/organisations/organisations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sentFile } from '../../../test/sample-files.ts';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { giveStaffRole } from '../../../test/staff-roles.ts';
import { addContact } from '../accounts/index.ts';
import { closeDueAccounts } from './closing.ts';

const account = 'EXAMPLE-AU';
const timeZone = 'Australia/Brisbane';
type Person = Awaited<ReturnType<TestPortal['as']>>;
const organisationOf = async (person: Person, accountName = account): Promise<Organisation> =>
  (await person(api.organisations.getOrganisation, { account: accountName })).data!;
const lastLine = async (portal: TestPortal) => {
  const { action, accountName, refusal, details } = (await portal.lastActivity())!;
  return { action, accountName, refusal, details };
};
const subjects = async (portal: TestPortal, recipient: string): Promise<string[]> =>
  (await portal.mailsTo(recipient)).map(({ subject }) => subject);
const today = () => dayIn(timeZone, new Date());
const inDays = (days: number): string => dayIn(timeZone, new Date(Date.now() + days * DAY_MS));

const activity = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };

/** Olive becomes another contact of EXAMPLE-AU. */
async function withOlive(
  portal: TestPortal,
  given: { contactTypes: ['corporate' | 'technical']; permissions?: ['member-details-update'] },
) {
  const login = await portal.db.read
    .selectFrom('login')
    .select(['loginId', 'fullName', 'email'])
    .where('username', '=', 'olive')
    .executeTakeFirstOrThrow();
  await portal.db.change(activity, change => addContact(change, { accountName: account, ...login, ...given }));
  return portal.as('olive');
}

describe.each(kindsForRules)('details of an organisation on %s', kind => {
  test('any contact who may view contacts reads them, registry staff too; to others the account looks non-existent', async () => {
    await using portal = await testPortal(kind);
    const bill = await portal.as('bill');
    expect(await organisationOf(bill)).toMatchObject({
      accountName: account,
      orgName: 'Example Networks Pty Ltd',
      economy: 'AU',
      registrationNumber: 'ABN 00 000 000 019',
      organisationType: 'company',
      postalAddress: ['Level 3, 10 Example Street'],
      version: 1,
      delegations: 6,
      changes: [],
      closure: null,
    });
    const stella = await portal.as('stella');
    await stella(api.staff.startVisit, { accountName: account });
    expect(await organisationOf(stella)).toMatchObject({ accountName: account });
    expect(await organisationOf(await portal.as('max'), 'KELP-WS')).toMatchObject({
      version: 0,
      postalAddress: [],
      city: '',
      organisationType: null,
    });
    expect((await (await portal.as('olive'))(api.organisations.getOrganisation, { account })).status).toBe(404);
  });

  test('a corporate contact changes them immediately; before and after are in the log, corporate contacts get a mail', async () => {
    await using portal = await testPortal(kind);
    const corin = await portal.as('corin');
    const body = { version: 1, city: ' 南ブリスベン ', phone: '+61 7 5550 0123', website: 'https://networks.example/au' };
    const changed = await corin(api.organisations.updateOrganisation, { account, body });
    expect(changed).toMatchObject({
      status: 200,
      data: { version: 2, city: '南ブリスベン', phone: '+61 7 5550 0123', fax: '+61 7 5550 0199' },
    });
    expect(await lastLine(portal)).toEqual({
      action: 'organisations.updateOrganisation',
      accountName: account,
      refusal: null,
      details: {
        before: { city: 'South Brisbane', phone: '+61 7 5550 0100', website: 'https://www.example-au.example' },
        after: { city: '南ブリスベン', phone: '+61 7 5550 0123', website: 'https://networks.example/au' },
      },
    });
    const [mail] = await portal.mailsTo('corin@example-au.example');
    expect(mail).toMatchObject({ subject: 'Organisation details of EXAMPLE-AU changed' });
    expect(mail!.body).toContain('City: South Brisbane → 南ブリスベン');
    expect(await subjects(portal, 'tess@example-au.example')).toEqual([]);
  });

  test('saving unchanged values changes nothing and sends no mail', async () => {
    await using portal = await testPortal(kind);
    const corin = await portal.as('corin');
    expect(await corin(api.organisations.updateOrganisation, { account, body: { version: 1, city: 'South Brisbane' } })).toMatchObject({
      status: 200,
      data: { version: 1 },
    });
    expect(await subjects(portal, 'corin@example-au.example')).toEqual([]);
  });

  test('an account without details starts with its contact’s input, with markup and formulas unchanged', async () => {
    await using portal = await testPortal(kind);
    const max = await portal.as('max');
    const body = { version: 0, postalAddress: ['<b>=HYPERLINK("x")</b>', 'شارع المثال 12'], city: 'Apia', billingAddress: [] };
    const answer = await max(api.organisations.updateOrganisation, { account: 'KELP-WS', body });
    expect(answer).toMatchObject({ status: 200, data: { version: 1, postalAddress: body.postalAddress, city: 'Apia' } });
    expect((await max(api.organisations.updateOrganisation, { account: 'KELP-WS', body: { version: 0, city: 'Salelologa' } })).status).toBe(
      412,
    );
  });

  test('of two corporate contacts who edit concurrently one succeeds, the other is shown the first one’s version', async () => {
    await using portal = await testPortal(kind);
    const olive = await withOlive(portal, { contactTypes: ['corporate'] });
    const corin = await portal.as('corin');
    const answers = await Promise.all([
      corin(api.organisations.updateOrganisation, { account, body: { version: 1, phone: '+61 7 5550 0001' } }),
      olive(api.organisations.updateOrganisation, { account, body: { version: 1, phone: '+61 7 5550 0002' } }),
    ]);
    const [done, refused] = answers.toSorted((a, b) => a.status - b.status);
    expect(done).toMatchObject({ status: 200, data: { version: 2 } });
    expect(refused).toMatchObject({ status: 412, errors: [{ code: 'STALE' }], current: { version: 2, phone: done!.data!.phone } });
    expect((await organisationOf(corin)).phone).toBe(done!.data!.phone);
    expect(await subjects(portal, 'olive@other-sg.example')).toHaveLength(1);
  });

  test('a suspended account can still change its details; a closed one is not found', async () => {
    await using portal = await testPortal(kind);
    const max = await portal.as('max');
    const suspended = await max(api.organisations.updateOrganisation, { account: 'LATE-FJ', body: { version: 1, phone: '+679 555 0106' } });
    expect(suspended).toMatchObject({ status: 200, data: { phone: '+679 555 0106' } });
    expect(await max(api.organisations.updateOrganisation, { account: 'GONE-VU', body: { version: 0, phone: '' } })).toMatchObject({
      status: 404,
      errors: [{ code: 'ACCOUNT_NOT_FOUND' }],
    });
  });

  test('economy is changed by registry staff only, with the reason', async () => {
    await using portal = await testPortal(kind);
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const body = { version: 1, economy: 'nz', reason: 'Moved its seat to Auckland' };
    expect((await corin(api.organisations.setEconomy, { accountName: account, body })).status).toBe(404);
    expect(await stella(api.organisations.setEconomy, { accountName: 'NEVER-WAS', body })).toMatchObject({ status: 404 });
    expect(await stella(api.organisations.setEconomy, { accountName: 'GONE-VU', body })).toMatchObject({ status: 409 });
    expect(await stella(api.organisations.setEconomy, { accountName: account, body: { ...body, version: 7 } })).toMatchObject({
      status: 412,
      current: { economy: 'AU' },
    });
    // A second one of registry staff approves it (S25).
    await giveStaffRole(portal.db, 'nils', 'hostmaster');
    const nils = await portal.as('nils');
    expect(await stella(api.organisations.setEconomy, { accountName: account, body })).toMatchObject({ status: 409 });
    const [proposal] = (await nils(api.proposals.listStaffProposals, {})).data!.waiting;
    await nils(api.proposals.approveStaffProposal, { proposalId: proposal!.proposalId, body: { fingerprint: proposal!.fingerprint } });
    expect((await corin(api.organisations.getOrganisation, { account })).data).toMatchObject({ economy: 'NZ', version: 2 });
    expect(await lastLine(portal)).toMatchObject({
      accountName: account,
      details: { before: { economy: 'AU' }, after: { economy: 'NZ' } },
    });
    expect(await subjects(portal, 'corin@example-au.example')).toEqual(['The economy of EXAMPLE-AU changed']);
  });
});

describe('refused values', () => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal();
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const bidi = '\u202eevil';
  test.each([
    [{ postalAddress: [] }, 'postalAddress', 'Enter at least one line, such as street and number'],
    [{ postalAddress: ['Street 1', ' '] }, 'postalAddress.1', 'Remove empty lines from the address'],
    [{ postalAddress: ['1', '2', '3', '4', '5'] }, 'postalAddress', 'Enter the address in at most 4 lines'],
    [{ city: `Bris${bidi}` }, 'city', 'Enter one line, without control characters'],
    [{ postcode: '40/01' }, 'postcode', 'Enter a postcode of letters, digits, spaces and hyphens, such as 4101'],
    [{ phone: 'call me' }, 'phone', 'Enter a telephone number, such as +61 7 5550 0100'],
    [{ fax: '12' }, 'fax', 'Enter a telephone number, such as +61 7 5550 0100'],
    [{ website: 'javascript:alert(1)' }, 'website', 'Enter an address that starts with https:// or http://'],
    [{ website: 'ftp://example.net' }, 'website', 'Enter an address that starts with https:// or http://'],
    [{ website: 'www.example.net' }, 'website', 'Enter an address that starts with https:// or http://'],
    [{ website: 'https://user:secret@example.net' }, 'website', 'Enter an address that starts with https:// or http://'],
    [{ abuseEmail: 'abuse@' }, 'abuseEmail', 'Enter a valid email address'],
    [{ abuseEmail: 'abüse@example.net' }, 'abuseEmail', 'It must be a valid email in English'],
    [{ billingEmail: 'two@example.net, more@example.net' }, 'billingEmail', 'Enter a valid email address'],
  ])('%j', async (given, field, words) => {
    const corin = await portal.as('corin');
    const answer = await corin(api.organisations.updateOrganisation, { account, body: { version: 1, ...given } });
    expect(answer).toMatchObject({ status: 400, errors: [{ code: 'INVALID_REQUEST', field, message: expect.stringContaining(words) }] });
    expect((await organisationOf(corin)).version).toBe(1);
  });

  test('people without the permission, without a second factor, and staff who look', async () => {
    const update = async (name: string, options = {}) =>
      (await portal.as(name, options))(api.organisations.updateOrganisation, { account, body: { version: 1, city: 'x' } });
    expect(await update('tess')).toMatchObject({ status: 403, errors: [{ code: 'NO_PERMISSION' }] });
    expect(await update('corin', { mfa: false })).toMatchObject({ status: 401, errors: [{ code: 'MFA_REQUIRED' }] });
    expect(await update('stella')).toMatchObject({ status: 403, errors: [{ code: 'VISIT_NEEDED' }] });
  });

  test.each([
    [{ field: 'orgName', value: 'X' }, 'value', 'Enter the legal name, at least 2 characters'],
    [{ field: 'orgName', value: 'x'.repeat(256) }, 'value', 'Enter at most 255 characters'],
    [{ field: 'orgName', value: 'Example Networks Pty Ltd' }, 'value', 'This is already registered'],
    [{ field: 'registrationNumber', value: '--' }, 'value', 'Enter the number as in the public'],
    [{ field: 'organisationType', value: 'club' }, 'value', 'Choose one of company, partnership'],
    [{ field: 'economy', value: 'NZ' }, 'field', ''],
  ])('asked for %j', async (body, field, words) => {
    const corin = await portal.as('corin');
    expect(await corin(api.organisationChanges.requestOrganisationChange, { account, body: body as never })).toMatchObject({
      status: 400,
      errors: [{ code: 'INVALID_REQUEST', field, message: expect.stringContaining(words) }],
    });
  });

  test('only a corporate contact can request a new legal name, even where others may change details', async () => {
    const max = await portal.as('max');
    await portal.db.change(activity, change =>
      change
        .updateTable('contact')
        .set({ contactTypes: ['technical'] })
        .where('accountName', '=', 'KELP-WS')
        .execute(),
    );
    const ask = async (field: 'orgName' | 'registrationNumber', value: string) =>
      max(api.organisationChanges.requestOrganisationChange, {
        account: 'KELP-WS',
        body: { field, value, documentIds: [await sentFile(max)] },
      });
    expect(await ask('orgName', 'Olive Networks')).toMatchObject({
      status: 403,
      errors: [{ code: 'CORPORATE_ONLY', message: 'Sorry, you must be a corporate contact' }],
    });
    expect((await ask('registrationNumber', 'ABN 1')).status).toBe(202);
  });

  test.each([
    [{ confirmation: 'example-au' }, 'confirmation', 'Enter the account name, EXAMPLE-AU'],
    [{ closeOn: '2020-01-01' }, 'closeOn', 'The earliest day is today'],
    [{ closeOn: '2999-01-01' }, 'closeOn', 'Choose a date within a year'],
    [{ closeOn: 'soon' }, 'closeOn', 'Enter a date, such as 2027-06-30'],
    [{ resources: 'none' as const }, 'resources', 'EXAMPLE-AU holds 6 delegations. Choose whether they’re returned or transferred'],
    [{ resources: 'sell' as never }, 'resources', 'Choose one of return, transfer, none'],
    [{ reason: ' ' }, 'reason', 'Enter a few words'],
  ])('a closure with %j', async (given, field, words) => {
    const corin = await portal.as('corin');
    const body = { reason: 'We stop', closeOn: inDays(30), resources: 'return' as const, confirmation: account, ...given };
    expect(await corin(api.accountClosures.requestAccountClosure, { account, body })).toMatchObject({
      status: 400,
      errors: [{ code: 'INVALID_REQUEST', field, message: expect.stringContaining(words) }],
    });
    expect((await organisationOf(corin)).closure).toBeNull();
  });

  test('closing is requested by corporate contacts, with a second factor', async () => {
    const olive = await withOlive(portal, { contactTypes: ['technical'], permissions: ['member-details-update'] });
    const body = { reason: 'We stop', closeOn: inDays(30), resources: 'return' as const, confirmation: account };
    expect(await olive(api.accountClosures.requestAccountClosure, { account, body })).toMatchObject({
      status: 403,
      errors: [{ code: 'CORPORATE_ONLY' }],
    });
    const weak = await portal.as('corin', { mfa: false });
    expect(await weak(api.accountClosures.requestAccountClosure, { account, body })).toMatchObject({
      status: 401,
      errors: [{ code: 'MFA_REQUIRED' }],
    });
  });
});

describe.each(kindsForRules)('changes that are for the registry on %s', kind => {
  test('acceptance scenario 7: Corin cannot rename without a document; with one the request waits, and the old name stays until it is approved', async () => {
    await using portal = await testPortal(kind);
    const [corin, tess, stella] = await Promise.all([portal.as('corin'), portal.as('tess'), portal.as('stella')]);
    const ask = (documentIds: string[]) =>
      corin(api.organisationChanges.requestOrganisationChange, {
        account,
        body: { field: 'orgName', value: 'Example Networks Limited', documentIds },
      });
    expect(await ask([])).toMatchObject({
      status: 422,
      errors: [{ code: 'DOCUMENT_MISSING', message: expect.stringContaining('certificate') }],
    });
    // A document must have been sent, and by the same person.
    expect(await ask([await sentFile(tess)])).toMatchObject({ status: 404, errors: [{ code: 'NOT_FOUND' }] });
    expect((await ask(['999999'])).status).toBe(404);
    expect((await organisationOf(corin)).changes).toEqual([]);

    const paper = await sentFile(corin, { fileName: 'certificate of change.pdf' });
    const asked = await ask([paper]);
    expect(asked).toMatchObject({
      status: 202,
      data: {
        state: 'submitted',
        papers: [{ documentId: paper, fileName: 'certificate of change.pdf', kind: 'pdf', uploadedBy: 'Corin Achterberg' }],
      },
    });
    const { changeId, reference } = asked.data!;
    expect((await organisationOf(corin)).orgName).toBe('Example Networks Pty Ltd');
    expect((await portal.mailsTo('corin@example-au.example')).at(-1)!.body).toContain('Attached: certificate of change.pdf.');
    const documents = await corin(api.documents.listDocuments, { account });
    expect(documents.data!.rows).toMatchObject([{ documentId: paper, reference, type: 'legal', visibility: 'corporate' }]);
    expect((await tess(api.documents.listDocuments, { account })).data!.rows).toEqual([]);

    const list = await stella(api.organisationChanges.listStaffOrganisationChanges, { query: { q: reference } });
    expect(list.data!.rows[0]!.papers).toMatchObject([{ documentId: paper }]);
    const { address } = (await stella(api.documents.openStaffDocument, { documentId: paper })).data!;
    expect(await (await stella(api.files.downloadFile, { address })).data!.blob.text()).toContain('%PDF');
    await stella(api.organisationChanges.approveOrganisationChange, { changeId, body: {} });
    expect((await organisationOf(corin)).orgName).toBe('Example Networks Limited');
  });

  test('a new legal name waits, is looked into, asked about, answered and approved; until then the old one stays', async () => {
    await using portal = await testPortal(kind);
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const value = 'Example Networks 株式会社';
    const asked = await corin(api.organisationChanges.requestOrganisationChange, {
      account,
      body: { field: 'orgName', value, reason: 'Merged', documentIds: [await sentFile(corin)] },
    });
    expect(asked).toMatchObject({
      status: 202,
      data: { state: 'submitted', presentValue: 'Example Networks Pty Ltd', wantedValue: value, resolvedBy: null },
    });
    const { changeId, reference } = asked.data!;
    expect(await organisationOf(corin)).toMatchObject({
      orgName: 'Example Networks Pty Ltd',
      version: 1,
      changes: [{ changeId, wantedValue: value }],
    });
    const [mail] = await portal.mailsTo('corin@example-au.example');
    expect(mail!.subject).toBe(`${reference}: request to change the legal name of EXAMPLE-AU`);
    expect(mail!.body).toContain('Attached: paper.pdf.');

    const list = await stella(api.organisationChanges.listStaffOrganisationChanges, { query: { q: reference } });
    expect(list.data).toMatchObject({
      total: 1,
      rows: [{ changeId, accountName: account, requesterEmail: 'corin@example-au.example', valueNow: 'Example Networks Pty Ltd' }],
    });
    expect(await stella(api.organisationChanges.reviewOrganisationChange, { changeId })).toMatchObject({
      status: 200,
      data: { state: 'in-review' },
    });
    expect(await stella(api.organisationChanges.reviewOrganisationChange, { changeId })).toMatchObject({
      status: 409,
      errors: [{ code: 'REQUEST_STATE', message: `This isn’t possible now: ${reference} is in review: the registry decides it` }],
      current: { state: 'in-review' },
    });
    expect(await corin(api.organisationChanges.answerOrganisationChange, { account, changeId, body: { answer: 'x' } })).toMatchObject({
      status: 409,
      errors: [{ code: 'REQUEST_STATE' }],
    });
    const question = 'Please send the certificate of change of name';
    expect(await stella(api.organisationChanges.askAboutOrganisationChange, { changeId, body: { question } })).toMatchObject({
      data: { state: 'needs-info', question },
    });
    expect(
      await corin(api.organisationChanges.answerOrganisationChange, {
        account,
        changeId,
        body: { answer: 'Here it is', documentIds: [await sentFile(corin, { fileName: 'change.pdf' })] },
      }),
    ).toMatchObject({
      status: 200,
      data: { state: 'in-review', question, answer: 'Here it is', papers: [{ fileName: 'paper.pdf' }, { fileName: 'change.pdf' }] },
    });
    expect((await organisationOf(corin)).orgName).toBe('Example Networks Pty Ltd');
    expect(await stella(api.organisationChanges.approveOrganisationChange, { changeId, body: {} })).toMatchObject({
      status: 200,
      data: { state: 'approved', valueNow: value, resolvedBy: 'Stella Kowalski' },
    });
    expect(await organisationOf(corin)).toMatchObject({ orgName: value, version: 2, changes: [] });
    expect((await corin(api.accounts.listAccounts, {})).data!.find(({ accountName }) => accountName === account)!.orgName).toBe(value);
    const history = await corin(api.organisationChanges.listOrganisationChanges, { account });
    expect(history.data).toMatchObject({ total: 1, rows: [{ state: 'approved', resolvedBy: 'Registry staff' }] });
    expect(await lastLine(portal)).toMatchObject({
      action: 'organisations.changes.approveOrganisationChange',
      accountName: account,
      details: { field: 'orgName', before: 'Example Networks Pty Ltd', after: value },
    });
    expect((await subjects(portal, 'corin@example-au.example')).at(-1)).toBe(`${reference}: the registry approved a change of EXAMPLE-AU`);
  });

  test('one open request per field: a concurrent second one is shown the first; other fields are free', async () => {
    await using portal = await testPortal(kind);
    const olive = await withOlive(portal, { contactTypes: ['corporate'] });
    const corin = await portal.as('corin');
    const ask = async (person: Person, value: string) =>
      person(api.organisationChanges.requestOrganisationChange, {
        account,
        body: { field: 'registrationNumber', value, documentIds: [await sentFile(person)] },
      });
    const answers = await Promise.all([ask(corin, 'ABN 1'), ask(olive, 'ABN 2')]);
    const [done, refused] = answers.toSorted((a, b) => a.status - b.status);
    expect([done!.status, refused!.status]).toEqual([202, 409]);
    expect(refused).toMatchObject({ errors: [{ code: 'REGISTRY_DECIDES' }], current: { wantedValue: done!.data!.wantedValue } });
    expect(
      (await corin(api.organisationChanges.requestOrganisationChange, { account, body: { field: 'organisationType', value: 'other' } }))
        .status,
    ).toBe(202);
  });

  test('withdrawn and decided at the same time: one succeeds, the other is shown the result', async () => {
    await using portal = await testPortal(kind);
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const { changeId } = (
      await corin(api.organisationChanges.requestOrganisationChange, { account, body: { field: 'organisationType', value: 'partnership' } })
    ).data!;
    const [withdrawn, approved] = await Promise.all([
      corin(api.organisationChanges.withdrawOrganisationChange, { account, changeId }),
      stella(api.organisationChanges.approveOrganisationChange, { changeId, body: {} }),
    ]);
    expect([withdrawn.status, approved.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
    const { organisationType, changes } = await organisationOf(corin);
    expect({ organisationType, changes }).toEqual({ organisationType: approved.status === 200 ? 'partnership' : 'company', changes: [] });
    const refused = approved.status === 409 ? approved : withdrawn;
    expect(refused).toMatchObject({
      errors: [{ code: 'ALREADY_RESOLVED' }],
      current: { state: approved.status === 409 ? 'withdrawn' : 'approved' },
    });
  });

  test('refused with its reason, everything stays unchanged; members see Registry staff as its author', async () => {
    await using portal = await testPortal(kind);
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const { changeId } = (
      await corin(api.organisationChanges.requestOrganisationChange, {
        account,
        body: { field: 'orgName', value: '=1+1 <script>', documentIds: [await sentFile(corin)] },
      })
    ).data!;
    expect((await stella(api.organisationChanges.refuseOrganisationChange, { changeId, body: { reason: '' } })).status).toBe(400);
    await stella(api.organisationChanges.refuseOrganisationChange, { changeId, body: { reason: 'That is no name' } });
    const { data } = await corin(api.organisationChanges.listOrganisationChanges, { account });
    expect(data!.rows).toMatchObject([
      { state: 'rejected', wantedValue: '=1+1 <script>', note: 'That is no name', resolvedBy: 'Registry staff' },
    ]);
    expect((await organisationOf(corin)).orgName).toBe('Example Networks Pty Ltd');
  });

  test('the request of another account is not found, and staff can’t decide for their own accounts', async () => {
    await using portal = await testPortal(kind);
    const [corin, olive, stella] = [await portal.as('corin'), await portal.as('olive'), await portal.as('stella')];
    const { changeId } = (
      await corin(api.organisationChanges.requestOrganisationChange, { account, body: { field: 'organisationType', value: 'other' } })
    ).data!;
    expect((await olive(api.organisationChanges.withdrawOrganisationChange, { account: 'OTHER-SG', changeId })).status).toBe(404);
    expect((await corin(api.organisationChanges.approveOrganisationChange, { changeId, body: {} })).status).toBe(404);
    for (const unknown of ['0', 'x', '99999999999999999999'])
      expect((await stella(api.organisationChanges.approveOrganisationChange, { changeId: unknown, body: {} })).status).toBe(404);
    const login = await portal.db.read
      .selectFrom('login')
      .select(['loginId', 'fullName', 'email'])
      .where('username', '=', 'stella')
      .executeTakeFirstOrThrow();
    await portal.db.change(activity, change => addContact(change, { accountName: account, ...login, contactTypes: ['technical'] }));
    expect(await stella(api.organisationChanges.approveOrganisationChange, { changeId, body: {} })).toMatchObject({
      status: 403,
      errors: [{ code: 'OWN_REQUEST' }],
    });
  });
});

describe.each(kindsForRules)('the end of an account on %s', kind => {
  const ask = (person: Person, more = {}) =>
    person(api.accountClosures.requestAccountClosure, {
      account,
      body: { reason: 'Sold', closeOn: inDays(10), resources: 'transfer', confirmation: account, ...more },
    });

  test('is requested, approved, and carried out on its day and not before; then its contacts no longer find the account', async () => {
    await using portal = await testPortal(kind);
    const [corin, stella, bill] = [await portal.as('corin'), await portal.as('stella'), await portal.as('bill')];
    const asked = await ask(corin);
    expect(asked).toMatchObject({ status: 202, data: { state: 'submitted', closeOn: inDays(10), resources: 'transfer' } });
    expect(await ask(corin)).toMatchObject({ status: 409, errors: [{ code: 'REGISTRY_DECIDES' }], current: { state: 'submitted' } });
    await corin(api.organisationChanges.requestOrganisationChange, { account, body: { field: 'organisationType', value: 'other' } });
    const { closureId } = asked.data!;
    const close = (days: number) =>
      closeDueAccounts(portal.db, { now: new Date(Date.now() + days * DAY_MS), profile: portal.context.profile });
    await close(30);
    expect((await bill(api.organisations.getOrganisation, { account })).status).toBe(200);
    expect(await stella(api.accountClosures.approveAccountClosure, { closureId, body: { note: 'Thank you' } })).toMatchObject({
      status: 200,
      data: { state: 'approved', delegations: 6 },
    });
    expect((await stella(api.accountClosures.approveAccountClosure, { closureId, body: {} })).status).toBe(409);
    await close(9);
    expect(await organisationOf(bill)).toMatchObject({ closure: { state: 'approved', resolvedBy: 'Registry staff' } });
    await close(10);
    expect(await bill(api.organisations.getOrganisation, { account })).toMatchObject({
      status: 404,
      errors: [{ code: 'ACCOUNT_NOT_FOUND' }],
    });
    expect(await lastLine(portal)).toMatchObject({ action: 'organisations.closures.closeAccount', accountName: account });
    expect(await corin(api.accountClosures.withdrawAccountClosure, { account, closureId })).toMatchObject({ status: 404 });
    await close(11);
    expect((await subjects(portal, 'bill@example-au.example')).filter(subject => subject === 'EXAMPLE-AU is closed')).toHaveLength(1);
    const { data } = await stella(api.organisationChanges.listStaffOrganisationChanges, { query: { status: 'resolved' } });
    expect(data!.rows).toMatchObject([{ state: 'rejected', note: 'The account was closed.' }]);
    const closed = await stella(api.accountClosures.listStaffAccountClosures, { query: { status: 'resolved' } });
    expect(closed.data!.rows).toMatchObject([{ state: 'closed', accountStatus: 'closed' }]);
  });

  test('can be withdrawn after the approval, and requested again', async () => {
    await using portal = await testPortal(kind);
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const { closureId } = (await ask(corin, { closeOn: today() })).data!;
    await stella(api.accountClosures.approveAccountClosure, { closureId, body: {} });
    expect(await corin(api.accountClosures.withdrawAccountClosure, { account, closureId })).toMatchObject({
      status: 200,
      data: { state: 'withdrawn' },
    });
    expect((await corin(api.accountClosures.withdrawAccountClosure, { account, closureId })).status).toBe(409);
    await closeDueAccounts(portal.db, { now: new Date(Date.now() + DAY_MS), profile: portal.context.profile });
    expect(await organisationOf(corin)).toMatchObject({ closure: { state: 'withdrawn', resolvedBy: 'Corin Achterberg' } });
    expect((await ask(corin)).status).toBe(202);
  });

  test('an account with a locked resource can’t be closed: on request, approval, or its day', async () => {
    await using portal = await testPortal(kind);
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const lock = () => corin(api.resourceLocks.addLocks, { account, body: { resources: ['AS64500'] } });
    const release = () =>
      portal.db.change({ action: 'test', summary: 'Released', traceId: '0'.repeat(32) }, change =>
        change.deleteFrom('resourceLock').execute(),
      );
    const refused = { status: 409, errors: [{ code: 'RESOURCE_LOCKED', message: expect.stringContaining('AS64500') }] };
    await lock();
    expect(await ask(corin)).toMatchObject(refused);
    await release();
    const { closureId } = (await ask(corin)).data!;
    await lock();
    expect(await stella(api.accountClosures.approveAccountClosure, { closureId, body: {} })).toMatchObject(refused);
    await release();
    expect(await stella(api.accountClosures.approveAccountClosure, { closureId, body: {} })).toMatchObject({ status: 200 });
    await lock();
    await closeDueAccounts(portal.db, { now: new Date(Date.now() + 11 * DAY_MS), profile: portal.context.profile });
    const kept = await portal.db.read
      .selectFrom('account')
      .select('accountStatus')
      .where('accountName', '=', account)
      .executeTakeFirstOrThrow();
    expect(kept.accountStatus).toBe('open');
    expect(await stella(api.accountClosures.getStaffAccountClosure, { closureId })).toMatchObject({
      data: { state: 'rejected', note: expect.stringContaining('AS64500 is locked') },
    });
    expect((await portal.mailsTo('corin@example-au.example')).at(-1)!.subject).toContain('stays open');
  });

  test('refused, also after it was approved', async () => {
    await using portal = await testPortal(kind);
    const [corin, stella] = [await portal.as('corin'), await portal.as('stella')];
    const { closureId } = (await ask(corin)).data!;
    await stella(api.accountClosures.approveAccountClosure, { closureId, body: {} });
    const { data } = await stella(api.accountClosures.listStaffAccountClosures, {});
    expect(data!.rows).toMatchObject([{ closureId, state: 'approved' }]);
    expect(await stella(api.accountClosures.refuseAccountClosure, { closureId, body: { reason: 'An invoice is open' } })).toMatchObject({
      status: 200,
      data: { state: 'rejected', note: 'An invoice is open' },
    });
    await closeDueAccounts(portal.db, { now: new Date(Date.now() + 40 * DAY_MS), profile: portal.context.profile });
    expect((await organisationOf(corin)).closure).toMatchObject({ state: 'rejected' });
  });
});

test('the day of a closure is the registry’s', () => {
  expect(dayIn('Australia/Brisbane', new Date('2026-11-21T14:30:00Z'))).toBe('2026-11-22');
  expect(dayIn('Pacific/Pago_Pago', new Date('2026-11-21T10:30:00Z'))).toBe('2026-11-20');
});
