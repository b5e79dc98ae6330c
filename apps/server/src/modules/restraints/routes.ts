import { restraints } from '@portal/contract/restraints/restraints';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { liftRestraint, listRestraints, setRestraint } from './setting.ts';

export const restraintsRoutes: readonly Implementation[] = [implement(restraints, { listRestraints, setRestraint, liftRestraint })];
