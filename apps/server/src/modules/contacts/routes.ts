import { accessRequests } from '@portal/contract/contacts/access-requests';
import { accessReviews } from '@portal/contract/contacts/access-reviews';
import { accountSafety } from '@portal/contract/contacts/account-safety';
import { contacts } from '@portal/contract/contacts/contacts';
import { invitations } from '@portal/contract/contacts/invitations';
import { peopleWithAccess } from '@portal/contract/contacts/people-with-access';
import { registryRequests } from '@portal/contract/contacts/registry-requests';
import { implement, type Implementation } from '../../platform/http/endpoints.ts';
import { accessRequestCases } from './access-request-cases.ts';
import { registryRequestCases } from './registry-request-cases.ts';
import { listAccessRequests, listResolvedRequests, requestContactChange, resolveAccessRequest } from './access-requests.ts';
import { exportAccessReviews, getAccessReview, reviewAccess } from './access-reviews.ts';
import { demandSecondFactor, getAccountSafety, setSecurityAddress } from './account-safety.ts';
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
import { changeContactEmail, changeOwnEmail } from './contact-email.ts';
import { exportContacts, getContact, getMyContact, listContacts } from './contact-list.ts';
import { getHoldings, handOver } from './hand-over.ts';
import { inviteHelper, setHelperEnd } from './helper-access.ts';
import {
  acceptInvitation,
  acceptOwnInvitation,
  declineInvitation,
  declineOwnInvitation,
  getInvitation,
  invitationCases,
  listOwnInvitations,
} from './invitations.ts';
import { linkAccount, listLinkRequests } from './link-requests.ts';
import { getMyPermissions } from './my-permissions.ts';
import { listPeopleWithAccess } from './people-with-access.ts';
import { cancelLinkRequest, cancelOwnRequest, listOwnRequests } from './own-requests.ts';
import { askForPermission, whoHoldsPermission } from './permission-requests.ts';
import { approveRegistryRequest, getRegistryRequest, listRegistryRequests, refuseRegistryRequest } from './registry-requests.ts';

export const contactRoutes: readonly Implementation[] = [
  implement(contacts, {
    whoHoldsPermission,
    askForPermission,
    getMyPermissions,
    listContacts,
    getContact,
    getMyContact,
    changeContactEmail,
    changeOwnEmail,
    exportContacts,
    inviteContact,
    updateContact,
    removeContact,
    inviteHelper,
    setHelperEnd,
    resendInvitation,
    revokeInvitation,
    updateOwnDetails,
    confirmOwnDetails,
    leaveAccount,
  }),
  implement(peopleWithAccess, { listPeopleWithAccess }),
  implement(accessReviews, { getAccessReview, reviewAccess, exportAccessReviews, getHoldings, handOver }),
  implement(accountSafety, { getAccountSafety, demandSecondFactor, setSecurityAddress }),
  implement(
    invitations,
    { getInvitation, acceptInvitation, declineInvitation, listOwnInvitations, acceptOwnInvitation, declineOwnInvitation },
    invitationCases,
  ),
  implement(
    accessRequests,
    {
      linkAccount,
      cancelLinkRequest,
      listOwnRequests,
      cancelOwnRequest,
      listLinkRequests,
      listAccessRequests,
      listResolvedRequests,
      resolveAccessRequest,
      requestContactChange,
    },
    accessRequestCases,
  ),
  implement(
    registryRequests,
    { listRegistryRequests, getRegistryRequest, approveRegistryRequest, refuseRegistryRequest },
    registryRequestCases,
  ),
];
