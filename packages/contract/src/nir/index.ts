export * from './delegations.ts';
export * from './entities.ts';
export * from './nir-access.ts';
export * from './subaccounts.ts';
