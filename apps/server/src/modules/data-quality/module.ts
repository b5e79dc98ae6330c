import type { Module } from '../../platform/module.ts';
import { dataQualityNames } from './act-names.ts';
import { dataQualityWords } from './activity-words.ts';
import { measureCampaigns, sendCampaigns } from './campaign-sending.ts';
import { keepFindings } from './kept-findings.ts';
import { dataQualityPersonal } from './personal-data.ts';
import { dataQualityRoutes } from './routes.ts';
import { dataQualityTexts } from './mail-texts.ts';

export const dataQualityModule: Module = {
  name: 'data-quality',
  mailTexts: dataQualityTexts,
  tables: ['qualityCampaign', 'qualityDay', 'qualityRecipient', 'qualityRow'],
  personal: dataQualityPersonal,
  routes: () => dataQualityRoutes,
  schedule: [
    { name: 'dataQuality.keepFindings', every: 60, run: keepFindings },
    {
      name: 'dataQuality.sendCampaigns',
      every: 1,
      run: async context => {
        await sendCampaigns(context);
      },
    },
    { name: 'dataQuality.measureCampaigns', every: 60, run: measureCampaigns },
  ],
  actNames: dataQualityNames,
  words: dataQualityWords,
  keeps: [
    {
      of: 'contact',
      data: 'Which e-mails about data to put right you got',
      purpose: 'So that no one gets the same e-mail twice, and to see whether it helped',
      until: 'A year after the e-mail',
      ends: 'deleted by its module',
      tables: ['qualityRecipient'],
    },
  ],
};
