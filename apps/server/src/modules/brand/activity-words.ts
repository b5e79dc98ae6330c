import type { brand } from '@portal/contract/brand/brand';
import type { ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const brandWords = {
  activities: {
    brand: {
      category: 'system',
      unlisted: true,
      actions: {
        prepareBrandChange: 'Prepare a change of the brand',
        discardBrandChange: 'Discard a change of the brand',
        confirmBrandChange: 'Confirm a change of the brand',
        uploadBrandLogo: 'Upload a logo',
        withdrawBrandChange: 'Withdraw a change of the brand',
      },
    },
  },
  unshown: { brand_change: 'the registry’s', brand_logo: 'the registry’s' },
} satisfies ModuleWords<{ brand: typeof brand }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    brand: typeof brandWords;
  }
}
