import type { campaigns } from '@portal/contract/data-quality/campaigns';
import type { dataQuality } from '@portal/contract/data-quality/data-quality';
import type { ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const dataQualityWords = {
  activities: {
    dataQuality: {
      category: 'system',
      unlisted: true,
      actions: {
        listPersonalFinding: 'Read contacts of a data quality finding',
        exportPersonalFinding: 'Export contacts of a data quality finding',
        keepFindings: 'Keep findings of data quality',
        countDay: 'Count findings of data quality',
        sendCampaigns: 'Write to people of a campaign',
        measureCampaigns: 'Count the effect of a campaign',
        forgetRecipients: 'Forget the recipients of old campaigns',
      },
    },
    'dataQuality.campaigns': {
      category: 'system',
      unlisted: true,
      actions: { sendCampaign: 'Send a campaign', stopCampaign: 'Stop a campaign' },
    },
  },
  unshown: {
    quality_campaign: 'the registry’s',
    quality_day: 'the registry’s',
    quality_recipient: 'the registry’s: the e-mail itself is in the person’s notifications',
    quality_row: 'the registry’s',
  },
} satisfies ModuleWords<{ dataQuality: typeof dataQuality; 'dataQuality.campaigns': typeof campaigns }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    dataQuality: typeof dataQualityWords;
  }
}
