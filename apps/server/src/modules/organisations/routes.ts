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
import { closureCases } from './closure-cases.ts';
import { organisationChangeCases } from './organisation-change-cases.ts';
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

export const organisationRoutes: readonly Implementation[] = [
  implement(organisations, {
    getOrganisation,
    updateOrganisation,
    setEconomy,
  }),
  implement(
    organisationChanges,
    {
      listOrganisationChanges,
      requestOrganisationChange,
      answerOrganisationChange,
      withdrawOrganisationChange,
      listStaffOrganisationChanges,
      getStaffOrganisationChange,
      reviewOrganisationChange,
      askAboutOrganisationChange,
      approveOrganisationChange,
      refuseOrganisationChange,
    },
    organisationChangeCases,
  ),
  implement(
    accountClosures,
    {
      requestAccountClosure,
      withdrawAccountClosure,
      listStaffAccountClosures,
      getStaffAccountClosure,
      approveAccountClosure,
      refuseAccountClosure,
    },
    closureCases,
  ),
];
