import { type Endpoint, isUpload } from '@portal/contract';
import { allEndpoints, api } from '@portal/contract/api';
import { type ApplicationDraft, emptyApplication } from '@portal/contract/applications/application-form';
import { DAY_MS, utcDay } from '@portal/contract/days';
import { emptyForm, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDemoPools } from '../../src/modules/resources/demo-pools.ts';
import { approveByTwo, completePaid, payFee } from '../deciding-requests.ts';
import { type TestPortal, testPortal } from '../portal.ts';
import { sentFile } from '../sample-files.ts';
import { opened, type Schema } from './words-in-schemas.ts';

type Person = Awaited<ReturnType<TestPortal['as']>>;

/** Texts that a spreadsheet or a browser would execute, and two scripts, one of them right to left. */
const beginnings = ['=1+1', '+1+1', '-1+1', '@SUM(1)', '\t=1+1', '＝1+1'];
const markup = '<img src=x onerror=alert(1)>';
let count = 0;
const nasty = (): string => `${beginnings[count++ % beginnings.length]}${markup}山ع`;

/** Calls whose text fields no scenario here covers, and why; `bad-words.test.ts` calls them with such text anyway. */
const broughtInElsewhere: Readonly<Record<string, string>> = {
  'apiKeys.': 'labels of keys, in mails of the one writer that is tried here; networks have a syntax of their own',
  'announcements.': 'what registry staff announce, in pages that show text as text; the feeds are tried with such words in their tests',
  'billing.':
    'notes of registry staff on an invoice, which are in no mail and no file, and a note to a colleague, in mails of the one writer that is tried here',
  'brand.': 'names and links of the registry, of which every page, feed and file is tried with such words in their tests',
  'statusPages.watchers.': 'where watchers are, of which the status page is tried with such words in their tests',
  'customers.': 'names of customers, which are in no mail and no file',
  'dataQuality.': 'words that registry staff search for, and what they write to members, in mails of the one writer that is tried here',
  'privacy.': 'words of registry staff about a legal hold, in pages that show text as text',
  'restraints.': 'what registry staff write to a member, in mails of the one writer that is tried here and in pages that show text as text',
  'features.': 'reasons of registry staff, in pages that show text as text',
  'legal.':
    'what registry staff write and search for, in pages that show text as text; the public pages and the file are tried with such words in their tests',
  'elections.addElection': 'what registry staff announce, in pages that show text as text',
  'elections.changeElection': 'what registry staff announce, in pages that show text as text',
  'elections.cancelElection': 'what registry staff announce, in pages that show text as text',
  'elections.options.': 'what registry staff announce, in pages that show text as text; the ballot is tried with such words in its tests',
  'elections.conferences.': 'lists of registry staff, in pages that show text as text',
  'elections.proxies.':
    'names of proxies and reasons of registry staff, in mails of the one writer that is tried here and in pages that show text as text',
  'encryptedBallots.objections.':
    'reasons of accounts and of returning officers, in mails of the one writer that is tried here and in pages that show text as text',
  'encryptedBallots.': 'messages of a protocol, read strictly, of which no page and no mail shows a word',
  'events.': 'what registry staff announce and decide, in pages that show text as text; the calendar is tried with such words in its tests',
  'tasks.setAside.': 'names of work that is in the database, which are looked up and shown nowhere',
  'whois.reclaims.': 'reasons of holders, in mails of the one writer that is tried here',
  'identity.people.savePreferences': 'settings of a person, which nobody else is shown',
  'identity.frozenLogins.unfreezeLogin': 'tried here, and refused: nobody is frozen in the demo registry',
  'mail.mailTexts.':
    'texts of mails that registry staff change, in mails of the one writer that is tried here; their tests try such words, and every word in braces',
  'nir.':
    'what a national registry records of its members, in pages that show text as text; the file of delegations is tried in their tests, and the rest goes into whois objects',
  'rpki.desk.importSignature': 'a file of the trust anchor, read strictly; what its refusal repeats of it is shown as text',
  'reverseDns.':
    'zones, servers, keys and handles have a syntax of their own, and are tried in the tests of reverse-dns; the rest goes into whois objects',
  'webhooks.': 'labels and addresses of webhooks, in mails of the one writer that is tried here and in pages that show text as text',
  'tasks.echo': 'there for the tests of tasks',
  'whois.': 'objects have a syntax of their own, and are tried with text from outside in the tests of whois',
};

/** The places of a body that accept any text: `draft.orgName`, `postalAddress[]`. */
function placesOfWords(schema: Schema, place = ''): string[] {
  const { type, shape, innerType, element, options, in: input } = schema._zod.def;
  if (type === 'string') return schema.safeParse('ab <b> 山').success ? [place] : [];
  if (shape) return Object.entries(shape).flatMap(([name, each]) => placesOfWords(each, place === '' ? name : `${place}.${name}`));
  if (element) return placesOfWords(element, `${place}[]`);
  return [innerType, input, ...(options ?? [])].flatMap(each => (each ? placesOfWords(each, place) : []));
}
const wordsOf = (endpoint: Endpoint): string[] => (endpoint.body && !isUpload(endpoint.body) ? placesOfWords(opened(endpoint.body)) : []);

/** Returns the places of hostile text in a body. */
function nastyPlaces(value: unknown, place = ''): string[] {
  if (typeof value === 'string') return value.includes('<img src=x') ? [place] : [];
  if (Array.isArray(value)) return value.flatMap(each => nastyPlaces(each, `${place}[]`));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, each]) => nastyPlaces(each, place === '' ? name : `${place}.${name}`));
}

/** Cells of a CSV file (RFC 4180), all rows together. */
function cellsOf(csv: string): string[] {
  return [...csv.matchAll(/(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
  );
}

const account = 'EXAMPLE-AU';
const agreementVersion = '2026-07';
const inDays = (days: number): string => utcDay(Date.now() + days * DAY_MS);

describe('hostile text', () => {
  let portal: TestPortal;
  /** Places they went through. */
  const gone = new Set<string>();

  /** Returns a person's calls: they have to succeed or be pending, and the places of hostile text are recorded. */
  const as = async (name: string): Promise<Person> => {
    const person = await portal.as(name);
    return (async (endpoint: Endpoint, input: { body?: unknown }) => {
      const answer = await person(endpoint as never, input as never);
      const { status, errors } = answer as { status: number; errors?: { code: string; message: string }[] };
      if (errors?.[0]?.code !== 'SECOND_PERSON') expect(`${endpoint.id}: ${status} ${errors?.[0]?.message ?? ''}`).toMatch(/: 20\d /);
      for (const place of nastyPlaces(input.body)) gone.add(`${endpoint.id} ${place}`);
      return answer;
    }) as unknown as Person;
  };
  /** Calls that are impossible with such text are refused with a readable sentence. */
  const refused = async (name: string, endpoint: Endpoint, input: { body?: unknown }): Promise<void> => {
    const answer = (await (await portal.as(name))(endpoint as never, input as never)) as { status: number; errors?: { message: string }[] };
    expect([400, 403, 404, 409, 412, 422]).toContain(answer.status);
    expect(answer.errors![0]!.message).not.toBe('');
    for (const place of nastyPlaces(input.body)) gone.add(`${endpoint.id} ${place}`);
  };
  const contactOf = async (fullName: string) =>
    (await (await portal.as('corin'))(api.contacts.listContacts, { account, query: { limit: 500 } })).data!.rows.find(
      row => row.fullName === fullName || row.email.startsWith(fullName),
    )!;

  beforeAll(async () => {
    portal = await testPortal();
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('passes through contacts, requests and reviews as text', async () => {
    const [corin, tess, bill, stella] = (await Promise.all(['corin', 'tess', 'bill', 'stella'].map(as))) as [
      Person,
      Person,
      Person,
      Person,
    ];
    const person = () => ({ fullName: nasty(), position: nasty() });
    const invite = (email: string, type: 'technical' | 'corporate') =>
      corin(api.contacts.inviteContact, { account, body: { ...person(), email, contactTypes: [type], reason: nasty() } });
    await invite('one@nasty.example', 'technical');
    await invite('two@nasty.example', 'corporate');
    await invite('three@nasty.example', 'corporate');
    await corin(api.contacts.inviteHelper, {
      account,
      body: { ...person(), phone: '', email: 'four@nasty.example', until: inDays(20), permissions: ['resources-view'] },
    });
    const { rows: waiting } = (await stella(api.registryRequests.listRegistryRequests, { query: {} })).data!;
    await stella(api.registryRequests.approveRegistryRequest, { requestId: waiting[0]!.requestId, body: { note: nasty() } });
    await stella(api.registryRequests.refuseRegistryRequest, { requestId: waiting[1]!.requestId, body: { reason: nasty() } });

    const one = await contactOf('one@');
    await corin(api.contacts.updateContact, {
      account,
      contactId: one.contactId,
      body: { version: one.version, ...person(), reason: nasty() },
    });
    const { version, phone } = (await tess(api.contacts.getMyContact, { account })).data!;
    await tess(api.contacts.updateOwnDetails, { account, body: { version, phone, ...person() } });

    const asked = await tess(api.contacts.askForPermission, { account, body: { permissions: ['member-billing-view'], message: nasty() } });
    await corin(api.accessRequests.resolveAccessRequest, {
      account,
      body: { requestId: asked.data!.requestId, decision: 'rejected', note: nasty() },
    });
    const [four, billing] = [await contactOf('four@'), await contactOf('bill@')];
    await tess(api.accessRequests.requestContactChange, {
      account,
      body: { kind: 'add-contact', fullName: nasty(), email: 'five@nasty.example', contactTypes: ['technical'], reason: nasty() },
    });
    await tess(api.accessRequests.requestContactChange, {
      account,
      body: { kind: 'remove-contact', contactId: four.contactId, version: four.version, reason: nasty() },
    });
    await tess(api.accessRequests.requestContactChange, {
      account,
      body: {
        kind: 'change-role',
        contactId: billing.contactId,
        version: billing.version,
        contactTypes: ['billing', 'technical'],
        reason: nasty(),
      },
    });

    const { rows } = (await corin(api.contacts.listContacts, { account, query: { limit: 500 } })).data!;
    const decisions = rows
      .filter(row => !row.isMe && row.status === 'active')
      .map(row => ({ contactId: row.contactId, version: row.version, decision: 'keep' as const, reason: nasty() }));
    await corin(api.accessReviews.reviewAccess, { account, body: { decisions } });
    const now = await contactOf('one@');
    await corin(api.contacts.removeContact, { account, contactId: now.contactId, body: { version: now.version, reason: nasty() } });
    const [tilda, to] = [await contactOf('tilda@'), await contactOf('bill@')];
    await refused('corin', api.accessReviews.handOver, {
      account,
      contactId: tilda.contactId,
      body: {
        version: tilda.version,
        to: { contactId: to.contactId, version: to.version },
        permissions: [],
        maintainers: [nasty()],
        reason: '',
      },
    } as never);
    await corin(api.accessReviews.handOver, {
      account,
      contactId: tilda.contactId,
      body: {
        version: tilda.version,
        to: { contactId: to.contactId, version: to.version },
        permissions: [],
        maintainers: [],
        reason: nasty(),
      },
    });
    await bill(api.contacts.leaveAccount, { account, body: { reason: nasty() } });
  });

  test('passes through the organisation, its changes and its closing', async () => {
    const [corin, stella, stan] = (await Promise.all(['corin', 'stella', 'stan'].map(as))) as [Person, Person, Person];
    const { version } = (await corin(api.organisations.getOrganisation, { account })).data!;
    await corin(api.organisations.updateOrganisation, {
      account,
      body: { version, postalAddress: [nasty()], city: nasty(), region: nasty(), billingAddress: [nasty()], poNumber: nasty() },
    });
    const ask = async (field: 'orgName' | 'registrationNumber') =>
      (
        await corin(api.organisationChanges.requestOrganisationChange, {
          account,
          body: { field, value: nasty(), reason: nasty(), documentIds: [await sentFile(await portal.as('corin'))] },
        })
      ).data!.changeId;
    const [name, number] = [await ask('orgName'), await ask('registrationNumber')];
    await stella(api.organisationChanges.askAboutOrganisationChange, { changeId: name, body: { question: nasty() } });
    await corin(api.organisationChanges.answerOrganisationChange, { account, changeId: name, body: { answer: nasty() } });
    await stella(api.organisationChanges.approveOrganisationChange, { changeId: name, body: { note: nasty() } });
    await stella(api.organisationChanges.refuseOrganisationChange, { changeId: number, body: { reason: nasty() } });

    const organisation = (await corin(api.organisations.getOrganisation, { account })).data!;
    await stella(api.organisations.setEconomy, {
      accountName: account,
      body: { version: organisation.version, economy: 'NZ', reason: nasty() },
    });
    const { waiting } = (await stan(api.proposals.listStaffProposals, {})).data!;
    await stan(api.proposals.rejectStaffProposal, { proposalId: waiting[0]!.proposalId, body: { note: nasty() } });
    await refused('corin', api.proposals.rejectProposal, { account, proposalId: '0', body: { note: nasty() } } as never);

    const closing = { reason: nasty(), closeOn: inDays(40), resources: 'return', confirmation: account } as const;
    await refused('corin', api.accountClosures.requestAccountClosure, { account, body: { ...closing, confirmation: nasty() } } as never);
    const close = async () => (await corin(api.accountClosures.requestAccountClosure, { account, body: closing })).data!.closureId;
    await stella(api.accountClosures.refuseAccountClosure, { closureId: await close(), body: { reason: nasty() } });
    await stella(api.accountClosures.approveAccountClosure, { closureId: await close(), body: { note: nasty() } });
  });

  test('passes through documents, applications, referrals, and staff searches', async () => {
    const [corin, stella, nadia, olive] = (await Promise.all(['corin', 'stella', 'nadia', 'olive'].map(as))) as [
      Person,
      Person,
      Person,
      Person,
    ];
    const document = { type: 'other', visibility: 'all-contacts' } as const;
    const sent = (person: Person) => sentFile(person, { fileName: `${nasty()}.pdf` });
    const { documentId } = (
      await corin(api.documents.addDocument, {
        account,
        body: { ...document, documentId: await sent(await portal.as('corin')), title: nasty() },
      })
    ).data!;
    await stella(api.documents.addStaffDocument, {
      accountName: account,
      body: { ...document, documentId: await sent(await portal.as('stella')), title: nasty(), toSign: true },
    });
    await stella(api.documents.deleteDocument, { documentId, body: { reason: nasty() } });

    const apply = async (name: string, person: Person, accountName: string): Promise<string> => {
      const { applicationId, version } = (await person(api.applications.startApplication, {})).data!;
      const everything = { ...emptyApplication };
      for (const place of placesOfWords(
        (api.applications.saveDraft.body as unknown as { _zod: { def: { shape: { draft: Schema } } } })._zod.def.shape.draft,
      )) {
        const [outer, inner] = place.split('.') as [keyof ApplicationDraft, string | undefined];
        if (inner) Object.assign(everything, { [outer]: { ...(everything[outer] as object), [inner]: nasty() } });
        else Object.assign(everything, { [outer]: nasty() });
      }
      // An invalid value is stored nevertheless: a draft is not an application yet.
      const kept = await person(api.applications.saveDraft, {
        applicationId,
        body: { version, step: 'review', draft: everything, documentIds: [] },
      });
      await person(api.applications.checkAccountName, { applicationId, body: { name: nasty() } });
      const draft: ApplicationDraft = {
        ...emptyApplication,
        orgName: nasty(),
        economy: 'FJ',
        organisationType: 'company',
        business: 'internet service provider',
        registrationNumber: nasty(),
        tradingName: nasty(),
        postalAddress: nasty(),
        city: nasty(),
        region: nasty(),
        phone: '+679 555 0140',
        abuseEmail: 'abuse@lagoon.example',
        position: nasty(),
        contactPhone: '+679 555 0141',
        accountName,
        resources: ['ipv6'],
        networkPlan: nasty(),
        billingEmail: 'accounts@lagoon.example',
        poNumber: nasty(),
      };
      const paper = await sentFile(person);
      const last = await person(api.applications.saveDraft, {
        applicationId,
        body: { version: kept.data!.version, step: 'review', draft, documentIds: [paper] },
      });
      await refused(name, api.applications.submitApplication, {
        applicationId,
        body: { version: last.data!.version, agreementVersion: nasty(), truthful: true },
      } as never);
      await person(api.applications.submitApplication, {
        applicationId,
        body: { version: last.data!.version, agreementVersion, truthful: true },
      });
      return applicationId;
    };
    const first = await apply('nadia', nadia, 'lagoon-fj');
    await stella(api.applications.askAboutApplication, { applicationId: first, body: { question: nasty() } });
    const { version } = (await nadia(api.applications.getApplication, { applicationId: first })).data!;
    await nadia(api.applications.answerApplication, { applicationId: first, body: { version, answer: nasty() } });
    await stella(api.applications.refuseApplication, { applicationId: first, body: { reason: nasty() } });
    await stella(api.applications.approveApplication, { applicationId: await apply('olive', olive, 'reef-fj'), body: { note: nasty() } });

    await corin(api.referrals.referCustomer, {
      account: 'SOUTHSITE-NZ',
      body: { orgName: nasty(), economy: 'NZ', contactName: nasty(), contactEmail: 'customer@nasty.example', note: nasty(), consent: true },
    });
    await stella(api.desk.findPeople, { body: { q: nasty() } });
    await refused('stella', api.frozenLogins.unfreezeLogin, { username: 'bill', body: { reason: nasty() } } as never);
  });

  test('passes through the comments of ROAs as text, and is refused as prefixes and AS numbers', async () => {
    const corin = await as('corin');
    await corin(api.rpki.enable, { account });
    const add = [{ prefix: '198.18.0.0/19', asn: 'AS64500', comment: nasty() }];
    const wrong = [{ prefix: nasty(), asn: nasty(), comment: nasty() }];
    await corin(api.rpki.checkRoas, { account, body: { add, remove: [] } });
    await corin(api.rpki.changeRoas, { account, body: { version: 1, add, remove: [] } });
    const { version, rows } = (await corin(api.rpki.listRoas, { account, query: {} })).data!;
    expect(rows).toMatchObject([{ comment: add[0]!.comment }]);
    await refused('corin', api.rpki.changeRoas, { account, body: { version, add: wrong, remove: [] } } as never);
    await refused('corin', api.rpki.checkRoas, { account, body: { add: wrong, remove: [] } } as never);
    const aspa = { customer: 'AS64500', providers: ['AS64501'], comment: nasty(), version: 0 };
    const { data: stated } = await corin(api.rpkiAspas.saveAspa, { account, body: aspa });
    expect(stated).toMatchObject({ comment: aspa.comment.trim() });
    const numbers = { customer: nasty(), providers: [nasty()] };
    await refused('corin', api.rpkiAspas.saveAspa, { account, body: { ...numbers, comment: '', version: 0 } } as never);
    const { data: checked } = await corin(api.rpkiAspas.checkAspa, { account, body: { customer: 'AS1', providers: ['AS2'] } });
    expect(checked!.problems).not.toEqual([]);
    await refused('corin', api.rpkiAspas.checkAspa, { account, body: numbers } as never);
    const files = [{ name: null, sha256: 'ab'.repeat(32) }];
    const comment = nasty();
    const { data: signed } = await corin(api.rpkiChecklists.signChecklist, {
      account,
      body: { resources: ['AS64500'], files, days: 1, comment },
    });
    expect(signed).toMatchObject({ comment: comment.trim() });
    await refused('corin', api.rpkiChecklists.signChecklist, { account, body: { resources: [nasty()], files, days: 1 } } as never);
    await refused('corin', api.rpkiSelfHosted.connect, { account, body: { childRequest: nasty() } } as never);
    await refused('corin', api.rpkiSelfHosted.publishHere, { account, body: { publisherRequest: nasty() } } as never);
    const { data: verified } = await corin(api.rpkiChecklists.verifyChecklist, { body: { object: nasty() } });
    expect(verified!.problem).not.toBeNull();
  });

  test('passes through requests, transfers and returns, and the desk that decides them', async () => {
    const [corin, max, olive, stella] = (await Promise.all(['corin', 'max', 'olive', 'stella'].map(as))) as [
      Person,
      Person,
      Person,
      Person,
    ];
    /** Every text field of the form has some; with the rest it can be sent. */
    const filled = (more: Partial<RequestForm>): RequestForm => ({
      ...emptyForm,
      plan: [{ purpose: nasty(), amounts: [256, 380, 512, 640, 800] }],
      neighbours: [{ asn: 'AS64496', name: nasty() }],
      providerSpace: nasty(),
      network: nasty(),
      reason: nasty(),
      prefixes: nasty(),
      customer: nasty(),
      legalName: nasty(),
      registrationNumber: nasty(),
      plans: [{ what: 'route', name: nasty(), act: 'hold' }],
      ...more,
    });
    const everywhere = filled({
      neighbours: [{ asn: nasty().slice(0, 20), name: nasty() }],
      resources: [nasty()],
      recipient: nasty(),
      otherRegistry: nasty(),
    });
    const names = {
      netname: nasty(),
      adminContact: nasty().slice(0, 20),
      techContact: nasty().slice(0, 20),
      maintainer: nasty(),
      abuseMailbox: nasty(),
    };
    const saved = async (person: Person, of: string, kind: RequestKind, form: RequestForm) => {
      const { requestId, version } = (await person(api.requests.startRequest, { account: of, body: { kind } })).data!;
      return (await person(api.requests.saveRequest, { account: of, requestId, body: { version, form, documentIds: [] } })).data!;
    };
    const sent = async (person: Person, of: string, kind: RequestKind, form: RequestForm) => {
      const { requestId, version } = await saved(person, of, kind, form);
      return (await person(api.requests.submitRequest, { account: of, requestId, body: { version, truthful: true } })).data!;
    };
    // A draft accepts anything; a sent request has valid resources, accounts and AS numbers.
    const wrong = await saved(corin, account, 'transfer', { ...everywhere, ...names });
    await refused('corin', api.requests.submitRequest, {
      account,
      requestId: wrong.requestId,
      body: { version: wrong.version, truthful: true },
    } as never);
    const { requestId: asn } = await sent(max, 'DELTA-VN', 'asn', filled({ multihomed: 'now' }));
    await stella(api.requestDesk.askAboutRequest, { requestId: asn, body: { question: nasty() } });
    const { version } = (await max(api.requests.getRequest, { account: 'DELTA-VN', requestId: asn })).data!;
    await max(api.requests.answerRequest, { account: 'DELTA-VN', requestId: asn, body: { version, answer: nasty(), documentIds: [] } });
    await max(api.requests.writeAboutRequest, { account: 'DELTA-VN', requestId: asn, body: { words: nasty(), documentIds: [] } });
    await stella(api.requestDesk.noteOnRequest, { requestId: asn, body: { words: nasty(), internal: true } });
    await stella(api.requestDesk.noteOnRequest, { requestId: asn, body: { words: nasty(), internal: false } });
    await refused('stella', api.requestDesk.approveRequest, {
      requestId: asn,
      body: { version: 0, note: nasty(), resource: nasty() },
    } as never);
    await stella(api.requestDesk.refuseRequest, { requestId: asn, body: { reason: nasty() } });

    for (const call of [api.resourcePools.reserveRange, api.resourcePools.releaseRange, api.resourcePools.setQuarantine])
      await refused('stella', call, {
        body: { resource: nasty().trim(), reason: nasty(), ...(call !== api.resourcePools.releaseRange && { until: null }) },
      });

    await refused('stella', api.recoveries.openRecovery, {
      accountName: account,
      body: { resources: [nasty().trim()], ground: 'breach', reason: nasty() },
    } as never);

    await refused('stella', api.directDelegations.openDirectDelegation, {
      accountName: account,
      body: {
        kind: 'asn',
        path: '',
        resource: nasty().trim().slice(0, 100),
        netname: nasty().trim().slice(0, 80),
        adminContact: nasty().trim().slice(0, 30),
        techContact: nasty().trim().slice(0, 30),
        maintainer: nasty().trim().slice(0, 80),
        abuseMailbox: nasty().trim().slice(0, 254),
        reason: nasty(),
      },
    } as never);
    await portal.db.change({ action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) }, addDemoPools);
    const direct = await stella(api.directDelegations.openDirectDelegation, {
      accountName: account,
      body: { kind: 'asn', path: '', reason: nasty() },
    });
    expect(direct.status).toBe(200);

    const lastDay = { endsOn: inDays(1), until: inDays(9) };
    await refused('stella', api.eventSpace.extendEventSpace, { delegationId: '0', body: { ...lastDay, reason: nasty() } } as never);

    const { requestId: back } = await sent(corin, account, 'return', filled({ resources: ['198.18.64.0/24'], startsOn: inDays(0) }));
    await approveByTwo(portal, back, nasty());

    const offer = { resources: ['198.18.8.0/22'], recipient: 'OTHER-SG' };
    const declined = await sent(corin, account, 'transfer', filled(offer));
    const declining = { requestId: declined.requestId, body: { version: declined.version, reason: nasty() } };
    await olive(api.requests.declineTransfer, { account: 'OTHER-SG', ...declining });
    const offered = await sent(corin, account, 'transfer', filled(offer));
    const { requestId } = offered;
    const acknowledge = (form: RequestForm) => ({
      account: 'OTHER-SG',
      requestId,
      body: { version: offered.version, form, truthful: true as const },
    });
    await refused('olive', api.requests.acknowledgeTransfer, acknowledge({ ...everywhere, ...names, plan: [] }) as never);
    await olive(api.requests.acknowledgeTransfer, acknowledge({ ...everywhere }));
    await approveByTwo(portal, requestId, nasty());
    await payFee(portal, requestId);
    await completePaid(portal);
  });

  test('passes through tickets of members and the answers of registry staff', async () => {
    const [corin, stella] = (await Promise.all(['corin', 'stella'].map(as))) as [Person, Person];
    const body = { queue: 'helpdesk' as const, account, text: nasty(), about: '', cc: ['tess@example-au.example'] };
    await refused('corin', api.tickets.openTicket, { body: { ...body, account: nasty(), subject: nasty() } } as never);
    // One line: what hides the beginning of a line is refused.
    const { ticketId } = (await corin(api.tickets.openTicket, { body: { ...body, subject: nasty().trim() } })).data!;
    const document = await sentFile(await portal.as('corin'), { fileName: `${nasty()}.pdf` });
    await corin(api.tickets.answerTicket, { ticketId, body: { text: nasty(), documentIds: [document] } });
    await stella(api.tickets.answerStaffTicket, { ticketId, body: { text: nasty(), asks: nasty().trim(), comment: false } as never });
    await stella(api.tickets.answerStaffTicket, { ticketId, body: { text: nasty(), comment: true } as never });
    const { contacts } = (await stella(api.desk.getAccountSheet, { accountName: account })).data!;
    const { contactId: to } = contacts.find(({ email }) => email === 'corin@example-au.example')!;
    const written = {
      queue: 'helpdesk' as const,
      subject: nasty().trim(),
      text: nasty(),
      asks: nasty().trim(),
      to,
    };
    const { ticketId: first } = (await stella(api.tickets.openStaffTicket, { accountName: account, body: written })).data!;
    expect((await corin(api.tickets.getTicket, { ticketId: first })).data!.asks).toBe(written.asks);
    await refused('stella', api.tickets.openStaffTicket, {
      accountName: account,
      body: { ...written, to: nasty(), cc: [nasty()] },
    } as never);
    await refused('stella', api.tickets.changeStaffTicket, { ticketId, body: { about: nasty() } } as never);
    await corin(api.talks.sendTalk, { body: { account: null, text: nasty() } });
    await refused('corin', api.talks.sendTalk, { body: { account: nasty(), text: nasty() } } as never);
    const { openAccountTicket, answerAccountTicket } = api.accountTickets;
    const ours = { queue: 'helpdesk' as const, subject: nasty().trim(), text: nasty() };
    const opened = (await corin(openAccountTicket, { account, body: ours })).data!;
    await corin(answerAccountTicket, { account, ticketId: opened.ticketId, body: { text: nasty() } });
    await refused('corin', openAccountTicket, { account, body: { ...ours, about: nasty() } } as never);
    const mails = await portal.mailsTo('tess@example-au.example');
    expect(mails.filter(({ subject }) => subject.startsWith(`[registry #${ticketId}] `))).toHaveLength(3);
  });

  test('passes through routes as comments, owners and attributes, and is refused as prefixes, AS numbers and lines', async () => {
    const corin = await as('corin');
    const none = { add: [], change: [], remove: [], adopt: [], text: '' };
    const { version } = (await corin(api.routes.listRoutes, { account, query: {} })).data!;
    const words = () => ({ comment: nasty().trim(), owner: nasty().trim(), attributes: `remarks: ${nasty()}` });
    const add = [{ prefix: '198.18.16.0/21', asn: 'AS64500', whois: true, roa: false, ...words() }];
    await corin(api.routes.checkRoutes, { account, body: { ...none, add } as never });
    await corin(api.routes.saveRoutes, { account, body: { ...none, add, version } as never });
    const list = (await corin(api.routes.listRoutes, { account, query: { show: 'managed' } })).data!;
    const [route] = list.rows;
    expect(route).toMatchObject({ comment: add[0]!.comment, owner: add[0]!.owner });
    const change = [{ routeId: route!.routeId!, ...words() }];
    await corin(api.routes.checkRoutes, { account, body: { ...none, change } as never });
    await corin(api.routes.saveRoutes, { account, body: { ...none, change, version: list.version } as never });
    const wrong = {
      add: [
        {
          prefix: nasty().trim(),
          asn: nasty().trim().slice(0, 20),
          subRoutes: [nasty().trim()],
          descr: nasty().trim(),
          maintainer: nasty().trim(),
          ...words(),
        },
      ],
      change: [{ routeId: route!.routeId!, subRoutes: [nasty().trim()], descr: nasty().trim(), maintainer: nasty().trim(), ...words() }],
      adopt: [{ prefix: nasty().trim(), asn: nasty().trim().slice(0, 20) }],
      remove: [],
      text: nasty(),
    };
    // A check answers everything that is wrong.
    const checked = await corin(api.routes.checkRoutes, { account, body: wrong as never });
    expect(new Set(checked.data!.problems.map(({ list: name }) => name))).toEqual(new Set(['add', 'change', 'adopt', 'text']));
    await refused('corin', api.routes.saveRoutes, { account, body: { ...wrong, version: nasty().slice(0, 30) } } as never);
    const fileName = nasty().trim();
    const kept = await corin(api.ownBgpTables.uploadTable, { account, body: { fileName, text: '198.18.16.0/24 AS64500' } });
    expect(kept.data!.rows.at(-1)).toMatchObject({ fileName });
    await refused('corin', api.ownBgpTables.uploadTable, { account, body: { fileName: '', text: nasty() } } as never);
  });

  test('passes through listings, reports of them and muted announcements as text, and is refused as blocks', async () => {
    const [corin, olive, stella] = [await as('corin'), await as('olive'), await as('stella')];
    const body = { kind: 'wanted', length: 22, notes: nasty(), consent: true } as const;
    await refused('corin', api.listings.addListing, { account, body: { ...body, kind: 'offer', resource: nasty().trim() } } as never);
    const { listingId } = (await corin(api.listings.addListing, { account, body }))!.data!;
    const words = { words: nasty(), consent: true } as const;
    await olive(api.listings.askAboutListing, { account: 'OTHER-SG', listingId, body: words });
    await olive(api.listings.reportListing, { account: 'OTHER-SG', listingId, body: { words: nasty() } });
    await stella(api.listings.removeListing, { listingId, body: { reason: nasty().trim() } });
    const muted = { prefix: '198.18.8.0/24', asn: 64500, reason: nasty().trim() };
    // Nothing announces it here.
    await refused('corin', api.routeAlerts.mute, { account, body: muted } as never);
    await refused('corin', api.routeAlerts.mute, { account, body: { ...muted, prefix: nasty().trim() } } as never);
    await refused('corin', api.routeAlerts.unmute, { account, body: { ...muted, prefix: nasty().trim() } } as never);
  });

  test('passes through saved queues as text, and is refused as resources to lock', async () => {
    const stella = await as('stella');
    const reply = { title: nasty().trim().slice(0, 80), text: nasty(), kinds: ['tickets' as const] };
    const { templates } = (await stella(api.replyTemplates.addReplyTemplate, { body: reply })).data!;
    const [{ templateId, version }] = templates as [(typeof templates)[number]];
    await stella(api.replyTemplates.changeReplyTemplate, { templateId, body: { ...reply, text: nasty(), version } });
    const saved = (await stella(api.staffQueues.saveQueue, { body: { name: nasty().trim().slice(0, 60), filter: nasty() } }))!.data!;
    expect(saved.queues).toHaveLength(1);
    const { rows } = (await stella(api.desk.listRequests, { query: { kind: 'resources' } })).data!;
    const ofCase = { kind: 'resources', caseId: rows[0]!.requestId };
    const day = inDays(30);
    const kept = (await stella(api.staffCases.remindOfCase, { ...ofCase, body: { day, words: nasty(), byMail: false } })).data!;
    expect(kept.reminders).toHaveLength(1);
    const mark = { title: nasty().trim(), reason: nasty().trim(), endsOn: day };
    const { marks } = (await stella(api.riskMarks.addRiskMark, { accountName: account, body: mark })).data!;
    expect(marks).toMatchObject([mark]);
    const { riskMarkId } = marks[0]!;
    expect(
      (await stella(api.riskMarks.removeRiskMark, { accountName: account, riskMarkId, body: { reason: nasty() } })).data!.marks,
    ).toEqual([]);
    await refused('stella', api.staffCases.linkCase, { ...ofCase, body: { other: nasty().trim() } } as never);
    const [colleague] = kept.colleagues;
    const handed = await stella(api.staffCases.handOverCase, { ...ofCase, body: { to: colleague!.loginId, words: nasty() } });
    expect(handed.data!.handlerId).toBe(colleague!.loginId);
    await refused('stella', api.staffCases.handOverCase, { ...ofCase, body: { to: nasty(), words: '' } } as never);
    await refused('corin', api.resourceLocks.addLocks, { account, body: { resources: [nasty().trim()] } } as never);
  });

  test('passes through nominations as text, from the nominator to the page of candidates', async () => {
    const [corin, nadia, stella] = (await Promise.all(['corin', 'nadia', 'stella'].map(as))) as [Person, Person, Person];
    const { elections } = (await corin(api.voting.getMemberVoting, { account })).data!;
    const { electionId } = elections.find(({ windows }) => windows.some(({ kind, state }) => kind === 'nomination' && state === 'open'))!;
    const email = 'nadia@newcomer.example';
    const given = { account, fullName: nasty(), email, emailAgain: email, organisation: nasty(), reason: nasty() };
    await refused('corin', api.nominations.nominate, { body: { ...given, account: nasty() }, electionId } as { body: unknown });
    const { nominationId } = (await corin(api.nominations.nominate, { electionId, body: given })).data!;
    await nadia(api.nominations.answerNomination, { electionId, body: { accept: true, statement: nasty() } });
    await stella(api.nominations.judgeNomination, { nominationId, body: { eligible: true, reason: nasty() } });
    const [candidate] = (await corin(api.nominations.listCandidates, { electionId })).data!.rows;
    expect([candidate!.fullName, candidate!.organisation, candidate!.statement].every(text => text.includes(markup))).toBe(true);
  });

  test('passes through roles of staff as names and reasons, and is refused as addresses and roles', async () => {
    const ola = await as('ola');
    const [fiona] = await portal.db.read.rows<{ loginId: string }>(sql`select login_id from login where username = 'fiona'`);
    const { loginId } = fiona!;
    const role = 'support';
    await ola(api.roles.addRole, { body: { name: nasty().trim().slice(0, 60), permissions: ['support'] } });
    await ola(api.roles.giveRole, { loginId, body: { role, reason: nasty().trim() } });
    await refused('ola', api.roles.giveRole, { loginId, body: { role: nasty().trim(), reason: nasty().trim() } } as never);
    const [held] = await portal.db.read.rows<{ assignmentId: string }>(
      sql`select staff_assignment_id::text as assignment_id from staff_assignment where login_id = ${loginId} order by staff_assignment_id desc limit 1`,
    );
    await ola(api.roles.withdrawRole, { assignmentId: held!.assignmentId, body: { reason: nasty().trim() } });
    const invited = { fullName: nasty().trim(), email: 'new.person@registry.example', role, reason: nasty().trim() };
    await ola(api.roles.inviteStaff, { body: invited });
    await refused('ola', api.roles.inviteStaff, { body: { ...invited, email: nasty().trim(), role: nasty().trim() } } as never);
    const unknown = { reason: nasty().trim(), casesTo: nasty().trim().slice(0, 64) };
    await refused('ola', api.roles.endStaff, { loginId, body: unknown } as never);
    await ola(api.roles.endStaff, { loginId, body: { reason: nasty().trim() } });
  });

  test('passes through reasons of changes of the policy, and is refused as values and days', async () => {
    const stella = await as('stella');
    const change = { reason: nasty().trim(), decision: nasty().trim().slice(0, 200) };
    const values = [{ name: 'requestPolicy.promiseHours', value: '24' }] as const;
    await stella(api.policy.preparePolicyChange, { body: { ...change, validFrom: inDays(9), values: [...values] } });
    await refused('stella', api.policy.preparePolicyChange, {
      body: { ...change, validFrom: nasty().trim(), values: [{ name: nasty().trim(), value: nasty().trim() }] },
    } as never);
  });

  test('covers every place of the contract that accepts text', () => {
    const elsewhere = Object.keys(broughtInElsewhere);
    const places = allEndpoints
      .filter(({ id }) => !elsewhere.some(name => id.startsWith(name)))
      .flatMap(each => [...new Set(wordsOf(each))].map(place => `${each.id} ${place}`));
    expect(places.length).toBeGreaterThan(60);
    expect([...gone].toSorted()).toEqual(expect.arrayContaining(places.toSorted()));
  });

  test('is never markup in an e-mail, nor a second line in a subject', async () => {
    const mails = await portal.db.read.selectFrom('mail').select(['mailId', 'subject']).execute();
    expect(mails.length).toBeGreaterThan(25);
    let shown = 0;
    for (const { mailId, subject } of mails) {
      expect(subject).not.toMatch(/[\r\n]/);
      const page = await (await portal.request(`/dev/mail/${mailId}`)).text();
      expect(page).not.toMatch(/<img/i);
      if (page.includes('&lt;img src=x onerror=alert(1)&gt;山ع')) shown++;
    }
    // It appears, and is not left out.
    expect(shown).toBeGreaterThan(15);
  });

  test.each([
    ['contacts', () => `/api/${account}/contacts-export`, 'corin'],
    ['the activity log', () => `/api/${account}/activity-log/export?format=csv`, 'corin'],
    ['routes', () => `/api/${account}/routes/export?format=csv`, 'corin'],
    ['access reviews', () => `/api/${account}/access-reviews-export`, 'corin'],
    ['applications', () => '/api/staff/applications/file?format=csv&status=resolved', 'stella'],
  ])('starts no formula in a cell of %s', async (_, path, name) => {
    const answer = await portal.request(path(), { headers: { authorization: `Bearer ${await portal.tokenOf(name)}` } });
    expect(answer.status).toBe(200);
    const cells = cellsOf(await answer.text());
    expect(cells.filter(cell => cell.includes(`1+1${markup}山ع`)).length).toBeGreaterThan(0);
    expect(cells.filter(cell => /^\s*[=+\-@＝]/.test(cell))).toEqual([]);
  });
});
