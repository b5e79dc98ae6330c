import type { features } from '@portal/contract/features/features';
import type { ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const featuresWords = {
  activities: {
    features: {
      category: 'system',
      unlisted: true,
      actions: { setFeature: 'Switch a feature' },
    },
  },
  unshown: {
    feature_setting: 'the registry’s',
    feature_account: 'the registry’s',
  },
} satisfies ModuleWords<{ features: typeof features }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    features: typeof featuresWords;
  }
}
