import { type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const dataQualityPersonal: PersonalTables = {
  qualityCampaign: { acts: { startedBy: 'login' } },
  qualityRecipient: {
    own: { contactId: 'contact' },
    erased: { replaced: { address: 'address' }, stays: ['campaignId', 'accountName', 'doneAt', 'outcome'] },
    gives: ['campaignId', 'accountName', 'address', 'doneAt', 'outcome'],
  },
};
