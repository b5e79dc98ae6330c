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

type Deps = { config: Config; profile: Profile; clock: () => Date };

export const applicationRoutes = ({ config, profile, clock }: Deps): Implementation[] => {
  const mailing = { appUrl: config.appUrl, box: openSecretBox(config) };
  return [
    implement(applications, {
      getApplicationTerms: async () => termsOf(profile),
      listApplications: ({ read, caller }) => listApplications(read, caller),
      startApplication: ({ change, caller }) => startApplication(change, caller),
      getApplication: ({ read, params, caller }) => getApplication(read, params.applicationId, caller),
      saveDraft: ({ change, params, body, caller }) => saveDraft(change, params.applicationId, body, caller),
      checkAccountName: ({ read, unrecorded, params, body, caller }) =>
        checkAccountName({ read, unrecorded }, params.applicationId, body, { caller, now: clock() }),
      submitApplication: ({ change, params, body, caller }) => submitApplication(change, params.applicationId, body, { caller, profile }),
      answerApplication: ({ change, params, body, caller }) => answerApplication(change, params.applicationId, body, { caller, profile }),
      withdrawApplication: ({ change, params, caller }) => withdrawApplication(change, params.applicationId, caller),
      listStaffApplications: ({ read, query }) => listStaffApplications(read, query),
      exportStaffApplications: async ({ read, query: { format, ...filters } }) =>
        tableFile('applications', format, exportedColumns, streamStaffApplications(read, filters)),
      getStaffApplication: ({ read, params }) => getStaffApplication(read, params.applicationId),
      reviewApplication: ({ change, params, caller }) => reviewApplication(change, params.applicationId, caller),
      askAboutApplication: ({ change, params, body, caller }) => askAboutApplication(change, params.applicationId, body, caller),
      approveApplication: ({ change, params, body, caller }) => approveApplication(change, params.applicationId, body, { caller, mailing }),
      refuseApplication: ({ change, params, body, caller }) => refuseApplication(change, params.applicationId, body, caller),
    }),
    implement(referrals, {
      listReferrals: ({ read, account, query }) => listReferrals(read, account, query, profile),
      referCustomer: ({ change, account, body }) => referCustomer(change, account, body, { profile, mailing }),
      withdrawReferral: ({ change, account, params }) => withdrawReferral(change, account, params.referralId),
      getReferral: ({ read, params, caller }) => getReferral(read, params.referralToken, caller, clock()),
      acceptReferral: ({ change, params, caller }) => acceptReferral(change, params.referralToken, caller),
      declineReferral: ({ change, params, caller }) => declineReferral(change, params.referralToken, caller),
    }),
  ];
};
