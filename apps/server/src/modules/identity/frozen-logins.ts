import { frozenLogins } from '@portal/contract';
import type { Config } from '../../config.ts';
import { implement } from '../../platform/endpoints.ts';
import { refuse } from '../../platform/failure.ts';
import { thawLogin } from './freeze.ts';
import { findLogin } from './logins.ts';

/** What registry staff do with frozen logins. */
export const frozenLoginRoutes = (config: Config) =>
  implement(frozenLogins, {
    thawLogin: async ({ change, params, body: { reason }, caller }) => {
      const login = await findLogin(change, params.username);
      if (!login || login.loginId === caller.loginId || !(await thawLogin(change, config, login.loginId)))
        throw refuse('NOT_FOUND', { what: 'A frozen login of that name' });
      await change.note({ login: login.username, reason });
    },
  });
