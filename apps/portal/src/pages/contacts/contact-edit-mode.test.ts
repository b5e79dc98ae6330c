import { anAccount, aPerson, aSession } from '@portal/app-kit/testing';
import type { Permission } from '@portal/contract';
import type { Contact } from '@portal/contract/contacts/contacts';
import { expect, it, test } from 'vitest';
import { editModeOf, whyRoleLocked, whyNotRemovable } from './contact-edit-mode.ts';

const holding = (...permissions: Permission[]) => aSession({ account: anAccount({ permissions }) });

test.each([
  ['who may change contacts does it', holding('contacts-details-update'), 'doing'],
  ['who may ask only, asks', holding('request-contact-add-remove'), 'asking'],
  ['who may do neither sees which permission it takes', holding('contacts-details-view'), 'none'],
  [
    'registry staff only looks',
    aSession({ account: anAccount({ permissions: ['contacts-details-update', 'request-contact-add-remove'], asStaff: true }) }),
    'none',
  ],
] as const)('%s', (_, session, by) => {
  expect(editModeOf('inviteContact', session).by).toBe(by);
});

it('a contact who may change contacts but has no second factor sees that reason, without an offer to ask', () => {
  const session = aSession({
    person: aPerson({ hasSecondFactor: false, mfa: false }),
    account: anAccount({ permissions: ['contacts-details-update', 'request-contact-add-remove'] }),
  });
  expect(editModeOf('removeContact', session)).toMatchObject({ by: 'none', refusal: { rule: 'second-factor' } });
});

it('contacts cannot be changed while managing them is switched off', () => {
  const session = aSession({ account: anAccount({ permissions: ['contacts-details-update'], features: ['zonefiles'] }) });
  expect(editModeOf('updateContact', session)).toEqual({ by: 'off' });
});

it('a corporate contact, a contact pending with the registry and oneself can’t be changed', () => {
  const subject: Pick<Contact, 'contactTypes' | 'isMe' | 'registryRequest' | 'fullName' | 'status'> = {
    contactTypes: ['corporate'],
    isMe: false,
    status: 'active',
    registryRequest: null,
    fullName: 'Corin Achterberg',
  };
  expect(whyNotRemovable(subject, { contactTypes: ['technical'] })).toBe('Sorry, you must be a corporate contact');
  expect(whyNotRemovable(subject, { contactTypes: ['corporate'] })).toBeNull();
  const waiting = {
    ...subject,
    registryRequest: { kind: 'remove' as const, contactTypes: [], requestedAt: '2026-11-21T00:00:00Z', requestedBy: 'Tess' },
  };
  expect(whyNotRemovable(waiting, { contactTypes: ['corporate'] })).toMatch(/earlier request is awaiting/);
  expect(whyNotRemovable({ ...waiting, status: 'pending-registry' }, { contactTypes: ['corporate'] })).toBeNull();
  expect(whyRoleLocked(waiting, { contactTypes: ['corporate'] })).toMatch(/awaiting the registry/);
  expect(whyRoleLocked({ ...subject, isMe: true }, { contactTypes: ['corporate'] })).toMatch(/your own/);
});
