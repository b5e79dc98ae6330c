import type { Endpoint } from '@portal/contract';
import { effectsOf } from '@portal/contract/effects';
import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import {
  type Confirmation,
  type ConfirmationBegun,
  confirmationPaths,
  type ConfirmationRefusal,
  type ConfirmationWay,
} from '@portal/contract/shell/confirmation';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Config } from '../../../config.ts';
import type { Database } from '../../../platform/database/index.ts';
import { refuse } from '../../../platform/failure.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { type AskedAct, type Confirmations, factorSeconds } from '../../../platform/http/confirmed.ts';
import type { SignedValues } from '../../../platform/http/signed-value.ts';
import type { Log } from '../../../platform/log.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { AccountSession, AccountSessions } from '../account/account-session.ts';
import { countAttempt, type GuessedSecret, openFailureLines, waitWords } from '../attempts/sign-in-failures.ts';
import { demoCodeOf } from '../factors/demo-people.ts';
import { acceptPasskey, listPasskeys, passkeyRequest } from '../factors/passkeys.ts';
import { verifySignInCode } from '../factors/second-factors.ts';
import { hashOf, verifyPassword } from '../logins/password.ts';
import { fromOurPages } from '../pages/forms.ts';
import { storeGivenPassword } from '../sign-in/given-password.ts';
import { proven } from '../sign-in/proven.ts';
import { secondFactorsOf } from '../sign-in/second-factor-gate.ts';

/** The changes that are confirmed, as the registry signed them when it refused them. */
const acts = z.array(z.string().check(z.maxLength(5000))).check(z.minLength(1), z.maxLength(20));
const password = z.string().check(z.maxLength(1000));
const AskedConfirmation = z.object({ acts });
const GivenFactor = z.union([
  z.object({ acts, code: z.string().check(z.maxLength(20)), password: z.optional(password) }),
  z.object({ acts, passkey: z.string().check(z.maxLength(20_000)) }),
]);
const GivenPassword = z.object({ acts, password });

export type ConfirmationOptions = {
  db: Database;
  config: Config;
  box: SecretBox;
  clock: () => Date;
  log: Log;
  /** @throws Failure NOT_SIGNED_IN, SESSION_ENDED, UNAVAILABLE */
  verifyBearer: (authorization: string | undefined) => Promise<Caller>;
  account: Pick<AccountSessions, 'sessionOf'>;
  confirmations: Confirmations;
  askedActs: Pick<SignedValues<AskedAct>, 'read'>;
  endpointOf: (id: string) => Endpoint | undefined;
};

/** A factor that is not accepted. Thrown, so that nothing after it runs. */
class Refused extends Error {
  readonly status: number;
  readonly refusal: ConfirmationRefusal;
  readonly waitSeconds: number | undefined;

  constructor(status: number, refusal: ConfirmationRefusal, waitSeconds?: number) {
    super(refusal.message);
    this.status = status;
    this.refusal = refusal;
    this.waitSeconds = waitSeconds;
  }
}

/** Changes of one kind: with the same effects, for the same account. `endpoint` is that of the first. */
type Kind = { acts: readonly AskedAct[]; endpoint: Endpoint; account: string | null };
/** A request that may be answered: of a page of ours, whose bearer is of the session that this browser holds. */
type Asked<Body> = { request: FastifyRequest; session: AccountSession; kind: Kind; body: Body };

const wrongCode = 'Wrong code, or it was already used. Enter the one your app shows now.';
const otherSession = 'You have logged in again in this browser meanwhile. Reload the page, then try again.';
const otherAct = 'This isn’t the change that the registry refused. Make it once more.';
/** How long, in seconds, a refused change can be confirmed. */
const PATIENCE_SECONDS = 900;
/** Failures after which the next attempt waits; see `attempt`. */
const FREE_FAILURES = 5;

type Guesser = Pick<Asked<unknown>, 'request' | 'session'>;

/** Returns from where a person acts, for the activity log. */
const originOf = ({ request, session: { loginId } }: Guesser, { issuerUri }: Pick<Config, 'issuerUri'>) => ({
  traceId: request.traceId,
  address: request.address,
  userAgent: request.headers['user-agent']?.slice(0, 300),
  login: { issuer: issuerUri, subject: loginId },
});

/** Challenges and answers of a passkey belong to one session and one kind of change. */
const boundTo = ({ sid }: AccountSession, { endpoint, account: name }: Kind): string => `confirmation ${sid} ${endpoint.id} ${name ?? ''}`;

/** Returns how to get the kind of changes that were refused to a caller; null if one wasn't, was long ago, or is of another kind. */
const kindReader =
  ({ askedActs, endpointOf, clock }: Pick<ConfirmationOptions, 'askedActs' | 'endpointOf' | 'clock'>) =>
  (written: readonly string[], { loginId, sid, staff }: Caller): Kind | null => {
    const now = clock().getTime() / SECOND_MS;
    const read = written.map(each => askedActs.read(each)).filter(each => each !== null);
    const mine = read.filter(each => each.loginId === loginId && each.sid === sid && now - each.at <= PATIENCE_SECONDS);
    const [first] = mine;
    const endpoint = first && endpointOf(first.endpoint);
    if (!first || !endpoint || mine.length < written.length) return null;
    const kind = String(effectsOf(endpoint).toSorted());
    const isOfKind = (each: AskedAct): boolean => {
      const other = endpointOf(each.endpoint);
      return other !== undefined && each.account === first.account && String(effectsOf(other).toSorted()) === kind;
    };
    const mayBe = effectsOf(endpoint).length > 0 && endpoint.access.who !== 'anyone' && (endpoint.access.who !== 'staff' || staff);
    return mayBe && mine.every(isOfKind) ? { acts: mine, endpoint, account: first.account } : null;
  };

/** Returns how the person of a session can prove a second factor here. */
const waysOf = async ({ read }: Pick<Database, 'read'>, { loginId, amr }: AccountSession) => {
  const [{ enrolled, ways }, hash] = await Promise.all([secondFactorsOf(read, loginId), hashOf(read, loginId)]);
  const needsPassword = !amr.includes('pwd');
  const usable = ways.filter((way): way is ConfirmationWay => way === 'passkey' || (way === 'code' && (!needsPassword || hash !== null)));
  return { enrolled, ways: usable, needsPassword };
};

const refuseWith = (reply: FastifyReply, { status, refusal, waitSeconds }: Refused): FastifyReply => {
  if (waitSeconds !== undefined) void reply.header('retry-after', String(waitSeconds));
  return reply.code(status).send(refusal);
};

/**
 * Returns how to add a route that answers to the session of the page.
 * @throws Failure INVALID_REQUEST, NOT_SIGNED_IN, SESSION_ENDED, UNAVAILABLE
 */
function sessionRoutes(app: FastifyInstance, options: ConfirmationOptions) {
  const { verifyBearer, account } = options;
  const kindOf = kindReader(options);
  return <Schema extends z.ZodMiniType<{ acts: string[] }>>(
    address: string,
    schema: Schema,
    handler: (asked: Asked<z.output<Schema>>) => Promise<unknown>,
  ): void => {
    app.post(address, async (request, reply) => {
      void reply.header('cache-control', 'no-store');
      fromOurPages(request);
      const caller = await verifyBearer(request.headers.authorization);
      const parsed = schema.safeParse(request.body);
      if (!parsed.success) throw refuse('INVALID_REQUEST', { detail: 'a confirmation names what was refused, and what proves the person' });
      const kind = kindOf(parsed.data.acts, caller);
      const session = await account.sessionOf(request, reply);
      // Another tab may have signed in as another person: their factor never confirms this page's change.
      if (!session || session.sid !== caller.sid || session.loginId !== caller.loginId)
        return refuseWith(reply, new Refused(409, { why: 'session', field: null, message: otherSession }));
      if (!kind) return refuseWith(reply, new Refused(409, { why: 'session', field: null, message: otherAct }));
      try {
        const answer = await handler({ request, session, kind, body: parsed.data });
        return answer === undefined ? reply.code(204).send() : answer;
      } catch (error) {
        if (error instanceof Refused) return refuseWith(reply, error);
        throw error;
      }
    });
  };
}

/** Checks secrets that can be guessed, with the delays of sign-in. */
function secretGuesses(options: ConfirmationOptions) {
  const { db, config, clock } = options;
  const failed = openFailureLines(options);
  /** Checks a secret that can be guessed, with the delays of sign-in. @throws Refused if it is wrong, or has to wait */
  const guess = async (
    asked: Guesser,
    { guessed, field, what, message }: { guessed: GuessedSecret; field: 'code' | 'password'; what: string; message: string },
    isRight: () => Promise<boolean>,
  ): Promise<void> => {
    const {
      request,
      session: { loginId },
    } = asked;
    const counted = await countAttempt(db, { guessed, name: loginId, loginId, address: request.address, now: clock() });
    if (counted.waitSeconds > 0)
      throw new Refused(429, { why: 'wait', field, message: waitWords(counted.waitSeconds) }, counted.waitSeconds);
    if (await isRight()) return counted.succeeded();
    await failed(originOf(asked, config), what, counted.failures);
    const left = FREE_FAILURES - counted.failures;
    const tries = left > 0 ? ` ${left === 1 ? '1 try' : `${left} tries`} left before a pause.` : '';
    throw new Refused(401, { why: 'wrong', field, message: message + tries });
  };

  /** @throws Refused */
  const guessPassword = (asked: Guesser, password: string): Promise<void> =>
    guess(asked, { guessed: 'password', field: 'password', what: 'A password was wrong', message: 'Wrong password.' }, async () => {
      const { matches } = await verifyPassword(await hashOf(db.read, asked.session.loginId), password);
      return matches;
    });
  return { guess, guessPassword, failed };
}

/** Returns how to record a confirmation, and answer it. */
const confirmationWriter =
  ({ db, config, clock, confirmations }: ConfirmationOptions) =>
  async (asked: Guesser & Pick<Asked<unknown>, 'kind'>, methods: readonly string[]): Promise<Confirmation> => {
    const {
      session: { loginId, sid },
      kind: { acts, endpoint, account: accountName },
    } = asked;
    const { amr } = proven(methods);
    if (!amr.includes('mfa')) throw new Error(`A confirmation by ${methods.join(' and ')} is no second factor`);
    const now = clock();
    const { traceId, address, userAgent, login } = originOf(asked, config);
    const line = { action: 'identity.confirm', summary: 'Confirmed a change with a second factor', traceId, address, login, sid, amr };
    await db.change(line, change => change.note({ endpoint: endpoint.id, acts: acts.map(({ words }) => words), userAgent }));
    const confirmation = confirmations.write({
      loginId,
      sid,
      effects: effectsOf(endpoint),
      account: accountName,
      amr,
      at: Math.floor(now.getTime() / SECOND_MS),
    });
    return { confirmation, seconds: factorSeconds(endpoint, config) };
  };

/**
 * POST below `/account/confirmation`: a person confirms a change with a second factor, over the page that makes it. The factor is checked as at sign-in, with the same counters
 * and used-up codes. It takes both the bearer of the page and the provider's session of the browser, and they must be one session: a bearer alone confirms nothing.
 */
export function confirmationRoutes(app: FastifyInstance, options: ConfirmationOptions): void {
  const { db, config, box, clock } = options;
  const post = sessionRoutes(app, options);
  const { guess, guessPassword, failed } = secretGuesses(options);
  const confirm = confirmationWriter(options);
  post(
    confirmationPaths.begin,
    AskedConfirmation,
    async ({ session, kind: { acts, endpoint, account: accountName } }): Promise<ConfirmationBegun> => {
      const { loginId, sid, login, amr } = session;
      const [{ enrolled, ways, needsPassword }, passkeys, row, demoCode] = await Promise.all([
        waysOf(db, session),
        listPasskeys(db.read, loginId),
        db.read.selectFrom('session').select('startedAt').where('sid', '=', sid).executeTakeFirstOrThrow(),
        demoCodeOf(db.read, config, box, login, clock()),
      ]);
      const [last] = passkeys.toSorted((one, other) => (other.lastUsedAt ?? '').localeCompare(one.lastUsedAt ?? ''));
      return {
        acts: acts.map(({ words }) => words),
        effects: effectsOf(endpoint),
        account: accountName,
        person: login.displayName,
        by: amr.includes('pwd') ? 'password' : 'passkey',
        since: row.startedAt,
        enrolled,
        ways,
        passkey: last ? { name: last.name, lastUsedAt: last.lastUsedAt } : null,
        needsPassword,
        minutes: Math.max(1, Math.round((factorSeconds(endpoint, config) * SECOND_MS) / MINUTE_MS)),
        demoCode,
      };
    },
  );

  post(confirmationPaths.passkey, AskedConfirmation, ({ session, kind }) =>
    passkeyRequest(db, config, session.loginId, boundTo(session, kind)),
  );

  post(confirmationPaths.confirm, GivenFactor, async ({ request, session, kind, body }): Promise<Confirmation> => {
    const { loginId } = session;
    const asked = { request, session, kind };
    const { ways, needsPassword } = await waysOf(db, session);
    const way = 'passkey' in body ? 'passkey' : 'code';
    if (!ways.includes(way)) {
      const message = way === 'code' ? 'One-time codes are not accepted here.' : 'Your login has no passkey for this site.';
      throw new Refused(403, { why: 'closed', field: way, message });
    }
    if ('passkey' in body) {
      const accepted = await acceptPasskey(db, config, { loginId, bound: boundTo(session, kind), answer: body.passkey, now: clock() });
      if (!('refused' in accepted)) return confirm(asked, accepted.amr);
      await failed(originOf(asked, config), 'A passkey was refused', 1);
      throw new Refused(401, { why: 'wrong', field: 'passkey', message: accepted.refused });
    }
    const { code, password = '' } = body;
    // First, so that a wrong password doesn't use the code up.
    if (needsPassword) await guessPassword(asked, password);
    await guess(asked, { guessed: 'code', field: 'code', what: 'A one-time code was wrong', message: wrongCode }, () =>
      verifySignInCode({ db, config, box }, originOf(asked, config), { loginId, code, now: clock() }),
    );
    return confirm(asked, ['pwd', 'otp']);
  });

  // A person without a second factor proves the password here, and adds one on the provider's pages.
  post(confirmationPaths.password, GivenPassword, async ({ request, session, body }): Promise<void> => {
    await guessPassword({ request, session }, body.password);
    await storeGivenPassword(db, session, clock());
  });
}
