export {
  accountNamed,
  accountNamesFrom,
  type AccountRow,
  accountStatusOf,
  correctAccount,
  findAccount,
  lockAccount,
  lockAccountIfAny,
  lockOwnAccount,
  openForTerm,
  orgNameOf,
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
  contactNameOf,
  contactTypesOf,
  corporateColleagues,
  loginOfAddress,
  openAccountNames,
  refuseOwn,
  securityAddressOf,
} from './people.ts';
export { dayIn } from './registry-day.ts';
