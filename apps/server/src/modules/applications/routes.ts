import { applications } from '@portal/contract/applications/applications';
import { referrals } from '@portal/contract/applications/referrals';
import type { Config } from '../../config.ts';
import { implement, type Implementation } from '../../platform/http/endpoints.ts';
import { openSecretBox } from '../../platform/secret-box.ts';
import { tableFile } from '../../platform/table-file.ts';
import type { Profile } from '../../profile.ts';
import { checkAccountName, getApplication, listApplications, saveDraft, startApplication, termsOf, withdrawApplication } from './drafts.ts';
import { acceptReferral, declineReferral, getReferral } from './referral-offers.ts';
import { listReferrals, referCustomer, withdrawReferral } from './referrals.ts';
import {
  approveApplication,
  askAboutApplication,
  exportedColumns,
  getStaffApplication,
  listStaffApplications,
  refuseApplication,
  reviewApplication,
  streamStaffApplications,
} from './staff-applications.ts';
import { answerApplication, submitApplication } from './submission.ts';

type Deps = { config: Config; profile: Profile };

export const applicationRoutes = ({ config, profile }: Deps): Implementation[] => {
  const mailing = { appUrl: config.appUrl, box: openSecretBox(config) };
  return [
    implement(applications, {
      getApplicationTerms: async () => termsOf(profile),
      listApplications,
      startApplication,
      getApplication,
      saveDraft,
      checkAccountName,
      submitApplication,
      answerApplication,
      withdrawApplication,
      listStaffApplications,
      exportStaffApplications: async ({ read, query: { format, ...filters } }) =>
        tableFile('applications', format, exportedColumns, streamStaffApplications(read, filters)),
      getStaffApplication,
      reviewApplication,
      askAboutApplication,
      approveApplication: ({ change, params, body, caller }) => approveApplication(change, params.applicationId, body, { caller, mailing }),
      refuseApplication,
    }),
    implement(referrals, {
      listReferrals,
      referCustomer: ({ change, account, body }) => referCustomer(change, account, body, { profile, mailing }),
      withdrawReferral,
      getReferral,
      acceptReferral,
      declineReferral,
    }),
  ];
};
