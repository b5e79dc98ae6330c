import { watchers } from '@portal/contract/status-pages/watchers';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { addWatcher, listWatchers, renameWatcher, revokeWatcher } from './watchers.ts';

export const statusPagesRoutes: readonly Implementation[] = [
  implement(watchers, { listWatchers, addWatcher, renameWatcher, revokeWatcher }),
];
