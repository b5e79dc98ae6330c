import { home } from '@portal/contract/home/home';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { getHome, getNetwork } from './home.ts';

export const homeRoutes: readonly Implementation[] = [implement(home, { getHome, getNetwork })];
