import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../config.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { Profile } from '../../../profile.ts';
import type { ActivityOrigin } from '../attempts/code-failures.ts';
import type { CopyStorage } from '../copies/copy-storage.ts';
import type { ErasureObstacle } from '../erasure/erasures.ts';
import type { AccountFrame } from '../pages/account-frame.ts';
import type { Forms } from '../pages/forms.ts';
import type { Frame } from '../pages/frame.ts';
import { type LocalTimes, localTimes } from '../pages/local-times.ts';
import type { PasswordPolicy } from '../passwords/password-policy.ts';
import type { LoginPrograms } from '../sessions/login-programs.ts';
import type { Part, Place, PlaceOf } from './account-pages.ts';
import type { AccountSession, AccountSessions } from './account-session.ts';
import type { Fate } from './erasure-pages.ts';
import { preferencesOf } from './people.ts';

/** Facts of all modules on the page of an erasure, as its person may know them. */
export type ErasureFacts = { obstaclesOf: (loginId: string) => Promise<ErasureObstacle[]>; kinds: readonly Fate[] };

export type AccountRoutesOptions = {
  db: Database;
  config: Config;
  profile: Profile;
  box: SecretBox;
  forms: Forms;
  /** Frame of the login's pages. */
  frame: AccountFrame;
  /** Frame of the pages behind links, which need no session. */
  linkFrame: Frame;
  account: AccountSessions;
  policy: PasswordPolicy;
  clock: () => Date;
  /** Returns the holder of an address, if the registry knows. */
  placeOf: PlaceOf;
  /** Keeps copies of people's data; null where none can be made. */
  copyStorage: CopyStorage | null;
  /** Effects of an erasure, and what is in its way. */
  erasure: ErasureFacts;
  /** Programs that act in a person's name, of all modules. */
  programs: readonly LoginPrograms[];
};

/** Lines of one page of a list. */
export const LINES_A_PAGE = 50;
/** Above a form whose entries came back after a log-in. */
export const again = 'You had to log in again. No changes were made yet. Check your entries and send them again.';

/** Confirmations, by the word in the page's address. */
const doneWords: Readonly<Record<string, string>> = {
  names: 'Your names were saved.',
  email: 'We sent a link to the new address. Open it within 30 minutes to make the change.',
  password: 'Your password was changed. All other sessions were ended.',
  'password-set': 'Your password was set. All other sessions were ended.',
  'password-removed': 'Your password was removed. All other sessions were ended.',
  'copy-requested': 'You requested a copy of your data. You get an e-mail when it’s ready.',
  'erasure-requested': 'You asked to be erased. Each of your addresses gets an e-mail about it.',
  'erasure-withdrawn': 'You took the request back. Nothing is erased.',
  ended: 'The session was ended.',
  'ended-others': 'All other sessions were ended.',
  'ended-program': 'The program can no longer act in your name.',
};

type Page = Part & { done?: string | null; message?: string | null };
export type Query = Record<string, string | undefined>;

/** An answer to a request: its status and the session of the person it is for. */
export type Answering = { request: FastifyRequest; reply: FastifyReply; status: number; session: AccountSession };

export type AccountTools = AccountRoutesOptions & ReturnType<typeof accountTools>;

/** Returns what the pages of one's login share: how they are answered, times in the person's zone, origins of activities, places of addresses. */
export function accountTools({ db, config, profile, forms, frame, placeOf }: AccountRoutesOptions) {
  const answer = ({ request, reply, status, session: { login } }: Answering, page: Page): FastifyReply => {
    const { done } = request.query as Query;
    const said = request.method === 'GET' && done !== undefined && Object.hasOwn(doneWords, done) ? (doneWords[done] ?? null) : null;
    return forms.answer(reply, status, frame(forms.context(request), { done: said, ...page, login }));
  };
  const timesOf = async ({ loginId }: AccountSession): Promise<LocalTimes> =>
    localTimes(await preferencesOf(db.read, loginId), profile.timeZone);
  const from = (request: FastifyRequest): ActivityOrigin => ({
    traceId: request.traceId,
    address: request.address,
    userAgent: request.headers['user-agent']?.slice(0, 300),
  });
  const originOf = (request: FastifyRequest, { loginId, sid, amr }: AccountSession): ActivityOrigin => ({
    ...from(request),
    login: { issuer: config.issuerUri, subject: loginId },
    sid,
    amr,
  });
  const whose = ({ loginId }: AccountSession) => ({ issuer: config.issuerUri, loginId });
  /** Adds the place of each; an address that occurs often is looked up once. */
  const withPlaces = async <Row extends { address: string | null }>(rows: readonly Row[]): Promise<(Row & { place: Place | null })[]> => {
    const addresses = [...new Set(rows.flatMap(({ address }) => address ?? []))];
    const places = new Map(await Promise.all(addresses.map(async address => [address, await placeOf(address)] as const)));
    return rows.map(row => ({ ...row, place: (row.address && places.get(row.address)) || null }));
  };
  return { answer, timesOf, from, originOf, whose, withPlaces };
}
