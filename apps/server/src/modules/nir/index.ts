export { addNirDelegation, endDelegationsIn, recordDelegation } from './delegations.ts';
export { addEntity } from './entities.ts';
export { heldByEntityOf } from './held-by-entity.ts';
export { nirModule } from './module.ts';
export { addSubaccount, openSubaccount } from './subaccounts.ts';
