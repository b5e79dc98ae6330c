import { life } from '../life.ts';

/** The calls that end a contact, and so what it asked, what was asked about it and its invitation. */
const endsContact = [
  'contacts.removeContact',
  'contacts.revokeInvitation',
  'contacts.leaveAccount',
  'contacts.accessReviews.handOver',
  'contacts.accessReviews.reviewAccess',
  'contacts.accessRequests.resolveAccessRequest',
  'contacts.registryRequests.approveRegistryRequest',
  'contacts.registryRequests.refuseRegistryRequest',
  'contacts.endHelper',
];

export const accessRequestStatuses = ['pending', 'approved', 'rejected', 'other'] as const;

/** The life of what a person asks the contacts of an account: to join it, to add or remove a contact, for another role or for permissions. */
export const accessRequestLife = life(
  { title: 'Access and permission requests', table: 'access_request', column: 'status', states: accessRequestStatuses },
  {
    resolve: { from: ['pending'], to: ['approved', 'rejected'], who: 'contact', does: 'approves or rejects it' },
    cancel: {
      from: ['pending'],
      to: ['other'],
      who: 'requester',
      does: 'cancels it; so does what ends the contact',
      by: ['contacts.accessRequests.cancelLinkRequest', ...endsContact],
    },
    supersede: {
      from: ['pending'],
      to: ['other'],
      who: 'requester',
      does: 'asks for the same and more',
      by: ['contacts.askForPermission'],
    },
    expire: {
      from: ['pending'],
      to: ['other'],
      who: 'registry',
      does: 'ends it: no one answered in time',
      by: ['contacts.expireAccessRequest'],
    },
  },
);

export const registryRequestStatuses = ['pending', 'approved', 'rejected', 'withdrawn'] as const;

/** The life of a change of corporate contacts, which the registry decides. */
export const registryRequestLife = life(
  { title: 'Changes of corporate contacts', table: 'registry_request', column: 'status', states: registryRequestStatuses },
  {
    approve: { from: ['pending'], to: ['approved'], who: 'staff', does: 'approve it: it takes effect' },
    refuse: { from: ['pending'], to: ['rejected'], who: 'staff', does: 'reject it' },
    withdraw: { from: ['pending'], to: ['withdrawn'], who: 'registry', does: 'ends it with its contact', by: endsContact },
  },
);

export const invitationStates = ['sent', 'accepted', 'declined', 'expired', 'revoked'] as const;

/** The life of an invitation to become a contact. */
export const invitationLife = life(
  { title: 'Invitations', table: 'invitation', column: 'state', states: invitationStates },
  {
    accept: {
      from: ['sent'],
      to: ['accepted'],
      who: 'invited person',
      does: 'accepts it, or asks to be linked with the address that was invited',
      by: ['contacts.accessRequests.linkAccount'],
    },
    decline: { from: ['sent'], to: ['declined'], who: 'invited person', does: 'declines it' },
    revoke: {
      from: ['sent'],
      to: ['revoked'],
      who: 'contact',
      does: 'revokes it with its contact, or invites again',
      by: ['contacts.resendInvitation', ...endsContact],
    },
    expire: {
      from: ['sent'],
      to: ['expired'],
      who: 'registry',
      does: 'ends it: no one answered in time',
      by: ['contacts.expireInvitation'],
    },
  },
);
