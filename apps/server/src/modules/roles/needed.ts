import { staffPermissionWords } from '@portal/contract/staff-permission-words';
import { holdsOneOf, type StaffPermission } from '@portal/contract';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import { holdersOf } from './held-roles.ts';

/** More names than this help no one. */
const MAX_NAMED = 4;
const anyOf = new Intl.ListFormat('en', { type: 'disjunction' });

/** The permissions of which one would help, and who gives them, in the words of a refusal. */
export async function neededInWords(
  read: Pick<Read, 'rows'>,
  needed: readonly StaffPermission[],
  now: string,
): Promise<{ permission: string; givers: string }> {
  const givers = (await holdersOf(read, ['staff'], now)).slice(0, MAX_NAMED).map(({ fullName }) => fullName);
  return {
    permission: anyOf.format(needed.slice(0, MAX_NAMED).map(key => `“${staffPermissionWords[key]}”`)),
    givers: givers.length === 0 ? 'The operator of the registry' : anyOf.format(givers),
  };
}

/**
 * Checks a permission that only the case at hand decides.
 * @param isRead auditors may read it as well
 * @throws Failure NO_STAFF_PERMISSION without one of them
 */
export async function requireStaffPermission(
  read: Pick<Read, 'rows'>,
  held: ReadonlySet<string>,
  needed: readonly StaffPermission[],
  { now, isRead = false }: { now: string; isRead?: boolean },
): Promise<void> {
  if (!holdsOneOf(held, needed, isRead)) throw refuse('NO_STAFF_PERMISSION', await neededInWords(read, needed, now));
}
