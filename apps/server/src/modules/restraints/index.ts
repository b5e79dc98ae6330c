export { restraintsModule } from './module.ts';
export { actOverRestraints } from './over-restraints.ts';
export { areHoldingsStopped, holdingsStopped, refuseRestrained, refuseRestrainedChange, restrictedAmong } from './restraint-row.ts';
export type { RestrainedCases } from './restrained-cases.ts';
