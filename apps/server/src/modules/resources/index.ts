export { assign } from './assignments.ts';
export { delegate, findDelegationHolding, findDelegationsMeeting } from './delegations.ts';
export { endedEventSpace, eventSpaceEndingBy, eventSpaceOf, findEventSpace, type HeldEventSpace, setLastDay } from './event-space.ts';
export { exportStatistics, type MemberPart } from './statistics/export-statistics.ts';
export {
  countDelegations,
  delegatedAsNumbers,
  delegatedSpace,
  type HeldBlock,
  heldBlocks,
  USE_PARTS,
  usedParts,
  heldByOthers,
  holdingsOf,
  pooledAsNumbers,
  receivedFromLastPool,
  sizeForEvents,
} from './holders/holdings.ts';
export { holdingsOverTime } from './holders/holdings-over-time.ts';
export { changesOfDelegations } from './holders/known-delegations.ts';
export { StatisticsLocked, StatisticsPlan, StatisticsRefused } from './statistics/import-refusals.ts';
export { type ImportReport, importStatistics } from './statistics/import-statistics.ts';
export { columnsOf, resourceOf } from './ledger-columns.ts';
export {
  actOverLocks,
  fixParts,
  type LockedPart,
  lockedPartsMeeting,
  lockedPartsOf,
  lockParts,
  refuseLocked,
  unlockParts,
} from './locked-parts.ts';
export { isLocked, lockedResources } from './locks.ts';
export { type GateObstacle, gateObstacle, labNumbersOf, type LedgerMove } from './ledger-gate.ts';
export { type LedgerRecord, ledgerRecord, relationOf } from './ledger-record.ts';
export {
  delegationsIn,
  heldBeside,
  holderOf,
  type HeldPart,
  type Neighbour,
  neighboursOf,
  oldestDelegations,
  type PublicDelegation,
} from './public-delegations.ts';
export { endElsewhere, heldElsewhere } from './other-registries.ts';
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
export { unallocatedSpace } from './unallocated-space.ts';
export {
  endRegistration,
  growDelegation,
  movedSpace,
  registrationIds,
  registrationsAcross,
  registrationsIn,
  type MovingSpace,
  spaceToMove,
} from './moving-space.ts';
export { exampleStatistics } from './statistics/example-statistics.ts';
export { holdersIn } from './statistics/region-statistics.ts';
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
export { accountsAffected, accountsHolding, accountsMeeting, formerHoldingsOf, knownWithoutHolder } from './holders/holders-of.ts';
export { holdingsOfVoters } from './holders/holdings-of-voters.ts';
export { listRegistrations } from './registrations.ts';
export { resourcesModule } from './module.ts';
