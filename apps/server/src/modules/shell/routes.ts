import { changeOutcomes } from '@portal/contract/shell/change-outcomes';
import { shell } from '@portal/contract/shell/shell';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { settleChange } from '../../platform/http/idempotency.ts';
import { getEnvironment, getFeatureFlags, getNavigation, getTheme } from './shell.ts';

export const shellRoutes: readonly Implementation[] = [
  implement(shell, {
    getEnvironment,
    getTheme,
    getFeatureFlags,
    getNavigation,
  }),
  implement(changeOutcomes, { settleChange }),
];
