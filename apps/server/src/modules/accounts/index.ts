export { accountForStaff, addContact, createAccount, holdsPrivilege, membershipOf, type NewAccount, type NewContact } from './accounts.ts';
export { accountRoutes } from './routes.ts';
