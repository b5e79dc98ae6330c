import { campaigns } from '@portal/contract/data-quality/campaigns';
import { dataQuality } from '@portal/contract/data-quality/data-quality';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { getCampaignDraft, listCampaigns, sendCampaign, stopCampaign } from './campaigns.ts';
import { exportFinding, exportPersonalFinding, getDataQuality, listFinding, listPersonalFinding } from './lists.ts';

export const dataQualityRoutes: readonly Implementation[] = [
  implement(dataQuality, { getDataQuality, listFinding, exportFinding, listPersonalFinding, exportPersonalFinding }),
  implement(campaigns, { listCampaigns, getCampaignDraft, sendCampaign, stopCampaign }),
];
