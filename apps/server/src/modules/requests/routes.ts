import { requestDesk } from '@portal/contract/requests/desk';
import { directDelegations } from '@portal/contract/requests/direct-delegations';
import { eventSpace } from '@portal/contract/requests/event-space';
import { listings } from '@portal/contract/requests/listings';
import { recoveries } from '@portal/contract/requests/recoveries';
import { requests } from '@portal/contract/requests/requests';
import { subaccountRequests } from '@portal/contract/requests/subaccounts';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { casesOfParty, casesOfStaff } from './cases.ts';
import { listingCases } from './listings/cases.ts';
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
import { getEligibility, getRequest, getRequestFee, listRequests } from './request-detail.ts';
import { getRequestOfParty, getStaffRequest, listPools } from './staff-request.ts';
import { listSubaccountRequests, startSubaccountRequest } from './subaccount-requests.ts';
import { acknowledgeTransfer, answerRequest, declineTransfer, submitRequest, writeAboutRequest } from './submission.ts';

export const requestRoutes: readonly Implementation[] = [
  implement(
    requests,
    {
      listRequests,
      getEligibility,
      getRequestFee,
      listMovable,
      getRequest,
      startRequest,
      saveRequest,
      submitRequest,
      answerRequest,
      writeAboutRequest,
      withdrawRequest,
      confirmOneClick,
      acknowledgeTransfer,
      keepHeld,
      declineTransfer,
    },
    casesOfParty,
  ),
  implement(recoveries, {
    listRecoverable,
    openRecovery,
  }),
  implement(directDelegations, {
    getDirectDefaults,
    openDirectDelegation,
  }),
  implement(subaccountRequests, {
    listSubaccountRequests,
    startSubaccountRequest,
  }),
  implement(
    listings,
    {
      listListings,
      addListing,
      renewListing,
      withdrawListing,
      askAboutListing,
      reportListing,
      listStaffListings,
      removeListing,
    },
    listingCases,
  ),
  implement(eventSpace, {
    listEventSpace,
    extendEventSpace,
  }),
  implement(
    requestDesk,
    {
      getStaffRequest,
      getRequestOfParty,
      listPools,
      reviewRequest,
      askAboutRequest,
      noteOnRequest,
      approveRequest,
      completeTransfer,
      refuseRequest,
    },
    casesOfStaff,
  ),
];
