import { organisationChanges } from '@portal/contract/organisations/changes';
import { accountClosures } from '@portal/contract/organisations/closures';
import { organisations } from '@portal/contract/organisations/organisations';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import {
  approveAccountClosure,
  getStaffAccountClosure,
  listStaffAccountClosures,
  refuseAccountClosure,
  requestAccountClosure,
  withdrawAccountClosure,
} from './account-closures.ts';
import { getOrganisation, setEconomy, updateOrganisation } from './organisation.ts';
import {
  answerOrganisationChange,
  approveOrganisationChange,
  askAboutOrganisationChange,
  getStaffOrganisationChange,
  listOrganisationChanges,
  listStaffOrganisationChanges,
  refuseOrganisationChange,
  requestOrganisationChange,
  reviewOrganisationChange,
  withdrawOrganisationChange,
} from './organisation-changes.ts';

/** @param timeZone of the registry: where the day of a closure is counted. */
export const organisationRoutes = ({ timeZone }: { timeZone: string }): Implementation[] => [
  implement(organisations, {
    getOrganisation: ({ read, account }) => getOrganisation(read, account.accountName),
    updateOrganisation: ({ change, account, body }) => updateOrganisation(change, account, body),
    setEconomy: ({ change, params, body, caller }) => setEconomy(change, params.accountName, body, caller),
  }),
  implement(organisationChanges, {
    listOrganisationChanges: ({ read, account, query }) => listOrganisationChanges(read, account.accountName, query),
    requestOrganisationChange: ({ change, account, caller, body }) => requestOrganisationChange(change, account, caller, body),
    answerOrganisationChange: ({ change, account, caller, params, body }) =>
      answerOrganisationChange(change, account, caller, params.changeId, body),
    withdrawOrganisationChange: ({ change, account, params }) => withdrawOrganisationChange(change, account, params.changeId),
    listStaffOrganisationChanges: ({ read, query }) => listStaffOrganisationChanges(read, query),
    getStaffOrganisationChange: ({ read, params }) => getStaffOrganisationChange(read, params.changeId),
    reviewOrganisationChange: ({ change, params, caller }) => reviewOrganisationChange(change, params.changeId, caller),
    askAboutOrganisationChange: ({ change, params, body, caller }) => askAboutOrganisationChange(change, params.changeId, body, caller),
    approveOrganisationChange: ({ change, params, body, caller }) => approveOrganisationChange(change, params.changeId, body, caller),
    refuseOrganisationChange: ({ change, params, body, caller }) => refuseOrganisationChange(change, params.changeId, body, caller),
  }),
  implement(accountClosures, {
    requestAccountClosure: ({ change, account, caller, body }) => requestAccountClosure(change, account, caller, body, { timeZone }),
    withdrawAccountClosure: ({ change, account, params }) => withdrawAccountClosure(change, account, params.closureId),
    listStaffAccountClosures: ({ read, query }) => listStaffAccountClosures(read, query),
    getStaffAccountClosure: ({ read, params }) => getStaffAccountClosure(read, params.closureId),
    approveAccountClosure: ({ change, params, body, caller }) => approveAccountClosure(change, params.closureId, body, caller),
    refuseAccountClosure: ({ change, params, body, caller }) => refuseAccountClosure(change, params.closureId, body, caller),
  }),
];
