import { describe, expect, it } from 'vitest';
import { admissionRefusal, type CallerFacts, type ProvenFactor } from './admission.ts';
import { allEndpoints } from './api.ts';
import { allFacts } from './declared-errors.ts';
import { type Access, anyone, contact, corporate, corporateFresh, member, signedIn, staffFresh, staffOnly } from './endpoint.ts';

/** Every kind of access, with each demand of a second factor. */
const accesses = {
  anyone,
  'signed in': signedIn,
  contact,
  member: member('resources-view'),
  'member, staff reads': member('resources-view', { staff: true }),
  'member, second factor': member('resources-view', { mfa: true }),
  'member, fresh': member('roas-update', { fresh: true }),
  corporate,
  'corporate, fresh': corporateFresh,
  staff: staffOnly,
  'staff, fresh': staffFresh,
} satisfies Record<string, Access>;

const caller = (factor: ProvenFactor, more: { staff?: boolean; coolingDown?: boolean } = {}) => ({
  staff: false,
  coolingDown: false,
  factor,
  ...more,
});
const asContact = (permissions: string[], contactTypes = ['technical'], demandsSecondFactor = false): CallerFacts['account'] => ({
  as: 'contact',
  permissions: new Set(permissions),
  contactTypes,
  demandsSecondFactor,
});
const all = ['resources-view', 'roas-update'];
const callers = {
  nobody: { caller: null, account: null },
  'a stranger': { caller: caller('fresh'), account: null },
  'a contact without permissions': { caller: caller('fresh'), account: asContact([]) },
  'a contact with a password': { caller: caller('none'), account: asContact(all) },
  'a contact with a password where the account asks for more': { caller: caller('none'), account: asContact(all, ['technical'], true) },
  'a contact': { caller: caller('fresh'), account: asContact(all) },
  'a corporate contact of this morning': { caller: caller('old'), account: asContact(all, ['corporate'], true) },
  'a corporate contact with a recovery code': { caller: caller('recovery-code'), account: asContact(all, ['corporate']) },
  'a corporate contact who cools down': { caller: caller('fresh', { coolingDown: true }), account: asContact(all, ['corporate']) },
  'staff with a password': { caller: caller('none', { staff: true }), account: null },
  staff: { caller: caller('fresh', { staff: true }), account: null },
  'staff who visits': { caller: caller('fresh', { staff: true }), account: { as: 'visitor' } },
} satisfies Record<string, CallerFacts>;

/** What a change is answered, caller by caller in the order above; `ok` is admitted. */
const ofChanges: Record<keyof typeof accesses, string> = {
  anyone: 'ok ok ok ok ok ok ok ok ok ok ok ok',
  'signed in': 'NOT_SIGNED_IN ok ok ok ok ok ok ok ok ok ok ok',
  contact: 'NOT_SIGNED_IN ACCOUNT_NOT_FOUND ok ok SECOND_FACTOR_DEMANDED ok ok ok ok MFA_REQUIRED VISIT_NEEDED VISIT_READS_ONLY',
  member: 'NOT_SIGNED_IN ACCOUNT_NOT_FOUND NO_PERMISSION ok SECOND_FACTOR_DEMANDED ok ok ok ok MFA_REQUIRED VISIT_NEEDED VISIT_READS_ONLY',
  'member, staff reads':
    'NOT_SIGNED_IN ACCOUNT_NOT_FOUND NO_PERMISSION ok SECOND_FACTOR_DEMANDED ok ok ok ok MFA_REQUIRED VISIT_NEEDED VISIT_READS_ONLY',
  'member, second factor':
    'NOT_SIGNED_IN ACCOUNT_NOT_FOUND NO_PERMISSION MFA_REQUIRED SECOND_FACTOR_DEMANDED ok ok ok ok MFA_REQUIRED VISIT_NEEDED VISIT_READS_ONLY',
  'member, fresh':
    'NOT_SIGNED_IN ACCOUNT_NOT_FOUND NO_PERMISSION MFA_REQUIRED SECOND_FACTOR_DEMANDED ok MFA_TOO_OLD MFA_REQUIRED COOLING_DOWN MFA_REQUIRED VISIT_NEEDED VISIT_READS_ONLY',
  corporate:
    'NOT_SIGNED_IN ACCOUNT_NOT_FOUND CORPORATE_ONLY CORPORATE_ONLY SECOND_FACTOR_DEMANDED CORPORATE_ONLY ok ok ok MFA_REQUIRED VISIT_NEEDED VISIT_READS_ONLY',
  'corporate, fresh':
    'NOT_SIGNED_IN ACCOUNT_NOT_FOUND CORPORATE_ONLY CORPORATE_ONLY SECOND_FACTOR_DEMANDED CORPORATE_ONLY MFA_TOO_OLD MFA_REQUIRED COOLING_DOWN MFA_REQUIRED VISIT_NEEDED VISIT_READS_ONLY',
  staff: 'NOT_SIGNED_IN NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND MFA_REQUIRED ok ok',
  'staff, fresh': 'NOT_SIGNED_IN NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND MFA_REQUIRED ok ok',
};

describe('who is admitted to a change', () => {
  const cells = Object.entries(accesses).flatMap(([name, access]) => {
    const expected = ofChanges[name as keyof typeof accesses].split(' ');
    return Object.entries(callers).map(([who, facts], place) => [`${name}: ${who}`, access, facts, expected[place]] as const);
  });
  it.each(cells)('%s', (_, access, facts, expected) => {
    expect(admissionRefusal({ access, method: 'POST' }, facts) ?? 'ok').toBe(expected);
  });
});

it('registry staff reads during a visit what is open to every contact, or to staff by its declaration', () => {
  const read = (access: Access) => admissionRefusal({ access }, callers['staff who visits']);
  expect(Object.fromEntries(Object.entries(accesses).map(([name, access]) => [name, read(access)]))).toEqual({
    anyone: null,
    'signed in': null,
    contact: null,
    member: 'ACCOUNT_NOT_FOUND',
    'member, staff reads': null,
    'member, second factor': 'ACCOUNT_NOT_FOUND',
    'member, fresh': 'ACCOUNT_NOT_FOUND',
    corporate: 'ACCOUNT_NOT_FOUND',
    'corporate, fresh': 'ACCOUNT_NOT_FOUND',
    staff: null,
    'staff, fresh': null,
  });
});

it('one of several permissions is enough; of those that count only with a second factor one that does not is needed without it', () => {
  const access = member(['resources-view', 'roas-update']);
  expect(admissionRefusal({ access }, { caller: caller('none'), account: asContact(['resources-view']) })).toBeNull();
  const votes = member('voting-vote');
  expect(admissionRefusal({ access: votes }, { caller: caller('none'), account: asContact(['voting-vote']) })).toBe('MFA_REQUIRED');
  expect(admissionRefusal({ access: votes }, { caller: caller('old'), account: asContact(['voting-vote']) })).toBeNull();
});

describe('for every endpoint of the contract and all facts', () => {
  it('whoever is admitted is somebody the declaration speaks of', () => {
    for (const endpoint of allEndpoints) {
      const { access, method } = endpoint;
      if (access.who === 'anyone') continue;
      for (const facts of allFacts(endpoint)) {
        if (admissionRefusal(endpoint, facts) !== null) continue;
        const { caller: who, account } = facts;
        expect(who, endpoint.id).not.toBeNull();
        if (access.who === 'signed-in') continue;
        const fresh = 'fresh' in access && access.fresh;
        if (access.who === 'staff') expect(who!.staff && who!.factor !== 'none', endpoint.id).toBe(true);
        else if (account?.as === 'visitor') expect(who!.staff && who!.factor !== 'none' && method === 'GET', endpoint.id).toBe(true);
        else {
          expect(account?.as, endpoint.id).toBe('contact');
          if (account?.as === 'contact') {
            if (account.demandsSecondFactor) expect(who!.factor, endpoint.id).not.toBe('none');
            if (access.who === 'corporate') expect(account.contactTypes, endpoint.id).toContain('corporate');
            if (access.who === 'member')
              expect(
                access.permissions.some(permission => account.permissions.has(permission)),
                endpoint.id,
              ).toBe(true);
          }
        }
        if (fresh) expect([who!.factor, who!.coolingDown], endpoint.id).toEqual(['fresh', false]);
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
