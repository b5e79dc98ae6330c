import type { Change, Read } from '../../platform/database/index.ts';
import type { Module } from '../../platform/module.ts';
import type { Move } from '@portal/contract/life';
import { caseKindPermissions, type HeldCaseKind } from '@portal/contract/staff/cases';
import { sql } from 'kysely';
import { Failure, refuseField } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { CasesOf } from '../../platform/http/cases.ts';
import type { Registry } from '../../platform/registry.ts';
import { loginById, notifyPeople } from '../identity/index.ts';
import { lockRoles, staffPermissionsOf } from './held-roles.ts';
import { rolesTexts } from './mail-texts.ts';

/**
 * Returns why registry staff decide before a closed account opens again, to be read after “because”, such as `REQ-12 is open: Recovery of 192.0.2.0/24`; null without a reason.
 * Its contacts read it.
 */
export type DecidedBeforeOpening = (read: Read, accountName: string) => Promise<string | null>;

/** Open cases that people of registry staff have taken, of one module. */
export type StaffCases = {
  /** Each kind of case that staff decide says whether one of them keeps a closed account from being opened by its contacts; or why none does. */
  beforeOpening: DecidedBeforeOpening | { never: string };
  /** Open cases that someone has, with the login that has them. */
  open: (read: Pick<Read, 'rows'>) => Promise<readonly TakenCase[]>;
  /** How an open case goes to a colleague, by the kinds of the module. */
  held: Readonly<Partial<Record<HeldCaseKind, HeldCases>>>;
};
type TakenCase = { loginId: string; kind: HeldCaseKind; caseId: string };

/** The part of a call that hands a case over. */
type Handing = { change: Change; caller: Caller; registry: Pick<Registry, 'modules' | 'profile' | 'now'> };
/** Cases of one kind that a person has until a colleague gets them; made by `heldCases`. */
export type HeldCases = {
  lock: (handing: Handing, caseId: string) => Promise<LockedCase>;
  ownersOf: (read: Pick<Read, 'rows'>, caseId: string, now: string) => Promise<readonly string[]>;
};
/** A case that is locked for a hand-over. */
type LockedCase = { name: string; handlerId: string | null; give: (to: string) => Promise<void> };

/** The change without its say about whose log the line belongs to: a lock names the account of its case, and the line may be of several, or of none. */
const inLineOf = (change: Change): Change =>
  new Proxy(change, {
    get: (of, key) => {
      if (key === 'concerns') return async () => undefined;
      const value: unknown = Reflect.get(of, key, of);
      return typeof value === 'function' ? (value.bind(of) as unknown) : value;
    },
  });

/**
 * Cases of a kind that can be handed over. Each is locked as for any act of registry staff, in the name of the person who gives it and of the one who gets it: what refuses a decision
 * to either refuses the hand-over.
 * @param as an act of registry staff, and the name of the case in the path of its call
 */
export function heldCases<Row>({
  cases,
  as,
  param,
  nameOf,
  handlerOf,
  give,
  ownersOf,
}: {
  cases: CasesOf<Row>;
  as: Move;
  param: string;
  nameOf: (row: Row) => string;
  /** The login that has it. */
  handlerOf: (row: Row) => string | null;
  /** Writes who has it. It changes nothing else of the case: what was shown to a second person stays as it was. */
  give: (change: Change, row: Row, to: string) => Promise<void>;
  /** The logins that never decide it because it is their own matter; so that they are not offered it. */
  ownersOf: (read: Pick<Read, 'rows'>, caseId: string, now: string) => Promise<readonly string[]>;
}): HeldCases {
  return {
    lock: async (handing, caseId) => {
      const moving = { ...handing, change: inLineOf(handing.change), params: { [param]: caseId }, body: undefined, hasSecondPerson: false };
      const row = await cases.lock(moving, as).catch((error: unknown) => {
        // What it says of the case as it is now is the answer of another call.
        throw error instanceof Failure && error.current !== undefined ? new Failure(error.code, error.message) : error;
      });
      return { name: nameOf(row), handlerId: handlerOf(row), give: to => give(handing.change, row, to) };
    },
    ownersOf,
  };
}

declare module '../../platform/module.ts' {
  interface Contributions {
    /** The open cases that people of registry staff have taken. */
    staffCases?: StaffCases;
    /** Deletes the rows of a module that a person has as registry staff, when they leave. */
    staffLeft?: (change: Change, loginId: string) => Promise<void>;
    /** Of a module without cases of its own: why registry staff decide before a closed account opens again. */
    decidedBeforeOpening?: DecidedBeforeOpening;
  }
}

/** Returns the first reason of the modules why registry staff decide before a closed account opens again; null without one. */
export async function whyDecidedBeforeOpening(read: Read, accountName: string, modules: readonly Module[]): Promise<string | null> {
  for (const { staffCases, decidedBeforeOpening } of modules)
    for (const decides of [staffCases?.beforeOpening, decidedBeforeOpening]) {
      const why = typeof decides === 'function' ? await decides(read, accountName) : null;
      if (why) return why;
    }
  return null;
}

/** Open cases of all modules that someone has. */
const takenCases = async (read: Pick<Read, 'rows'>, modules: readonly Module[]): Promise<TakenCase[]> =>
  (await Promise.all(modules.map(async ({ staffCases }) => staffCases?.open(read) ?? []))).flat();

/** Counts open cases of all modules by login. */
export async function openCasesOf(read: Pick<Read, 'rows'>, modules: readonly Module[]): Promise<Map<string, number>> {
  const counted = new Map<string, number>();
  for (const { loginId } of await takenCases(read, modules)) counted.set(loginId, (counted.get(loginId) ?? 0) + 1);
  return counted;
}

/** How cases of a kind are handed over. @throws Error for a kind without, which is a defect: a test looks for it */
function heldOf(modules: readonly Module[], kind: HeldCaseKind): HeldCases {
  const found = modules.map(({ staffCases }) => staffCases?.held[kind]).find(each => each !== undefined);
  if (!found) throw new Error(`No module says how ${kind} are handed over.`);
  return found;
}

/** The logins that never decide a case because it is their own matter. */
export const ownersOfCase = (
  read: Pick<Read, 'rows'>,
  modules: readonly Module[],
  { kind, caseId, now }: { kind: HeldCaseKind; caseId: string; now: string },
): Promise<readonly string[]> => heldOf(modules, kind).ownersOf(read, caseId, now);

/** Transfers are requests for resources: they share their numbers. */
export const keyOfCase = (kind: string): string => (kind === 'transfers' ? 'resources' : kind);

type Receiver = { loginId: string; fullName: string; email: string };

/** Locks a case as its receiver, whose rules hold too. @throws Failure INVALID_REQUEST at the field that names the receiver */
async function lockFor(
  { change, caller, registry }: Handing,
  { kind, caseId, to, field }: { kind: HeldCaseKind; caseId: string; to: Receiver; field: string },
): Promise<LockedCase> {
  const staffPermissions = await staffPermissionsOf(change, to.loginId, new Date(change.now));
  if (!staffPermissions.has(caseKindPermissions[kind]))
    throw refuseField(field, `${to.fullName} can’t take cases of this kind. Choose someone else`);
  const { approvedBy: _second, ...as } = { ...caller, loginId: to.loginId, name: to.fullName, email: to.email, staffPermissions };
  try {
    return await heldOf(registry.modules, kind).lock({ change, registry, caller: as }, caseId);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'OWN_REQUEST') throw error;
    throw refuseField(
      field,
      `${to.fullName} can’t take this case, because it is about an account or an application of theirs. Choose someone else`,
    );
  }
}

/**
 * Hands one open case of the caller's kinds over, and notes who had it. The rules of its kind hold for both people. Returns the name of the case and the login that had it.
 * @throws Failure OWN_REQUEST, ALREADY_RESOLVED and others of the lock of its kind; INVALID_REQUEST for a colleague who can't have it
 */
export async function handCaseOver(
  handing: Handing,
  { kind, caseId, to, words }: { kind: HeldCaseKind; caseId: string; to: Receiver; words: string },
): Promise<{ former: string | null }> {
  // Whose roles end at the same moment gets no case: their open ones were just handed over.
  await lockRoles(handing.change);
  await heldOf(handing.registry.modules, kind).lock(handing, caseId);
  const found = await lockFor(handing, { kind, caseId, to, field: 'to' });
  if (found.handlerId === to.loginId) throw refuseField('to', `${to.fullName} has it already. Choose someone else`);
  await give(handing, found, { kind, caseId, to, words });
  return { former: found.handlerId };
}

async function give(
  { change, caller }: Handing,
  { handlerId, give: write }: LockedCase,
  { kind, caseId, to, words }: { kind: HeldCaseKind; caseId: string; to: Receiver; words: string },
): Promise<void> {
  await write(to.loginId);
  await change.rows(sql`insert into case_hand_over (kind, case_id, from_login, to_login, by_login, words, at)
    values (${keyOfCase(kind)}, ${caseId}, ${handlerId}, ${to.loginId}, ${caller.loginId}, ${words}, ${change.now}::timestamptz)`);
}

/**
 * Hands all open cases of a person who leaves to a colleague. An administrator does that without deciding any: of their own rules only that none is their own matter holds.
 * @throws Failure INVALID_REQUEST at `casesTo` for a case that the colleague can't have
 */
export async function handOverCases(handing: Handing, { from, to }: { from: Receiver; to: Receiver }): Promise<number> {
  const { change, caller, registry } = handing;
  const taken = (await takenCases(change, registry.modules)).filter(({ loginId }) => loginId === from.loginId);
  let cases = 0;
  for (const { kind, caseId } of taken) {
    const found = await lockFor(handing, { kind, caseId, to, field: 'casesTo' }).catch((error: unknown) => {
      // Closed meanwhile: it has no one who must go on with it.
      if (error instanceof Failure && ['ALREADY_RESOLVED', 'NOT_FOUND'].includes(error.code)) return null;
      throw error;
    });
    // The colleague or someone else took it meanwhile.
    if (found?.handlerId !== from.loginId) continue;
    if ((await ownersOfCase(change, registry.modules, { kind, caseId, now: change.now })).includes(caller.loginId))
      throw refuseField('casesTo', `${found.name} is about an account or an application of yours. Ask a colleague to take it first`);
    await give(handing, found, { kind, caseId, to, words: `${from.fullName} left registry staff` });
    cases += 1;
  }
  return cases;
}

/** Notifies the person who had a case that the caller took it over. Who left, or took it from themselves, gets no notice. */
export async function notifyFormerHandler(
  change: Change,
  caller: Pick<Caller, 'loginId' | 'name'>,
  { formerId, name, path }: { formerId: string | null; name: string; path: string },
): Promise<void> {
  const former = formerId === null || formerId === caller.loginId ? null : await loginById(change, formerId);
  if (!former?.staff || former.disabledAt !== null) return;
  await notifyPeople(
    change,
    {
      topic: 'staff.cases',
      accountName: null,
      text: rolesTexts.written('tookOver', { name, actor: caller.name }),
      path,
      act: 'View case',
    },
    [former],
  );
}
