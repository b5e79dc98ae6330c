import type * as z from 'zod/mini';
import type { ApiScope } from './api-scopes.ts';
import { consequencesOf, type DeclaredEffect, type Effect } from './effects.ts';
import type { ErrorCode } from './errors.ts';
import type { FileKind } from './file-kinds.ts';
import type { Flag } from './flags.ts';
import type { Move } from './life.ts';
import type { DeclaredLimit } from './staff-limits.ts';
import type { Permission } from './permissions.ts';
import { type StaffPermission, staffPermissionKeys } from './staff-permissions.ts';

/**
 * Declares who may call an endpoint or open a page. There is no default: leaving it out does not compile.
 *
 * - `anyone`: no sign-in.
 * - `signed-in`: any login.
 * - `contact`: any contact of the account in the path, whatever the permissions. Registry staff who may read accounts read it during a visit; with `staff`, those who also hold that permission, or one of several.
 *   `closed`: also of a closed account, as for `member`.
 * - `member`: a contact of the account who holds one of the permissions; with `staff`, registry staff may read as well during a visit: those who may read accounts, and who hold the permission named, or one of several.
 *   `closed`: also of a closed account, which otherwise looks non-existent to its contacts: what a bookkeeper needs after the closing (decision 254), and who still has access (decision 297).
 * - `corporate`: a corporate contact of the account; with `orTechnical`, a technical one too. Registry staff never.
 * - `staff`: registry staff who hold one of the permissions. Reads are open to auditors as well. `withoutRole`: all registry staff, also those without a role that counts now, to
 *   the rest of which the desk looks non-existent.
 *
 * `mfa`: only in a session with a second factor, even if the permissions don't require one. Whether it must have been given just now follows from the effect.
 */
export type Access =
  | { who: 'anyone' }
  | { who: 'signed-in' }
  | { who: 'contact'; staff?: StaffPermission | readonly StaffPermission[]; closed?: true }
  | {
      who: 'member';
      permissions: readonly Permission[];
      staff?: true | StaffPermission | readonly StaffPermission[];
      accounts?: AccountKind;
      closed?: true;
      mfa?: boolean;
    }
  | { who: 'corporate'; orTechnical?: true; mfa?: boolean }
  | { who: 'staff'; permissions: readonly StaffPermission[]; mfa?: boolean; withoutRole?: true };

/** Kinds of account that some pages and calls are for: `nir`, national registries; `regular-or-non-member`, accounts with customers. */
export type AccountKind = 'nir' | 'regular-or-non-member';

export const anyone = { who: 'anyone' } as const;
export const signedIn = { who: 'signed-in' } as const;
export const contact = { who: 'contact' } as const;
type Member = { who: 'member'; permissions: readonly Permission[] };
type MemberExtra = { mfa?: true; staff?: true | StaffPermission | readonly StaffPermission[]; accounts?: AccountKind; closed?: true };
/**
 * A contact holding the permission (or one of several). `mfa`: only in a session with a second factor. `staff`: registry staff may read too: those who may read accounts, and hold the permission named, or one of several.
 * `accounts`: only of this kind of account. `closed`: also of a closed one.
 */
export function member(permission: Permission | readonly Permission[]): Member;
export function member<const X extends MemberExtra>(permission: Permission | readonly Permission[], extra: X): Member & X;
export function member(permission: Permission | readonly Permission[], extra: MemberExtra = {}): Member & MemberExtra {
  const permissions = typeof permission === 'string' ? [permission] : permission;
  return { who: 'member', permissions, ...extra };
}
export const corporate = { who: 'corporate' } as const;
/** Contacts who run programs of the account. */
export const corporateOrTechnical = { who: 'corporate', orTechnical: true } as const;
type Staff = { who: 'staff'; permissions: readonly StaffPermission[]; mfa: true };
/** Registry staff who hold the permission (or one of several). Auditors may read too. */
export const staff = (permission: StaffPermission | readonly StaffPermission[]): Staff => ({
  who: 'staff',
  permissions: typeof permission === 'string' ? [permission] : permission,
  mfa: true,
});
/** All registry staff, also those without a role that counts now: for their own rights and the way to them, and nothing else. */
export const ownRights = { ...staff(staffPermissionKeys), withoutRole: true } as const;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * A file the caller saves instead of a JSON value; rows are streamed. `bytes` where the length is known. With the SHA-256 of the whole beside it, a part can be asked for
 * (Range, RFC 9110, section 14), so that a download that broke off goes on.
 */
export type Download = {
  fileName: string;
  contentType: string;
  chunks: AsyncIterable<string | Uint8Array>;
  bytes?: number;
  sha256?: string;
};

/** A file type of a download. */
export type DownloadKind = FileKind | 'zip' | 'gzip' | 'csv' | 'json' | 'xml';

/** A body that is a file (`application/octet-stream`), with its maximum size and the accepted kinds, which are detected from its content. */
export type Upload = { largest: number; kinds: readonly FileKind[] };
/** An uploaded file: stored under the SHA-256 of its content (hexadecimal), and identified by nothing else. */
export type ReceivedFile = { sha256: string; bytes: number; kind: FileKind };

type Schema = z.core.$ZodType;
type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/**
 * A call that changes state names its line in the activity log and its effect; a call that only reads must not. What moves money names the limit under which
 * it is counted, or says why it is not.
 */
type Changing<M extends Method> = M extends 'GET'
  ? { activity?: never; effect?: never; limit?: never; readsFrom?: 'replica' }
  : { activity: string; readsFrom?: never } & (
      | { effect: 'money'; limit: DeclaredLimit }
      | { effect: Exclude<Effect, 'money'> | readonly [Effect, ...Effect[]]; limit?: DeclaredLimit }
    );

/** Maximum size of a body, in bytes, where an endpoint names none: what the event loop parses in a moment, whatever it is. */
export const smallBody = 128 * 1024;
/** The same of endpoints that take lists or texts. */
export const largeBody = 1024 * 1024;

export interface Endpoint<
  M extends Method = Method,
  Path extends string = string,
  Q extends Schema | undefined = Schema | undefined,
  B extends Schema | Upload | undefined = Schema | Upload | undefined,
  A extends Schema | 'download' | undefined = Schema | 'download' | undefined,
  AccessT extends Access = Access,
  Moves extends Move | undefined = Move | undefined,
> {
  /** `domain.verb`, set by `group`. */
  id: string;
  method: M;
  /** Fastify style: `/api/:account/resources/summary`. `:account` means membership is checked. */
  path: Path;
  summary: string;
  access: AccessT;
  query?: Q;
  body?: B;
  answer?: A;
  /** File types of a download other than CSV or JSON. */
  downloads?: readonly DownloadKind[];
  /**
   * The move of a case that it makes. The case is found and locked before its function runs, and a move that isn't possible in its state is refused; see
   * `CasesOf` of the server. Who may make it is `access` as everywhere.
   */
  moves?: Moves;
  /** Possible refusals beyond those of sign-in, permission and input. */
  errors: readonly ErrorCode[];
  activity?: string;
  /** It writes something that is not a change of the registry, so it isn't in the activity log; this says what, and why. See `unrecordedEndpoint`. */
  unrecorded?: string;
  /** Its effects, which decide what it requires of its caller: see `effects`. A read has none. */
  effect?: DeclaredEffect;
  /** Up to what one person of the registry does it alone; see `staffLimits`. The server refuses to commit an act that was not counted. */
  limit?: DeclaredLimit;
  /** It needs no second person although its effect would require one in accounts with that rule; this says why. */
  alone?: string;
  /** It carries out what was proposed to a second person (`account` or `always`, see `secondPerson`), and can answer all refusals of those calls. */
  carriesOut?: 'account' | 'always';
  /** Grants access to the holder of a secret. Refused attempts leave a line in the activity log, so that guesses are counted. */
  guessable?: true;
  /** The feature flag without which it is refused. */
  flag?: Flag;
  /** Maximum body size in bytes, if larger than `smallBody`. */
  largestBody?: number;
  /** It may answer 202: accepted, and done once this has happened. */
  waitsFor?: string;
  /**
   * A second person of the registry approves it first (S25): what its staff change on their own about a holder. The first call answers 409 SECOND_PERSON
   * with the proposal. That a second contact of the account approves follows from the effect.
   */
  secondPerson?: 'always';
  /** Some of what registry staff may give it needs a second one of them (S25), though the call as a whole does not: this says what. */
  secondPersonWhen?: string;
  /** Who decides instead of a second corporate contact where the account is closed: its colleagues can't reach approvals then (decision 297). A call that needs one and is there for closed accounts says it. */
  secondPersonOfClosed?: string;
  /**
   * The permission of the second person, where two people of different roles make the call: who holds a permission of its caller is no second person for it. Without it the
   * second person holds the same permission as the first.
   */
  secondRole?: StaffPermission;
  /** Fields of its answer that are shown once: a repeated call with the same idempotency key is answered with null in their place. */
  onceOnly?: readonly string[];
  /** It is part of the registry API; see `PublicApi`. */
  publicApi?: PublicApi;
  /** `replica`: it may answer from a replica of the database that has everything the caller changed, though not yet all that others did. */
  readsFrom?: 'replica';
}

/**
 * Makes an endpoint part of the registry API: its path below `/registry-api/v1/:account` with the same parameters, and the scope a key needs.
 * Paths are never changed or taken away within a version; `not-public.ts` of `registry-api` says why an endpoint has none.
 */
export type PublicApi = {
  path: `/${string}`;
  scope: ApiScope;
  /**
   * How a list without `offset` is paged: the parameter for the next page, and either the answer's field with its value, or the list whose last
   * entry's id is its value and the field that says that there is more.
   */
  continues?: { parameter: string; next: string } | { parameter: string; entries: string; id: string; more: string };
  /** It is replaced and ends (RFC 9745 and 8594): days, and the id of the call to use instead. */
  deprecated?: { since: string; sunset: string; use: string };
};

/**
 * Whether a call may carry an `idempotency-key` header: every recorded change of a signed-in person. Repeated with the same key within 24 hours it is
 * done once and gets the same answer, and its sender can ask whether it was done (`shell.settleChange`).
 */
export const takesIdempotencyKey = ({ method, access, unrecorded }: Pick<Endpoint, 'method' | 'access' | 'unrecorded'>): boolean =>
  method !== 'GET' && access.who !== 'anyone' && !unrecorded;

/**
 * Who has to approve a call regardless of its input (S25): another contact if the account has the rule, or always another member of staff; null: no one.
 */
export const approvedBefore = (subject: Pick<Endpoint, 'access' | 'effect' | 'alone' | 'secondPerson'>): 'account' | 'always' | null => {
  if (subject.secondPerson) return subject.secondPerson;
  return isOfAccount(subject.access) && consequencesOf(subject).secondPerson && !subject.alone ? 'account' : null;
};

/** Who the second person of a call is, if its input requires one: another contact of the account, or another member of staff; null if it never does. */
export const secondPersonOf = (subject: Pick<Endpoint, 'access' | 'effect' | 'alone' | 'secondPerson' | 'secondPersonWhen'>) =>
  approvedBefore(subject) ?? (subject.secondPersonWhen ? 'always' : null);

/** Returns whether a call is made for the account of its path. */
export const isOfAccount = ({ who }: Access): boolean => who === 'contact' || who === 'member' || who === 'corporate';

type Definition<
  M extends Method,
  Path extends string,
  Q extends Schema | undefined,
  B extends Schema | Upload | undefined,
  A extends Schema | 'download' | undefined,
  AccessT extends Access,
  Moves extends Move | undefined = undefined,
> = {
  method: M;
  path: Path;
  summary: string;
  access: AccessT;
  query?: Q;
  body?: B;
  answer?: A;
  downloads?: readonly DownloadKind[];
  moves?: Moves;
  errors?: readonly ErrorCode[];
  alone?: string;
  carriesOut?: 'account' | 'always';
  guessable?: true;
  flag?: Flag;
  largestBody?: number;
  waitsFor?: string;
  secondPerson?: 'always';
  secondPersonWhen?: string;
  secondPersonOfClosed?: string;
  secondRole?: StaffPermission;
  onceOnly?: readonly string[];
  publicApi?: PublicApi;
} & Changing<M>;

/** Declares one endpoint; see `Endpoint`. Answers 204 when there is no `answer`. */
export function endpoint<
  M extends Method,
  Path extends string,
  const AccessT extends Access,
  Q extends Schema | undefined = undefined,
  B extends Schema | Upload | undefined = undefined,
  A extends Schema | 'download' | undefined = undefined,
  const Moves extends Move | undefined = undefined,
>(definition: Definition<M, Path, Q, B, A, AccessT, Moves>): Endpoint<M, Path, Q, B, A, AccessT, Moves> {
  return { id: '', errors: [], ...definition } as Endpoint<M, Path, Q, B, A, AccessT, Moves>;
}

/**
 * Declares an endpoint that writes counters or short-lived states without an activity: `unrecorded` says what and why. Its handler receives
 * `read` and `unrecorded`. Rare: `tools/house-rules.ts` lists the files that may use it.
 */
export function unrecordedEndpoint<
  Path extends string,
  const AccessT extends Access,
  Q extends Schema | undefined = undefined,
  B extends Schema | Upload | undefined = undefined,
  A extends Schema | 'download' | undefined = undefined,
>(
  definition: Omit<Definition<'POST', Path, Q, B, A, AccessT>, 'activity' | 'method'> & { unrecorded: string },
): Endpoint<'POST', Path, Q, B, A, AccessT, undefined> & { unrecorded: string } {
  return { id: '', errors: [], method: 'POST', ...definition } as unknown as Endpoint<'POST', Path, Q, B, A, AccessT, undefined> & {
    unrecorded: string;
  };
}

/** Returns whether the body of an endpoint is a file. */
export const isUpload = (body: Endpoint['body']): body is Upload => body !== undefined && 'largest' in body;

/** Names the endpoints of one domain: the id becomes `resources.listDelegations`. */
export function group<G extends Record<keyof G, object>>(name: string, endpoints: G): G {
  for (const [key, value] of Object.entries<object>(endpoints)) (value as Endpoint).id = `${name}.${key}`;
  return endpoints;
}

// biome-ignore format: one line a reading
export type ParamsOf<E> = E extends { path: infer P extends string } ? { [K in ParamNames<P>]: string } : never;
export type QueryOf<E> = E extends { query?: infer Q } ? (Q extends Schema ? z.output<Q> : undefined) : undefined;
export type QueryInputOf<E> = E extends { query?: infer Q } ? (Q extends Schema ? z.input<Q> : undefined) : undefined;
export type BodyOf<E> = E extends { body?: infer B }
  ? B extends Schema
    ? z.output<B>
    : B extends Upload
      ? ReceivedFile
      : undefined
  : undefined;
export type BodyInputOf<E> = E extends { body?: infer B }
  ? B extends Schema
    ? z.input<B>
    : B extends Upload
      ? Blob
      : undefined
  : undefined;
export type AnswerOf<E> = E extends { answer?: infer A } ? (A extends Schema ? z.output<A> : A extends 'download' ? Download : void) : void;
export type MethodOf<E> = E extends { method: infer M } ? M : never;
/** True for endpoints whose calls leave a line in the activity log. */
export type IsRecorded<E> = MethodOf<E> extends 'GET' ? false : E extends { unrecorded: string } ? false : true;
/** True for endpoints that move a case. */
export type MovesCase<E> = E extends { moves?: infer V } ? ([V] extends [Move] ? true : false) : false;
export type AccessOf<E> = E extends { access: infer X } ? X : never;
