export { accountForStaff, accountNamesOf, addContact, createAccount, holdsPrivilege, membershipOf, type NewAccount } from './accounts.ts';
export { accountRoutes } from './routes.ts';
