import { requestDesk } from '@portal/contract/requests/desk';
import { directDelegations } from '@portal/contract/requests/direct-delegations';
import { eventSpace } from '@portal/contract/requests/event-space';
import { listings } from '@portal/contract/requests/listings';
import { recoveries } from '@portal/contract/requests/recoveries';
import { requests } from '@portal/contract/requests/requests';
import { subaccountRequests } from '@portal/contract/requests/subaccounts';
import type { Config } from '../../config.ts';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import type { Profile } from '../../profile.ts';
import { extendEventSpace, listEventSpace } from './extended-events.ts';
import { completeTransfer } from './completion.ts';
import { approveRequest, askAboutRequest, noteOnRequest, refuseRequest, reviewRequest } from './decisions.ts';
import { saveRequest, startRequest, withdrawRequest } from './drafts.ts';
import {
  addListing,
  askAboutListing,
  listListings,
  listStaffListings,
  removeListing,
  renewListing,
  reportListing,
  withdrawListing,
} from './listings/listings.ts';
import { keepHeld } from './transfers/held-objects.ts';
import { listMovable } from './transfers/movable.ts';
import { confirmOneClick } from './one-click.ts';
import { getDirectDefaults, openDirectDelegation } from './direct-delegations.ts';
import { listRecoverable, openRecovery } from './recoveries.ts';
import { getEligibility, getRequest, listRequests } from './request-detail.ts';
import { getStaffRequest, listPools } from './staff-request.ts';
import { listSubaccountRequests, startSubaccountRequest } from './subaccount-requests.ts';
import { acknowledgeTransfer, answerRequest, declineTransfer, submitRequest, writeAboutRequest } from './submission.ts';

type Deps = { config: Config; profile: Profile; clock: () => Date };

export const requestRoutes = ({ config, profile, clock }: Deps): Implementation[] => {
  const deps = () => ({ profile, now: clock(), robot: config.robotHostmaster });
  return [
    implement(requests, {
      listRequests: ({ read, account, query }) => listRequests(read, account.accountName, query, clock()),
      getEligibility: ({ read, account, params }) => getEligibility(read, account.accountName, params.kind, deps()),
      listMovable: ({ read, account }) => listMovable(read, account.accountName, deps()),
      getRequest: ({ read, account, params }) => getRequest(read, account.accountName, params.requestId, deps()),
      startRequest: ({ change, account, body, caller }) => startRequest(change, account, body, caller, deps()),
      saveRequest: ({ change, account, params, body, caller }) => saveRequest(change, account, params.requestId, body, caller, deps()),
      submitRequest: ({ change, account, params, body, caller }) => submitRequest(change, account, params.requestId, body, caller, deps()),
      answerRequest: ({ change, account, params, body, caller }) => answerRequest(change, account, params.requestId, body, caller, deps()),
      writeAboutRequest: ({ change, account, params, body, caller }) =>
        writeAboutRequest(change, account, params.requestId, body, caller, deps()),
      withdrawRequest: ({ change, account, params, caller }) => withdrawRequest(change, account, params.requestId, caller, deps()),
      confirmOneClick: ({ change, account, caller }) => confirmOneClick(change, account, caller, deps()),
      acknowledgeTransfer: ({ change, account, params, body, caller }) =>
        acknowledgeTransfer(change, account, params.requestId, body, caller, deps()),
      keepHeld: ({ change, account, params, body }) => keepHeld(change, account, params.requestId, body, deps()),
      declineTransfer: ({ change, account, params, body, caller }) =>
        declineTransfer(change, account, params.requestId, body, caller, deps()),
    }),
    implement(recoveries, {
      listRecoverable: ({ read, params }) => listRecoverable(read, params.accountName, deps()),
      openRecovery: ({ change, params, body, caller }) => openRecovery(change, params.accountName, body, caller, deps()),
    }),
    implement(directDelegations, {
      getDirectDefaults: ({ read, params }) => getDirectDefaults(read, params.accountName, deps()),
      openDirectDelegation: ({ change, params, body, caller }) => openDirectDelegation(change, params.accountName, body, caller, deps()),
    }),
    implement(subaccountRequests, {
      listSubaccountRequests: ({ read, account, query }) => listSubaccountRequests(read, account.accountName, query, clock()),
      startSubaccountRequest: ({ change, account, body, caller }) => startSubaccountRequest(change, account, body, caller, deps()),
    }),
    implement(listings, {
      listListings: ({ read, account, query }) => listListings(read, account.accountName, query, deps()),
      addListing: ({ change, account, body, caller }) => addListing(change, account, body, caller, deps()),
      renewListing: ({ change, account, params }) => renewListing(change, account, params.listingId, deps()),
      withdrawListing: ({ change, account, params }) => withdrawListing(change, account, params.listingId),
      askAboutListing: ({ change, account, params, body, caller }) =>
        askAboutListing(change, account, params.listingId, body, caller, deps()),
      reportListing: ({ change, account, params, body, caller }) => reportListing(change, account, params.listingId, body, caller, deps()),
      listStaffListings: ({ read }) => listStaffListings(read),
      removeListing: ({ change, params, body }) => removeListing(change, params.listingId, body),
    }),
    implement(eventSpace, {
      listEventSpace: ({ read, params }) => listEventSpace(read, params.accountName, deps()),
      extendEventSpace: ({ change, params, body, caller }) => extendEventSpace(change, params.delegationId, body, caller, deps()),
    }),
    implement(requestDesk, {
      getStaffRequest: ({ read, params }) => getStaffRequest(read, params.requestId, deps()),
      listPools: ({ read }) => listPools(read),
      reviewRequest: ({ change, params, caller }) => reviewRequest(change, params.requestId, caller, deps()),
      askAboutRequest: ({ change, params, body, caller }) => askAboutRequest(change, params.requestId, body, caller, deps()),
      noteOnRequest: ({ change, params, body, caller }) => noteOnRequest(change, params.requestId, body, caller, deps()),
      approveRequest: ({ change, params, body, caller, hasSecondPerson }) =>
        approveRequest(change, params.requestId, body, caller, { ...deps(), hasSecondPerson }),
      completeTransfer: ({ change, params, body, caller }) => completeTransfer(change, params.requestId, body, caller, deps()),
      refuseRequest: ({ change, params, body, caller }) => refuseRequest(change, params.requestId, body, caller, deps()),
    }),
  ];
};
