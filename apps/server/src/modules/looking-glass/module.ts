import { lookingGlass } from '@portal/contract/looking-glass/looking-glass';
import { implement } from '../../platform/http/endpoints.ts';
import type { Module } from '../../platform/module.ts';
import { listRouters, lookLimit, lookUp } from './look-up.ts';
import { lookedAtRouters } from './routers.ts';

export const lookingGlassModule: Module = {
  name: 'looking-glass',
  routes: ({ outside, clock }) => {
    const limit = lookLimit();
    return [
      implement(lookingGlass, {
        listRouters: () => Promise.resolve(listRouters(outside(lookedAtRouters))),
        lookUp: ({ read, caller, query }) => {
          limit(caller.loginId, clock().getTime());
          return lookUp(read, outside(lookedAtRouters), query);
        },
      }),
    ];
  },
};
