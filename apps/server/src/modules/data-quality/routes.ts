import { campaigns } from '@portal/contract/data-quality/campaigns';
import { dataQuality } from '@portal/contract/data-quality/data-quality';
import { accountList } from '@portal/contract/data-quality/account-list';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { exportStaffAccounts, listStaffAccounts } from './account-list.ts';
import { getCampaignDraft, listCampaigns, sendCampaign, stopCampaign } from './campaigns.ts';
import { exportFinding, exportPersonalFinding, getDataQuality, listFinding, listPersonalFinding } from './lists.ts';

export const dataQualityRoutes: readonly Implementation[] = [
  implement(dataQuality, { getDataQuality, listFinding, exportFinding, listPersonalFinding, exportPersonalFinding }),
  implement(accountList, { listStaffAccounts, exportStaffAccounts }),
  implement(campaigns, { listCampaigns, getCampaignDraft, sendCampaign, stopCampaign }),
];
