import { scrubbed } from './scrubbed.ts';

/** A failure as it may be shown and reported: without code, state or token. */
export type SignInFailure = {
  /** The error code of the provider (RFC 6749, OpenID Connect Core); null where the library or the browser failed. */
  code: string | null;
  /** The message of the provider, library or browser. */
  detail: string;
  name: string;
};

/** A sign-in that failed, as it is shown. */
export type SignInProblem = {
  failure: SignInFailure;
  /** Under which it was reported. */
  traceId: string;
  /** Another sign-in in this tab failed less than a minute before. */
  repeated: boolean;
};

type Thrown = { name?: string; message?: string; error?: string | null; error_description?: string | null };

/** Reduces a failed sign-in to what may be shown and reported. `secrets` are values of the callback's address. */
export function signInFailure(thrown: unknown, secrets: readonly string[] = []): SignInFailure {
  const { name = '', message = '', error, error_description: description } = (thrown ?? {}) as Thrown;
  let detail = error ? (description ?? '') : message || (typeof thrown === 'string' ? thrown : '');
  for (const secret of secrets) if (secret.length > 3) detail = detail.replaceAll(secret, '[removed]');
  // The query of an address in the message is private.
  detail = scrubbed(detail).replace(/(https?:\/\/[^\s?#]+)[?#]\S*/g, '$1');
  return { code: error ? error.slice(0, 80) : null, detail: detail.slice(0, 400), name };
}

/** True when the browser holds no request that belongs to this callback: a bookmark, the back button, another browser, or too late. */
export const isStaleCallback = ({ code, detail }: SignInFailure): boolean =>
  code === null && /no matching state|no state in response/i.test(detail);
