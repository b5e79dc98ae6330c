export {
  accountNamed,
  accountNamesFrom,
  correctAccount,
  findAccount,
  lockAccount,
  lockAccountIfAny,
  lockOwnAccount,
  openForTerm,
  setAccountStatus,
  takenAccountNames,
} from './account-row.ts';
export { accountForStaff, accountNamesOf, addContact, createAccount, holdsPrivilege, membershipOf, type NewAccount } from './accounts.ts';
export { accountsModule } from './module.ts';
export {
  activeContactOf,
  activeContacts,
  actorNameOf,
  actorOf,
  contactById,
  contactTypesOf,
  corporateColleagues,
  loginOfAddress,
  openAccountNames,
  refuseOwn,
  securityAddressOf,
  wasContactOf,
} from './people.ts';
