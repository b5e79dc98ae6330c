export { assignRole } from './giving.ts';
export { rolesOfGroups } from './groups.ts';
export { neededInWords, requireStaffPermission } from './needed.ts';
export { holdersOf, lockRoles, staffPermissionsOf } from './held-roles.ts';
export { type SecondPersons, secondPersons } from './second-persons.ts';
export { withdrawByOperator } from './members.ts';
export {
  handCaseOver,
  heldCases,
  keyOfCase,
  notifyFormerHandler,
  ownersOfCase,
  type StaffCases,
  whyDecidedBeforeOpening,
} from './staff-cases.ts';
export { addOwnRole } from './own-roles.ts';
export { rolesModule } from './module.ts';
