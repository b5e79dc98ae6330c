import { accessRequests, contacts, invitations, registryRequests } from '@portal/contract';
import type { Config } from '../../config.ts';
import type { Database } from '../../platform/database/index.ts';
import { type AdmittedAccount, implement, type Implementation } from '../../platform/endpoints.ts';
import { openSecretBox } from '../../platform/secret-box.ts';
import { tableFile } from '../../platform/table-file.ts';
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
import { exportedColumns, listContacts, streamContacts, type Viewer } from './contact-list.ts';
import { acceptInvitation, declineInvitation, getInvitation } from './invitations.ts';
import { linkAccount, listLinkRequests } from './link-requests.ts';
import { getMyPermissions } from './my-permissions.ts';
import { askForPermission, whoHoldsPermission } from './permission-requests.ts';
import { approveRegistryRequest, listRegistryRequests, refuseRegistryRequest } from './registry-requests.ts';

export const contactRoutes = ({ db, config, clock }: { db: Database; config: Config; clock: () => Date }): Implementation[] => {
  const { appUrl } = config;
  const mailing = { appUrl, box: openSecretBox(config) };
  const viewer = (account: AdmittedAccount): Viewer => ({ account, now: clock() });
  return [
    implement(contacts, {
      whoHoldsPermission: ({ read, account, query }) => whoHoldsPermission(read, account, query.permission),
      askForPermission: ({ change, account, body, caller }) => askForPermission(change, account, body, { loginId: caller.loginId, appUrl }),
      getMyPermissions: ({ read, account }) => getMyPermissions(read, account),
      listContacts: ({ read, account, query }) => listContacts(read, viewer(account), query),
      exportContacts: async ({ read, account, query }) =>
        tableFile(`contacts-${account.accountName}`, query.format, exportedColumns, streamContacts(read, viewer(account), query)),
      inviteContact: ({ change, account, body }) => inviteContact(change, viewer(account), body, mailing),
      updateContact: ({ change, account, params, body }) => updateContact(change, viewer(account), params.contactId, body),
      removeContact: ({ change, account, params, body }) => removeContact(change, viewer(account), params.contactId, body),
      resendInvitation: ({ change, account, params, body }) => resendInvitation(change, viewer(account), params.contactId, body, mailing),
      revokeInvitation: ({ change, account, params, body }) => revokeInvitation(change, viewer(account), params.contactId, body),
      updateOwnDetails: ({ change, account, body }) => updateOwnDetails(change, viewer(account), body),
      confirmOwnDetails: ({ change, account }) => confirmOwnDetails(change, viewer(account)),
      leaveAccount: ({ change, account, body }) => leaveAccount(change, account, body),
    }),
    implement(invitations, {
      getInvitation: ({ params, caller }) => getInvitation(db, params.acceptanceToken, caller, clock()),
      acceptInvitation: ({ change, params, body, caller }) => acceptInvitation(change, params.acceptanceToken, body, caller),
      declineInvitation: ({ change, params, caller }) => declineInvitation(change, params.acceptanceToken, caller),
    }),
    implement(accessRequests, {
      linkAccount: ({ change, body, caller }) => linkAccount(change, body.accountName, caller),
      listLinkRequests: ({ read, caller }) => listLinkRequests(read, caller, clock()),
      listAccessRequests: ({ read, account, caller }) => listAccessRequests(read, account, caller),
      listResolvedRequests: ({ read, account, caller, query }) => listResolvedRequests(read, account, caller, query),
      resolveAccessRequest: ({ change, account, body, caller }) =>
        resolveAccessRequest(change, viewer(account), body, { caller, ...mailing }),
      requestContactChange: ({ change, account, body, caller }) => requestContactChange(change, viewer(account), body, caller),
    }),
    implement(registryRequests, {
      listRegistryRequests: ({ read, query }) => listRegistryRequests(read, query),
      approveRegistryRequest: ({ change, params, body, caller }) =>
        approveRegistryRequest(change, params.requestId, body, { caller, ...mailing }),
      refuseRegistryRequest: ({ change, params, body, caller }) => refuseRegistryRequest(change, params.requestId, body, caller),
    }),
  ];
};
