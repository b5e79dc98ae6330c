import { home } from '@portal/contract/home/home';
import { lastVisit } from '@portal/contract/home/last-visit';
import { implement, type Implementation } from '../../platform/endpoints.ts';
import type { Log } from '../../platform/log.ts';
import type { Profile } from '../../profile.ts';
import { getHome } from './home.ts';
import { getSinceLastVisit } from './since-last-visit.ts';

export const homeRoutes = ({ profile, log, clock }: { profile: Profile; log: Log; clock: () => Date }): Implementation[] => [
  implement(home, {
    getHome: ({ read, caller, account, traceId }) => getHome({ read, caller, account, profile, now: clock() }, log, traceId),
  }),
  implement(lastVisit, {
    getSinceLastVisit: ({ read, caller, account }) => getSinceLastVisit(read, account.accountName, caller, clock()),
  }),
];
