export { accountForStaff, accountNamesOf, addContact, createAccount, holdsPrivilege, membershipOf, type NewAccount } from './accounts.ts';
export { accountsModule } from './module.ts';
