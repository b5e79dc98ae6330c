export { assign } from './assignments.ts';
export { delegate } from './delegations.ts';
export { exportStatistics } from './export-statistics.ts';
export { holdUntil } from './hold.ts';
export { delegatedAsNumbers, delegatedSpace, type HeldBlock, heldBlocks, holdingsOf, pooledAsNumbers } from './holdings.ts';
export { type ImportReport, importStatistics, StatisticsRefused, StatisticsPlan } from './import-statistics.ts';
export { columnsOf, resourceOf } from './ledger-columns.ts';
export { ledgerRecord, relationOf } from './ledger-record.ts';
export { placeOf } from './place-of.ts';
export {
  addPools,
  endQuarantine,
  findPools,
  freeSpace,
  heldFor,
  holdForRequest,
  lockLedger,
  type OwnPool,
  ownPools,
  releaseHeld,
  restInPool,
  takeHeld,
} from './pools.ts';
export { growDelegation, markDelegations, movedSpace, registrationsIn, type SpaceOnTheMove, spaceToMove } from './moving-space.ts';
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
export { accountsHolding } from './holders-of.ts';
export { holdingsOfVoters } from './holdings-of-voters.ts';
export { listRegistrations } from './registrations.ts';
export { resourcesModule } from './module.ts';
