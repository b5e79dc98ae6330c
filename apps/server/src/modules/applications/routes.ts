import { applications } from '@portal/contract/applications/applications';
import { referrals } from '@portal/contract/applications/referrals';
import { implement, type Implementation } from '../../platform/http/endpoints.ts';
import { applicationCases } from './cases.ts';
import {
  checkAccountName,
  getApplication,
  getApplicationTerms,
  listApplications,
  saveDraft,
  startApplication,
  withdrawApplication,
} from './drafts.ts';
import { referralCases } from './referral-cases.ts';
import { acceptReferral, declineReferral, getReferral } from './referral-offers.ts';
import { listReferrals, referCustomer, withdrawReferral } from './referrals.ts';
import {
  approveApplication,
  askAboutApplication,
  exportStaffApplications,
  getStaffApplication,
  listStaffApplications,
  refuseApplication,
  reviewApplication,
} from './staff-applications.ts';
import { answerApplication, submitApplication } from './submission.ts';

export const applicationRoutes: readonly Implementation[] = [
  implement(
    applications,
    {
      getApplicationTerms,
      listApplications,
      startApplication,
      getApplication,
      saveDraft,
      checkAccountName,
      submitApplication,
      answerApplication,
      withdrawApplication,
      listStaffApplications,
      exportStaffApplications,
      getStaffApplication,
      reviewApplication,
      askAboutApplication,
      approveApplication,
      refuseApplication,
    },
    applicationCases,
  ),
  implement(referrals, { listReferrals, referCustomer, withdrawReferral, getReferral, acceptReferral, declineReferral }, referralCases),
];
