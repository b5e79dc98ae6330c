export { assign } from './assignments.ts';
export { delegate } from './delegations.ts';
export { exportStatistics } from './export-statistics.ts';
export { holdUntil } from './hold.ts';
export { delegatedAsNumbers, holdingsOf, pooledAsNumbers } from './holdings.ts';
export { type ImportReport, importStatistics, StatisticsRefused, StatisticsPlan } from './import-statistics.ts';
export { columnsOf } from './ledger-columns.ts';
export { ledgerRecord, relationOf } from './ledger-record.ts';
export { placeOf } from './place-of.ts';
export { findPools } from './pools.ts';
export { searchedResource } from './search-text.ts';
export { listRestingSpace, type RestingSpace } from './resting-space.ts';
export { getSummary } from './summary.ts';
export {
  type Assignment,
  changeAssignments,
  findAssignments,
  readAssignment,
  releaseAssignment,
  releaseAssignments,
} from './assignment-changes.ts';
export { assignNetworks, conflictsWith, type Network, registeredAt, type RegisteredNetwork } from './network-assignments.ts';
export { listRegistrations } from './registrations.ts';
export { resourcesModule } from './module.ts';
