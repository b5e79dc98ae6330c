import { lookingGlass } from '@portal/contract/looking-glass/looking-glass';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { listRouters, lookUp } from './look-up.ts';

export const lookingGlassRoutes: readonly Implementation[] = [implement(lookingGlass, { listRouters, lookUp })];
