import type { StaffPermission } from '@portal/contract';
import type { Read } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';
import { endpointOf, type Row } from './proposal-row.ts';

/** Calls of registry staff of which the case at hand decides who makes them: of the permissions that the call names, one counts. */
export type CasePermissions = {
  /** The calls, by the ids of their endpoints. */
  calls: readonly string[];
  /** Returns the permissions of which one is needed for the case in these parameters; null if there is none. */
  of: (read: Pick<Read, 'rows'>, params: unknown) => Promise<readonly StaffPermission[] | null>;
};

declare module '../../platform/module.ts' {
  interface Contributions {
    /** Its calls of which the case decides who makes them. */
    casePermissions?: CasePermissions;
  }
}

/** The permissions of which the second person of a call needs one, as its first does: those of its case, otherwise those of the call. */
export async function permissionsOf(
  read: Pick<Read, 'rows'>,
  modules: readonly Module[],
  { action, input }: Pick<Row, 'action' | 'input'>,
): Promise<readonly StaffPermission[]> {
  const ofCase = modules.find(({ casePermissions }) => casePermissions?.calls.includes(action))?.casePermissions;
  const found = ofCase ? await ofCase.of(read, input.params) : null;
  if (found) return found;
  const access = endpointOf(action)?.access;
  return access?.who === 'staff' ? access.permissions : [];
}
