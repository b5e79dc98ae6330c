export { endDelegationsIn, recordDelegation } from './delegations.ts';
export { heldByEntityOf } from './held-by-entity.ts';
export { nirModule } from './module.ts';
export { membersInStatistics } from './statistics-parts.ts';
export { openSubaccount } from './subaccounts.ts';
