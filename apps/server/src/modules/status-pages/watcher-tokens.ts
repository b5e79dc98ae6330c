import { hashOf, hasOwnChecksum, secretWith } from '../api-keys/index.ts';

/** How tokens of watchers begin: recognisable for people and leak scanners. */
const PREFIX = 'mr_watch_';
/** Characters that lists show. */
const SHOWN = PREFIX.length + 8;
const shape = /^mr_watch_[0-9A-Za-z]{46}$/;

export type WatcherToken = { token: string; hash: Buffer; prefix: string };

/** Returns a new token, what is stored of it, and what lists show. */
export function newWatcherToken(): WatcherToken {
  const token = secretWith(PREFIX);
  return { token, hash: hashOf(token), prefix: token.slice(0, SHOWN) };
}

/** The hash of the token in an Authorization header (`Bearer mr_watch_…`); null if there is none, or it is mistyped. */
export function tokenHashIn(authorization: string | undefined): Buffer | null {
  const token = /^Bearer (\S{1,100})$/i.exec(authorization ?? '')?.[1];
  return token !== undefined && shape.test(token) && hasOwnChecksum(token) ? hashOf(token) : null;
}
