import { type ActNames, nameIn } from '../../platform/act-names.ts';

export const dataQualityNames: ActNames = { campaign: nameIn('qualityCampaign', { id: 'campaignId', name: 'subject', owner: null }) };
