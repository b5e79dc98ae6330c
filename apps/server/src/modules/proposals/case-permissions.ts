import { holdsOneOf, type StaffPermission } from '@portal/contract';
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

/** Returns the page where a call of registry staff is decided, by its id and the parameters of its path; null where the module knows none. */
export type DecisionPageOf = (read: Pick<Read, 'rows'>, call: { action: string; params: unknown }) => Promise<string | null>;

declare module '../../platform/module.ts' {
  interface Contributions {
    /** Its calls of which the case decides who makes them. */
    casePermissions?: CasePermissions;
    /** Where its calls are decided that wait for a second person; the list of them without it. */
    decisionPageOf?: DecisionPageOf;
  }
}

/** Returns the page where a call is decided; null for the list. */
export async function decisionPageOf(
  read: Pick<Read, 'rows'>,
  modules: readonly Module[],
  call: { action: string; params: unknown },
): Promise<string | null> {
  for (const module of modules) {
    const page = await module.decisionPageOf?.(read, call);
    if (page) return page;
  }
  return null;
}

/** The permissions by which two people make a call: each of the two needs one of theirs. Who holds one of `apart` is no second person. */
export type TwoRoles = { first: readonly StaffPermission[]; second: readonly StaffPermission[]; apart: readonly StaffPermission[] };

/** Returns the permissions of both people of a call: the same, unless the call is made by two roles (`secondRole` of its endpoint). */
export async function rolesOf(read: Pick<Read, 'rows'>, modules: readonly Module[], row: Pick<Row, 'action' | 'input'>): Promise<TwoRoles> {
  const first = await permissionsOf(read, modules, row);
  const { secondRole } = endpointOf(row.action) ?? {};
  return secondRole ? { first, second: [secondRole], apart: first } : { first, second: first, apart: [] };
}

/** Returns whether someone with these permissions is of the role of the second person, and not of one that is kept apart from it. */
export const isOfSecondRole = (held: ReadonlySet<string>, { second, apart }: TwoRoles): boolean =>
  holdsOneOf(held, second, false) && !holdsOneOf(held, apart, false);

/** The permissions of which the first person of a call needs one: those of its case, otherwise those of the call. */
async function permissionsOf(
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
