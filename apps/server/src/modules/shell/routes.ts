import { changeOutcomes } from '@portal/contract/shell/change-outcomes';
import { shell } from '@portal/contract/shell/shell';
import type { Config } from '../../config.ts';
import { implement, type Implementation } from '../../platform/http/endpoints.ts';
import { settleChange } from '../../platform/http/idempotency.ts';
import type { Profile } from '../../profile.ts';
import { environmentOf, featureFlags, navigationFor, themeOf } from './shell.ts';

export const shellRoutes = ({ config, profile, release }: { config: Config; profile: Profile; release: string }): Implementation[] => [
  implement(shell, {
    getEnvironment: async () => environmentOf(config, profile, release),
    getTheme: async () => themeOf(config, profile),
    getFeatureFlags: async () => featureFlags(config),
    getNavigation: async ({ caller }) => navigationFor(profile, caller),
  }),
  implement(changeOutcomes, {
    settleChange: ({ unrecorded, caller, body }) => settleChange({ unrecorded }, { loginId: caller.loginId, ...body }),
  }),
];
