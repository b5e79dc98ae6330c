import { accessRequests } from '@portal/contract/contacts/access-requests';
import { accessReviews } from '@portal/contract/contacts/access-reviews';
import { accountSafety } from '@portal/contract/contacts/account-safety';
import { type Contact, contacts } from '@portal/contract/contacts/contacts';
import { invitations } from '@portal/contract/contacts/invitations';
import { registryRequests } from '@portal/contract/contacts/registry-requests';
import type { Config } from '../../config.ts';
import { type AdmittedAccount, implement, type Implementation } from '../../platform/http/endpoints.ts';
import type { AddressAct } from '../identity/index.ts';
import { openSecretBox } from '../../platform/secret-box.ts';
import { tableFile } from '../../platform/table-file.ts';
import { refuse } from '../../platform/failure.ts';
import { demandSecondFactor, getAccountSafety, securityAddressAct, setSecurityAddress } from './account-safety.ts';
import { getAccessReview, reviewAccess, reviewColumns, streamReviews } from './access-reviews.ts';
import { getHoldings, handOver } from './hand-over.ts';
import { inviteHelper, setHelperEnd } from './helper-access.ts';
import { listAccessRequests, listResolvedRequests, requestContactChange, resolveAccessRequest } from './access-requests.ts';
import {
  confirmOwnDetails,
  inviteContact,
  leaveAccount,
  removeContact,
  resendInvitation,
  revokeInvitation,
  updateContact,
  updateOwnDetails,
} from './contact-changes.ts';
import { changeContactEmail, changeOwnEmail, contactEmailActs } from './contact-email.ts';
import { exportedColumns, findContact, listContacts, streamContacts, type Viewer } from './contact-list.ts';
import { acceptInvitation, declineInvitation, getInvitation, listOwnInvitations } from './invitations.ts';
import { linkAccount, listLinkRequests } from './link-requests.ts';
import { getMyPermissions } from './my-permissions.ts';
import { cancelLinkRequest, cancelOwnRequest, listOwnRequests } from './own-requests.ts';
import { askForPermission, whoHoldsPermission } from './permission-requests.ts';
import { approveRegistryRequest, getRegistryRequest, listRegistryRequests, refuseRegistryRequest } from './registry-requests.ts';

/** Returns the actions of links in mails about addresses of contacts and accounts. */
export const contactAddressActs = (config: Config): readonly AddressAct[] => [
  securityAddressAct,
  ...contactEmailActs({ appUrl: config.appUrl, box: openSecretBox(config) }),
];

const known = (contact: Contact | null): Contact => {
  if (!contact || contact.status === 'REMOVED') throw refuse('NOT_FOUND', { what: 'The contact' });
  return contact;
};

export const contactRoutes = ({ config, clock }: { config: Config; clock: () => Date }): Implementation[] => {
  const { appUrl } = config;
  const mailing = { appUrl, box: openSecretBox(config) };
  const viewer = (account: AdmittedAccount): Viewer => ({ account, now: clock() });
  return [
    implement(contacts, {
      whoHoldsPermission,
      askForPermission,
      getMyPermissions,
      listContacts,
      getContact: async ({ read, account, params }) => known(await findContact(read, viewer(account), params.contactId)),
      getMyContact: async ({ read, account }) => known(await findContact(read, viewer(account), account.contactId ?? '')),
      changeContactEmail: ({ change, account, params, body }) =>
        changeContactEmail(change, viewer(account), params.contactId, body, mailing),
      changeOwnEmail,
      exportContacts: async ({ read, account, query }) =>
        tableFile(`contacts-${account.accountName}`, query.format, exportedColumns, streamContacts(read, viewer(account), query)),
      inviteContact: ({ change, account, body }) => inviteContact(change, viewer(account), body, mailing),
      updateContact: ({ change, account, params, body }) => updateContact(change, viewer(account), params.contactId, body),
      removeContact,
      inviteHelper,
      setHelperEnd,
      resendInvitation,
      revokeInvitation,
      updateOwnDetails,
      confirmOwnDetails,
      leaveAccount,
    }),
    implement(accessReviews, {
      getAccessReview,
      reviewAccess: ({ change, account, body }) => reviewAccess(change, viewer(account), body),
      exportAccessReviews: async ({ read, account, query }) =>
        tableFile(`access-reviews-${account.accountName}`, query.format, reviewColumns, streamReviews(read, account.accountName)),
      getHoldings,
      handOver: ({ change, account, params, body }) => handOver(change, viewer(account), params.contactId, body),
    }),
    implement(accountSafety, {
      getAccountSafety,
      demandSecondFactor,
      setSecurityAddress,
    }),
    implement(invitations, {
      getInvitation,
      acceptInvitation: ({ change, params, body, caller }) => acceptInvitation(change, { token: params.acceptanceToken }, body, caller),
      declineInvitation: ({ change, params, caller }) => declineInvitation(change, { token: params.acceptanceToken }, caller),
      listOwnInvitations,
      acceptOwnInvitation: ({ change, params, caller }) => acceptInvitation(change, params, { otherEmailConfirmed: false }, caller),
      declineOwnInvitation: ({ change, params, caller }) => declineInvitation(change, params, caller),
    }),
    implement(accessRequests, {
      linkAccount,
      cancelLinkRequest,
      listOwnRequests,
      cancelOwnRequest,
      listLinkRequests,
      listAccessRequests,
      listResolvedRequests,
      resolveAccessRequest: ({ change, account, body, caller }) =>
        resolveAccessRequest(change, viewer(account), body, { caller, ...mailing }),
      requestContactChange,
    }),
    implement(registryRequests, {
      listRegistryRequests,
      getRegistryRequest,
      approveRegistryRequest: ({ change, params, body, caller }) =>
        approveRegistryRequest(change, params.requestId, body, { caller, ...mailing }),
      refuseRegistryRequest,
    }),
  ];
};
