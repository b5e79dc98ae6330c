import { describe, expect, it } from 'vitest';
import { admissionRefusal, type CallerFacts, type ProvenFactor, type Subject } from './admission.ts';
import { allEndpoints } from './api.ts';
import { apiScopes } from './api-scopes.ts';
import { allFacts } from './declared-errors.ts';
import { consequencesOf, type Effect, effectKeys, effects, effectsOf } from './effects.ts';
import {
  type Access,
  type AccountKind,
  anyone,
  contact,
  corporate,
  corporateOrTechnical,
  member,
  secondPersonOf,
  signedIn,
  staff,
} from './endpoint.ts';
import { sitePages } from './pages.ts';
import { permissions } from './permissions.ts';
import { proposalPermissions, type StaffPermission, staffPermissionKeys } from './staff-permissions.ts';
import { conflictsIn, readyMadeRoles, usualConflicts } from './staff-roles.ts';

/** Every kind of access, with each demand of a second factor. */
const accesses = {
  anyone: { access: anyone, effect: 'records' },
  'signed in': { access: signedIn, effect: 'records' },
  'signed in, fresh': { access: signedIn, effect: 'votes' },
  contact: { access: contact, effect: 'records' },
  'contact, fresh': { access: contact, effect: 'whois' },
  member: { access: member('resources-view'), effect: 'records' },
  'member, staff reads': { access: member('resources-view', { staff: true }), effect: 'records' },
  'member, second factor': { access: member('resources-view', { mfa: true }), effect: 'records' },
  'member, fresh': { access: member('roas-update'), effect: 'routing' },
  'member, national registries': { access: member('resources-view', { accounts: 'nir' }), effect: 'records' },
  corporate: { access: corporate, effect: 'records' },
  'corporate, fresh': { access: corporate, effect: ['own settings', 'control'] },
  'corporate or technical, fresh': { access: corporateOrTechnical, effect: 'keys' },
  staff: { access: staff('support'), effect: 'records' },
  'staff, fresh': { access: staff(['billing', 'payments']), effect: 'money' },
  'contact, staff reads private data': { access: { ...contact, staff: 'private-data' }, effect: 'records' },
} satisfies Record<string, Subject>;

const caller = (factor: ProvenFactor, more: { staff?: readonly StaffPermission[]; coolingDown?: boolean } = {}) => ({
  staff: more.staff !== undefined,
  staffPermissions: new Set<string>(more.staff ?? []),
  coolingDown: more.coolingDown ?? false,
  factor,
});
const inFinance = ['accounts', 'support', 'payments'] as const;
const asContact = (permissions: string[], contactTypes = ['technical'], demandsSecondFactor = false): CallerFacts['account'] => ({
  as: 'contact',
  permissions: new Set(permissions),
  contactTypes,
  demandsSecondFactor,
  nir: false,
  accountType: 'regular',
});
const all = ['resources-view', 'roas-update'];
const callers = {
  nobody: { caller: null, account: null, privilegesNeedFactor: true },
  'a stranger': { caller: caller('fresh'), account: null, privilegesNeedFactor: true },
  'a contact without permissions': { caller: caller('fresh'), account: asContact([]), privilegesNeedFactor: true },
  'a contact with a password': { caller: caller('none'), account: asContact(all), privilegesNeedFactor: true },
  'a contact with a password where the account asks for more': {
    caller: caller('none'),
    account: asContact(all, ['technical'], true),
    privilegesNeedFactor: true,
  },
  'a contact': { caller: caller('fresh'), account: asContact(all), privilegesNeedFactor: true },
  'a corporate contact of this morning': {
    caller: caller('old'),
    account: asContact(all, ['corporate'], true),
    privilegesNeedFactor: true,
  },
  'a corporate contact with a recovery code': {
    caller: caller('recovery-code'),
    account: asContact(all, ['corporate']),
    privilegesNeedFactor: true,
  },
  'a corporate contact who cools down': {
    caller: caller('fresh', { coolingDown: true }),
    account: asContact(all, ['corporate']),
    privilegesNeedFactor: true,
  },
  'staff with a password': { caller: caller('none', { staff: inFinance }), account: null, privilegesNeedFactor: true },
  staff: { caller: caller('fresh', { staff: inFinance }), account: null, privilegesNeedFactor: true },
  'staff who visits': { caller: caller('fresh', { staff: inFinance }), account: { as: 'visitor' }, privilegesNeedFactor: true },
  'staff of another role': { caller: caller('fresh', { staff: ['rpki'] }), account: null, privilegesNeedFactor: true },
  'an auditor': { caller: caller('fresh', { staff: ['audit'] }), account: null, privilegesNeedFactor: true },
  'a former member of staff': {
    caller: { ...caller('fresh', { staff: inFinance }), staff: false },
    account: null,
    privilegesNeedFactor: true,
  },
} satisfies Record<string, CallerFacts>;

/** The expected answer to a change, caller by caller in the order above; `ok` is admitted. */
const ofChanges: Record<keyof typeof accesses, string> = {
  anyone: 'ok ok ok ok ok ok ok ok ok ok ok ok ok ok ok',
  'signed in': 'NOT_SIGNED_IN ok ok ok ok ok ok ok COOLING_DOWN ok ok ok ok ok ok',
  'signed in, fresh': 'NOT_SIGNED_IN ok ok MFA_REQUIRED MFA_REQUIRED ok MFA_TOO_OLD MFA_REQUIRED COOLING_DOWN MFA_REQUIRED ok ok ok ok ok',
  contact:
    'NOT_SIGNED_IN ACCOUNT_NOT_FOUND ok MFA_REQUIRED SECOND_FACTOR_DEMANDED ok ok MFA_REQUIRED COOLING_DOWN MFA_REQUIRED VISIT_NEEDED VISIT_READS_ONLY NO_STAFF_PERMISSION VISIT_NEEDED ACCOUNT_NOT_FOUND',
  'contact, fresh':
    'NOT_SIGNED_IN ACCOUNT_NOT_FOUND ok MFA_REQUIRED SECOND_FACTOR_DEMANDED ok MFA_TOO_OLD MFA_REQUIRED COOLING_DOWN MFA_REQUIRED VISIT_NEEDED VISIT_READS_ONLY NO_STAFF_PERMISSION VISIT_NEEDED ACCOUNT_NOT_FOUND',
  member:
    'NOT_SIGNED_IN ACCOUNT_NOT_FOUND NO_PERMISSION ok SECOND_FACTOR_DEMANDED ok ok ok COOLING_DOWN MFA_REQUIRED VISIT_NEEDED VISIT_READS_ONLY NO_STAFF_PERMISSION VISIT_NEEDED ACCOUNT_NOT_FOUND',
  'member, staff reads':
    'NOT_SIGNED_IN ACCOUNT_NOT_FOUND NO_PERMISSION ok SECOND_FACTOR_DEMANDED ok ok ok COOLING_DOWN MFA_REQUIRED VISIT_NEEDED VISIT_READS_ONLY NO_STAFF_PERMISSION VISIT_NEEDED ACCOUNT_NOT_FOUND',
  'member, second factor':
    'NOT_SIGNED_IN ACCOUNT_NOT_FOUND NO_PERMISSION MFA_REQUIRED SECOND_FACTOR_DEMANDED ok ok MFA_REQUIRED COOLING_DOWN MFA_REQUIRED VISIT_NEEDED VISIT_READS_ONLY NO_STAFF_PERMISSION VISIT_NEEDED ACCOUNT_NOT_FOUND',
  'member, fresh':
    'NOT_SIGNED_IN ACCOUNT_NOT_FOUND NO_PERMISSION MFA_REQUIRED SECOND_FACTOR_DEMANDED ok MFA_TOO_OLD MFA_REQUIRED COOLING_DOWN MFA_REQUIRED VISIT_NEEDED VISIT_READS_ONLY NO_STAFF_PERMISSION VISIT_NEEDED ACCOUNT_NOT_FOUND',
  'member, national registries':
    'NOT_SIGNED_IN ACCOUNT_NOT_FOUND NO_PERMISSION WRONG_ACCOUNT_KIND SECOND_FACTOR_DEMANDED WRONG_ACCOUNT_KIND WRONG_ACCOUNT_KIND WRONG_ACCOUNT_KIND WRONG_ACCOUNT_KIND MFA_REQUIRED VISIT_NEEDED VISIT_READS_ONLY NO_STAFF_PERMISSION VISIT_NEEDED ACCOUNT_NOT_FOUND',
  corporate:
    'NOT_SIGNED_IN ACCOUNT_NOT_FOUND CORPORATE_ONLY CORPORATE_ONLY SECOND_FACTOR_DEMANDED CORPORATE_ONLY ok MFA_REQUIRED COOLING_DOWN MFA_REQUIRED VISIT_NEEDED VISIT_READS_ONLY NO_STAFF_PERMISSION VISIT_NEEDED ACCOUNT_NOT_FOUND',
  'corporate, fresh':
    'NOT_SIGNED_IN ACCOUNT_NOT_FOUND CORPORATE_ONLY CORPORATE_ONLY SECOND_FACTOR_DEMANDED CORPORATE_ONLY MFA_TOO_OLD MFA_REQUIRED COOLING_DOWN MFA_REQUIRED VISIT_NEEDED VISIT_READS_ONLY NO_STAFF_PERMISSION VISIT_NEEDED ACCOUNT_NOT_FOUND',
  'corporate or technical, fresh':
    'NOT_SIGNED_IN ACCOUNT_NOT_FOUND ok MFA_REQUIRED SECOND_FACTOR_DEMANDED ok MFA_TOO_OLD MFA_REQUIRED COOLING_DOWN MFA_REQUIRED VISIT_NEEDED VISIT_READS_ONLY NO_STAFF_PERMISSION VISIT_NEEDED ACCOUNT_NOT_FOUND',
  staff:
    'NOT_SIGNED_IN NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND MFA_REQUIRED ok ok NO_STAFF_PERMISSION NO_STAFF_PERMISSION NOT_FOUND',
  'staff, fresh':
    'NOT_SIGNED_IN NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND MFA_REQUIRED ok ok NO_STAFF_PERMISSION NO_STAFF_PERMISSION NOT_FOUND',
  'contact, staff reads private data':
    'NOT_SIGNED_IN ACCOUNT_NOT_FOUND ok MFA_REQUIRED SECOND_FACTOR_DEMANDED ok ok MFA_REQUIRED COOLING_DOWN MFA_REQUIRED VISIT_NEEDED VISIT_READS_ONLY NO_STAFF_PERMISSION VISIT_NEEDED ACCOUNT_NOT_FOUND',
};

describe('a change admits exactly the callers that its access and its effect name', () => {
  const cells = Object.entries(accesses).flatMap(([name, subject]) => {
    const expected = ofChanges[name as keyof typeof accesses].split(' ');
    return Object.entries(callers).map(([who, facts], place) => [`${name}: ${who}`, subject, facts, expected[place]] as const);
  });
  it.each(cells)('%s', (_, subject, facts, expected) => {
    expect(admissionRefusal({ ...subject, method: 'POST' }, facts) ?? 'ok').toBe(expected);
  });
});

it('a call for one kind of account is refused to contacts of the others', () => {
  const kinds = [
    ['regular', false],
    ['non member', false],
    ['historical', false],
    ['confed-isp', false],
    ['confed-nir', true],
  ] as const;
  const answers = (accounts: AccountKind) =>
    kinds.map(([accountType, nir]) => {
      const account = { ...asContact(all)!, accountType, nir } as CallerFacts['account'];
      return (
        admissionRefusal(
          { access: member('resources-view', { accounts }) },
          { caller: caller('fresh'), account, privilegesNeedFactor: true },
        ) ?? 'ok'
      );
    });
  expect(answers('nir')).toEqual([...Array.from({ length: 4 }, () => 'WRONG_ACCOUNT_KIND'), 'ok']);
  expect(answers('regular-or-non-member')).toEqual(['ok', 'ok', ...Array.from({ length: 3 }, () => 'WRONG_ACCOUNT_KIND')]);
});

it('what is for corporate and technical contacts is refused to others, whatever their permissions', () => {
  const answer = (types: string[]) =>
    admissionRefusal(
      { access: corporateOrTechnical },
      { caller: caller('fresh'), account: asContact(all, types), privilegesNeedFactor: true },
    );
  expect([['billing'], [], ['billing', 'technical'], ['corporate']].map(answer)).toEqual([
    'CORPORATE_OR_TECHNICAL_ONLY',
    'CORPORATE_OR_TECHNICAL_ONLY',
    null,
    null,
  ]);
});

it('registry staff reads during a visit what is open to every contact, or to staff by its declaration, as far as their permissions go', () => {
  const read = (access: Access) => admissionRefusal({ access }, callers['staff who visits']);
  expect(Object.fromEntries(Object.entries(accesses).map(([name, { access }]) => [name, read(access)]))).toEqual({
    anyone: null,
    'signed in': null,
    'signed in, fresh': null,
    contact: null,
    'contact, fresh': null,
    member: 'ACCOUNT_NOT_FOUND',
    'member, staff reads': null,
    'member, second factor': 'ACCOUNT_NOT_FOUND',
    'member, fresh': 'ACCOUNT_NOT_FOUND',
    'member, national registries': 'ACCOUNT_NOT_FOUND',
    corporate: 'ACCOUNT_NOT_FOUND',
    'corporate, fresh': 'ACCOUNT_NOT_FOUND',
    'corporate or technical, fresh': 'ACCOUNT_NOT_FOUND',
    staff: null,
    'staff, fresh': null,
    'contact, staff reads private data': 'NO_STAFF_PERMISSION',
  });
});

it('an auditor reads every page and call of the desk, and changes nothing', () => {
  for (const endpoint of allEndpoints) {
    if (endpoint.access.who !== 'staff') continue;
    const refusal = admissionRefusal(endpoint, callers['an auditor']);
    // What only reads although it is no GET names auditors itself.
    const reads = endpoint.method === 'GET' || (effectsOf(endpoint).every(effect => effect === 'reading') && endpoint.id !== 'tasks.echo');
    expect([endpoint.id, refusal]).toEqual([endpoint.id, reads ? null : 'NO_STAFF_PERMISSION']);
  }
});

it('being staff alone opens a person’s own roles, and any role besides only the first page of the desk, whose parts each need a permission', () => {
  const ofStaff = allEndpoints.filter(({ access }) => access.who === 'staff');
  const nobody = { ...callers.staff, caller: caller('fresh', { staff: [] }) };
  expect(ofStaff.filter(endpoint => admissionRefusal(endpoint, nobody) !== 'NOT_FOUND').map(({ id }) => id)).toEqual(['roles.getOwnRoles']);
  const isOpenToAll = ({ access }: Subject): boolean =>
    access.who === 'staff' && staffPermissionKeys.every(permission => access.permissions.includes(permission));
  expect(ofStaff.filter(isOpenToAll).map(({ id }) => id)).toEqual(['roles.getOwnRoles', 'staff.deskHome.getDeskHome']);
  expect(sitePages.filter(isOpenToAll).map(({ name }) => name)).toEqual(['deskHome', 'deskOwnRoles']);
});

it('what waits for a second person is listed for those who hold the permission of one of its acts', () => {
  const proposed = allEndpoints.filter(endpoint => endpoint.access.who === 'staff' && secondPersonOf(endpoint) === 'always');
  const needed = new Set(
    proposed.flatMap(({ access, secondRole }) => [
      ...(access.who === 'staff' ? access.permissions : []),
      ...(secondRole === undefined ? [] : [secondRole]),
    ]),
  );
  expect([...needed].toSorted()).toEqual([...proposalPermissions].toSorted());
});

it('each act of registry staff on votes is made by two people of different roles, or says why one is enough', () => {
  const acts = allEndpoints.filter(endpoint => endpoint.access.who === 'staff' && effectsOf(endpoint).includes('votes'));
  const ofTwo = acts.filter(({ secondRole }) => secondRole !== undefined);
  expect(ofTwo.map(({ id }) => id).toSorted()).toEqual([
    'elections.cancelElection',
    'elections.changeElection',
    'elections.options.resetElection',
    'elections.proxies.voidProxy',
    'elections.publishElection',
    'encryptedBallots.objections.decideObjection',
    'encryptedBallots.setup.appointTrustees',
    'encryptedBallots.setup.startCount',
  ]);
  for (const endpoint of ofTwo) {
    const { id, access, secondRole, alone } = endpoint;
    // Someone else than its maker, as neither role is one of the other.
    expect([id, secondPersonOf(endpoint), alone]).toEqual([id, 'always', undefined]);
    expect(access.who === 'staff' && access.permissions.some(permission => permission === secondRole)).toBe(false);
  }
  for (const { id, secondRole, alone } of acts) expect([id, secondRole ?? alone]).not.toEqual([id, undefined]);
});

it('registry staff who act on votes without naming an election or a conference act on a case of an account, and are refused for their own', () => {
  const ofCase = allEndpoints.filter(
    endpoint =>
      endpoint.access.who === 'staff' &&
      endpoint.method !== 'GET' &&
      effectsOf(endpoint).includes('votes') &&
      !/:(electionId|conference)|\/api\/staff\/(elections|conferences)$/.test(endpoint.path),
  );
  expect(ofCase.map(({ id }) => id).toSorted()).toEqual([
    'elections.nominations.judgeNomination',
    'elections.proxies.voidProxy',
    'encryptedBallots.objections.decideObjection',
  ]);
  for (const { id, errors } of ofCase) expect([id, errors.includes('OWN_REQUEST')]).toEqual([id, true]);
});

it('no ready-made role holds two permissions that the usual policy keeps apart', () => {
  for (const [key, { permissions: held }] of Object.entries(readyMadeRoles))
    expect([key, conflictsIn(held, usualConflicts)]).toEqual([key, []]);
});

it('one of several permissions is enough; of those that count only with a second factor one that does not is needed without it', () => {
  const access = member(['resources-view', 'roas-update']);
  expect(
    admissionRefusal({ access }, { caller: caller('none'), account: asContact(['resources-view']), privilegesNeedFactor: true }),
  ).toBeNull();
  const votes = member('voting-vote');
  expect(
    admissionRefusal({ access: votes }, { caller: caller('none'), account: asContact(['voting-vote']), privilegesNeedFactor: true }),
  ).toBe('MFA_REQUIRED');
  expect(
    admissionRefusal({ access: votes }, { caller: caller('old'), account: asContact(['voting-vote']), privilegesNeedFactor: true }),
  ).toBeNull();
});

it('a privileged permission counts only with a second factor if the registry requires one; other permissions always count', () => {
  const weak = (permissions: string[], privilegesNeedFactor: boolean): CallerFacts => ({
    caller: caller('none'),
    account: asContact(permissions, ['corporate']),
    privilegesNeedFactor,
  });
  const privileged = member('whois-private-objects-update');
  for (const method of ['GET', 'POST'] as const) {
    expect(admissionRefusal({ access: privileged, method }, weak(privileged.permissions as string[], true))).toBe('MFA_REQUIRED');
    expect(admissionRefusal({ access: privileged, method }, weak(privileged.permissions as string[], false))).toBeNull();
    expect(admissionRefusal({ access: member('resources-view'), method }, weak(['resources-view'], true))).toBeNull();
  }
  for (const access of [contact, corporate]) {
    expect(admissionRefusal({ access }, weak([], true))).toBeNull();
    const change = (effect: Effect, privilegesNeedFactor: boolean) =>
      admissionRefusal({ access, method: 'POST', effect }, weak([], privilegesNeedFactor));
    expect(change('records', true)).toBe('MFA_REQUIRED');
    expect(change('records', false)).toBeNull();
    expect(change('reading', true)).toBeNull();
    expect(change('own details', true)).toBeNull();
    // What the registry is trusted with takes one whatever it requires of anyone.
    expect(change('zones', false)).toBe('MFA_REQUIRED');
  }
});

it('a change waits in a cool-down unless its effect says that it does not, and what is one’s own waits too', () => {
  const facts = { ...callers['a corporate contact who cools down'] };
  for (const access of [signedIn, contact, member('resources-view'), corporate])
    expect([
      admissionRefusal({ access, method: 'PUT', effect: 'records' }, facts),
      admissionRefusal({ access, method: 'DELETE', effect: 'own details' }, facts),
      admissionRefusal({ access, method: 'POST', effect: ['reading', 'joining'] }, facts),
      admissionRefusal({ access, method: 'POST', effect: 'reading' }, facts),
      admissionRefusal({ access }, facts),
    ]).toEqual(['COOLING_DOWN', 'COOLING_DOWN', 'COOLING_DOWN', null, null]);
});

/** The changes that neither wait nor require a second factor: a new one must be added here deliberately. */
const harmless = [
  'applications.checkAccountName',
  'customers.previewAssignment',
  'dataQuality.listPersonalFinding',
  'dataQuality.exportPersonalFinding',
  'legal.startLegalText',
  'legal.saveLegalDraft',
  'legal.discardLegalDraft',
  'legal.listAcceptances',
  'legal.exportAcceptances',
  'mail.mailTexts.previewMailText',
  // To the caller's own confirmed address.
  'mail.mailTexts.sendTestMail',
  'nir.delegations.previewNirDelegation',
  // Keeps data from being deleted.
  'privacy.placeHold',
  'privacy.listErasures',
  'privacy.listHolds',
  // Kept, and shown to no one before two people confirm a change that names it.
  'brand.uploadBrandLogo',
  'shell.changeOutcomes.settleChange',
  'whois.presence.reportPresence',
  'apiKeys.revokeApiKey',
  'announcements.acknowledgeAnnouncement',
  'announcements.ownFeeds.makeOwnFeed',
  'announcements.ownFeeds.endOwnFeed',
  'applications.startApplication',
  'applications.saveDraft',
  'applications.submitApplication',
  'applications.answerApplication',
  'applications.withdrawApplication',
  'applications.referrals.declineReferral',
  'billing.bankStatements.sendRemittance',
  'billing.checkouts.startCheckout',
  'billing.feeSchedules.discardFees',
  'brand.prepareBrandChange',
  'brand.discardBrandChange',
  'policy.preparePolicyChange',
  'policy.discardPolicyChange',
  'billing.feeSchedules.prepareFees',
  'billing.invoiceDocuments.sendDocument',
  'billing.jointBilling.combineInvoices',
  'billing.jointBilling.discardJointPayment',
  'billing.jointBilling.startJointCheckout',
  'billing.openInvoice',
  'billing.openStaffEInvoice',
  'billing.openStaffInvoice',
  'billing.renewals.askForQuote',
  'contacts.accessRequests.cancelLinkRequest',
  'contacts.accessRequests.cancelOwnRequest',
  'contacts.invitations.declineOwnInvitation',
  'contacts.invitations.declineInvitation',
  'documents.openDocument',
  'documents.issueCertificate',
  'documents.openStaffDocument',
  'documents.files.uploadFile',
  'documents.files.openOwnFile',
  'elections.nominations.nominate',
  'elections.nominations.withdrawNomination',
  'elections.nominations.authoriseNomination',
  'elections.nominations.answerNomination',
  'events.registerForEvent',
  'events.cancelRegistration',
  'events.requestCertificate',
  'events.openEventCertificate',
  'identity.people.savePreferences',
  'notifications.readNotification',
  'notifications.readAllNotifications',
  'proposals.rejectProposal',
  'proposals.withdrawProposal',
  'proposals.rejectStaffProposal',
  'requests.desk.noteOnRequest',
  'requests.listings.withdrawListing',
  'requests.listings.askAboutListing',
  'requests.listings.reportListing',
  'requests.subaccounts.startSubaccountRequest',
  'requests.startRequest',
  'requests.saveRequest',
  'requests.answerRequest',
  'requests.writeAboutRequest',
  'requests.withdrawRequest',
  'requests.keepHeld',
  'requests.declineTransfer',
  'resources.locks.cancelRelease',
  'reverseDns.checks.startCheck',
  'reverseDns.previewZones',
  'reverseDns.waiting.cancelWaiting',
  'reverseDns.zoneChecks.startZoneCheck',
  'reverseDns.zoneFiles.readZoneFile',
  'routes.checkRoutes',
  'rpki.checkRoas',
  'rpki.aspas.checkAspa',
  'rpki.checklists.verifyChecklist',
  'staff.cases.watchCase',
  'staff.cases.remindOfCase',
  'staff.cases.removeReminder',
  'staff.cases.linkCase',
  'staff.cases.unlinkCase',
  'staff.cases.handOverCase',
  'staff.desk.findPeople',
  'staff.queues.saveQueue',
  'staff.queues.deleteQueue',
  'staff.startVisit',
  'staff.endVisit',
  'tasks.echo',
  'tickets.accountTickets.openAccountTicket',
  'tickets.accountTickets.answerAccountTicket',
  'tickets.accountTickets.closeAccountTicket',
  'tickets.talks.sendTalk',
  'tickets.openStaffTicket',
  'tickets.openTicket',
  'tickets.answerTicket',
  'tickets.closeTicket',
  'tickets.linkTicket',
  'tickets.copyTicket',
  'tickets.readTicket',
  'tickets.openTicketFile',
  'tickets.answerStaffTicket',
  'tickets.changeStaffTicket',
  'webhooks.pauseWebhook',
  'webhooks.removeWebhook',
  'webhooks.testWebhook',
  'webhooks.replayDelivery',
  'whois.previewUpdates',
];

/** Effects on what the registry is trusted with (S24). */
const ofRegistry: readonly Effect[] = [
  'whois',
  'routing',
  'zones',
  'holding',
  'control',
  'money',
  'votes',
  'keys',
  'access',
  'approvals',
  'statements',
];

/** Changes made by another system, which signs what it reports. A new one must be added here deliberately. */
const signedReports = ['elections.ballots.reportVote'];

describe('for every endpoint of the contract and all facts', () => {
  it('a change is refused in a cool-down and, made for an account, without a second factor, except those named here', () => {
    expect(
      allEndpoints
        .filter(endpoint => endpoint.method !== 'GET' && !consequencesOf(endpoint).waits)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(harmless.toSorted());
    for (const endpoint of allEndpoints) {
      if (endpoint.method === 'GET' || harmless.includes(endpoint.id) || signedReports.includes(endpoint.id)) continue;
      for (const facts of allFacts(endpoint)) {
        if (admissionRefusal(endpoint, facts) !== null) continue;
        expect(facts.caller?.coolingDown, endpoint.id).toBe(false);
        const { access } = endpoint;
        const isPrivileged =
          access.who === 'member' ? access.permissions.every(key => permissions[key].privileged) : access.who !== 'signed-in';
        const isOwn = access.who !== 'member' && consequencesOf(endpoint).factor === 'none';
        if (!isPrivileged || isOwn || !facts.privilegesNeedFactor) continue;
        expect(['old', 'fresh'], endpoint.id).toContain(facts.caller?.factor);
      }
    }
  });

  it('what was proposed is approved by confirmations of approvals only, and they serve nothing else', () => {
    const approving = allEndpoints.filter(endpoint => effectsOf(endpoint).includes('approvals'));
    expect(approving.map(({ id }) => id)).toEqual(allEndpoints.filter(({ carriesOut }) => carriesOut).map(({ id }) => id));
    expect(approving.map(effectsOf)).toEqual([['approvals'], ['approvals']]);
  });

  it('every admitted caller is named by the declaration', () => {
    for (const endpoint of allEndpoints) {
      const { access, method } = endpoint;
      if (access.who === 'anyone') continue;
      for (const facts of allFacts(endpoint)) {
        if (admissionRefusal(endpoint, facts) !== null) continue;
        const { caller: who, account } = facts;
        expect(who, endpoint.id).not.toBeNull();
        if (effectsOf(endpoint).some(effect => ofRegistry.includes(effect)))
          expect([who!.factor, who!.coolingDown], endpoint.id).toEqual(['fresh', false]);
        if (access.who === 'signed-in') continue;
        const held = access.who === 'staff' ? access.permissions : [];
        const holds = held.some(key => who!.staffPermissions.has(key)) || (method === 'GET' && who!.staffPermissions.has('audit'));
        if (access.who === 'staff')
          expect(who!.staff && (holds || access.withoutRole === true) && who!.factor !== 'none', endpoint.id).toBe(true);
        else if (account?.as === 'visitor') {
          expect(who!.staff && who!.factor !== 'none' && method === 'GET', endpoint.id).toBe(true);
          const staff = access.who === 'member' || access.who === 'contact' ? access.staff : undefined;
          const own = staff === undefined || staff === true ? ['accounts'] : [staff].flat();
          expect(
            [...own, 'audit'].some(key => who!.staffPermissions.has(key)),
            endpoint.id,
          ).toBe(true);
        } else {
          expect(account?.as, endpoint.id).toBe('contact');
          if (account?.as === 'contact') {
            if (account.demandsSecondFactor) expect(who!.factor, endpoint.id).not.toBe('none');
            if (access.who === 'corporate')
              expect(
                account.contactTypes.some(type => type === 'corporate' || ('orTechnical' in access && type === 'technical')),
                endpoint.id,
              ).toBe(true);
            if (access.who === 'member')
              expect(
                access.permissions.some(permission => account.permissions.has(permission)),
                endpoint.id,
              ).toBe(true);
          }
        }
      }
    }
  });

  it('proving more and waiting longer never takes anything away', () => {
    const strength: ProvenFactor[] = ['none', 'old', 'fresh'];
    for (const endpoint of allEndpoints)
      for (const facts of allFacts(endpoint)) {
        if (!facts.caller || admissionRefusal(endpoint, facts) !== null) continue;
        const stronger = strength.slice(Math.max(0, strength.indexOf(facts.caller.factor)));
        for (const factor of facts.caller.factor === 'recovery-code' ? (['fresh'] as const) : stronger)
          expect(admissionRefusal(endpoint, { ...facts, caller: { ...facts.caller, factor, coolingDown: false } }), endpoint.id).toBeNull();
      }
  });
});

it('every effect is declared somewhere, and what programs may not do is not part of the registry API', () => {
  const changing = allEndpoints.filter(({ method }) => method !== 'GET');
  expect(new Set(changing.flatMap(effectsOf))).toEqual(new Set(effectKeys));
  const byPrograms = changing.filter(({ publicApi }) => publicApi);
  expect(byPrograms.filter(endpoint => !consequencesOf(endpoint).byKey).map(({ id }) => id)).toEqual([]);
});

it('the calls of an API key scope have only the effects that it names, besides harmless ones', () => {
  for (const [scope, { effects: declared }] of Object.entries(apiScopes)) {
    const calls = allEndpoints.filter(({ method, publicApi }) => method !== 'GET' && publicApi?.scope === scope);
    const found = new Set(calls.flatMap(effectsOf).filter(effect => effects[effect].waits));
    expect([...found].toSorted(), scope).toEqual([...declared].toSorted());
  }
});
