import { search } from '@portal/contract/search/search';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { findEverywhere, findInAccount } from './search.ts';

export const searchRoutes: readonly Implementation[] = [implement(search, { findInAccount, findEverywhere })];
