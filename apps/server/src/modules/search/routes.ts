import { search } from '@portal/contract/search/search';
import { implement, type Implementation } from '../../platform/http/endpoints.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { findEverywhere, findInAccount } from './search.ts';

export const searchRoutes = (context: ModuleContext): Implementation[] => [
  implement(search, {
    findInAccount: ({ read, caller, account, query, traceId }) => findInAccount({ read, caller, account, text: query.q }, context, traceId),
    findEverywhere: ({ read, caller, query, traceId }) => findEverywhere({ read, caller, text: query.q }, context, traceId),
  }),
];
