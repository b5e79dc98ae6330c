import { home } from '@portal/contract/home/home';
import { implement, type Implementation } from '../../platform/http/endpoints.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { getHome } from './home.ts';

export const homeRoutes = (context: ModuleContext): Implementation[] => [
  implement(home, {
    getHome: ({ read, caller, account, traceId }) => getHome({ read, caller, account, now: context.clock() }, context, traceId),
  }),
];
