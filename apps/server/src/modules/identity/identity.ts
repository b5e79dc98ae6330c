import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '@portal/contract';
import { DAY_MS, instantBefore, MINUTE_MS } from '@portal/contract/days';
import { newTraceId } from '@portal/contract/trace';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { brandSource } from '../../brand.ts';
import type { Config } from '../../config.ts';
import { type Database, ownActivity } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type AskedAct, type Confirmations, openAskedActs, openConfirmations } from '../../platform/http/confirmed.ts';
import { readForms } from '../../platform/http/forms.ts';
import type { SignedValues } from '../../platform/http/signed-value.ts';
import { createLog, type Log } from '../../platform/log.ts';
import { openSecretBox } from '../../platform/secret-box.ts';
import type { Unavailability } from '../../platform/unavailability.ts';
import type { Profile } from '../../profile.ts';
import type { PlaceOf } from './account/account-pages.ts';
import { accountRoutes } from './account/account-routes.ts';
import type { ErasureFacts } from './account/account-tools.ts';
import { type AccountSessions, accountSessions } from './account/account-session.ts';
import { type AddressAct, addressRoutes } from './account/address-pages.ts';
import { factorRoutes } from './account/factor-routes.ts';
import { type PlainSessions, plainSessions } from './account/plain-sessions.ts';
import { sweepFailures } from './attempts/sign-in-failures.ts';
import { bearerVerifier, foreignKeys, ownKeys, tokenVerifier } from './bearers/bearer.ts';
import { foreignPeople, type PersonGroups } from './bearers/foreign-person.ts';
import { confirmationRoutes } from './confirmations/confirmation-routes.ts';
import type { CopyStorage } from './copies/copy-storage.ts';
import { sweepDataCopies } from './copies/data-copies.ts';
import { listDemoPeople } from './factors/demo-people.ts';
import { sweepFreezeLinks } from './freeze/freeze.ts';
import { freezeRoutes } from './freeze/freeze-pages.ts';
import { sweepLinks } from './logins/login-links.ts';
import { accountFrame } from './pages/account-frame.ts';
import { openForms } from './pages/forms.ts';
import { signInFrame } from './pages/frame.ts';
import { openBreachedPasswords } from './passwords/breached-passwords.ts';
import { commonPasswords } from './passwords/common-passwords.ts';
import { openPasswordPolicy } from './passwords/password-policy.ts';
import { passwordResetRoutes } from './passwords/password-reset.ts';
import { resetPages } from './passwords/reset-pages.ts';
import { sweepOidcPayloads } from './protocol/oidc-payloads.ts';
import { providerMiddleware } from './protocol/provider-mount.ts';
import { receiveLogoutToken } from './provider/logout-tokens.ts';
import { createProvider } from './provider/provider.ts';
import { registrationRoutes } from './registration/registration.ts';
import { registrationPages } from './registration/registration-pages.ts';
import { openClients } from './sessions/clients.ts';
import { listenForLiveEvents } from './sessions/live-events.ts';
import type { LoginPrograms } from './sessions/login-programs.ts';
import { otherSystemGrants } from './sessions/other-system-grants.ts';
import { sessionEventRoutes } from './sessions/session-events.ts';
import { openSessionValidity } from './sessions/session-validity.ts';
import { SESSION_MEMORY_DAYS } from './sessions/sessions.ts';
import { ensureSigningKeys, signingKeys } from './sessions/signing-keys.ts';
import { signInRoutes } from './sign-in/sign-in.ts';
import { type PasswordPage, signInPages } from './sign-in/sign-in-pages.ts';
import { openSignInStarts } from './sign-in/sign-in-starts.ts';

export type IdentityOptions = {
  db: Database;
  config: Config;
  profile: Profile;
  clock?: () => Date;
  log?: Log;
  /** Address of a built browser asset by its source, such as `apps/server/web/sign-in.css`. */
  asset: (source: string) => string;
  /** Returns whether a person holds a permission that changes the registry; if missing, every person counts as holding one. */
  holdsPrivilege?: (loginId: string) => Promise<boolean>;
  /** Says why an address of the portal asks for a sign-in, where its visitor would not know; without it none says more than usual. */
  signInLead?: (url: string) => string | null;
  /** The accounts a person acts for, whose names are not allowed in passwords; without it there are none. */
  accountNamesOf?: (loginId: string) => Promise<readonly string[]>;
  /** The permissions of a person of registry staff by their roles; without it staff hear of no events of the desk. */
  staffPermissionsOf?: (loginId: string) => Promise<ReadonlySet<string>>;
  /** The consequences of the groups of people of another provider; without it there are none. */
  personGroups?: PersonGroups | null;
  /** Returns the account that the portal shows a person first; without it no hint is given. */
  firstAccountOf?: (loginId: string) => Promise<string | null>;
  /** Returns the holder and economy of an address, if known: for the sessions and the sign-in history of a person. */
  placeOf?: PlaceOf;
  /** Actions of links to addresses of other modules. */
  addressActs?: readonly AddressAct[];
  /** Keeps copies of people's data; without it none can be downloaded. */
  copyStorage?: CopyStorage | null;
  /** Effects of an erasure on people's data, and what is in its way; without it nothing is. */
  erasure?: ErasureFacts;
  /** Programs that act in a person's name, of all modules. */
  programs?: readonly LoginPrograms[];
  /** Words of changes by the ids of their endpoints: the page of a second factor says what it is asked for. */
  actWords?: ReadonlyMap<string, string>;
  /** Returns an endpoint by its id: a person confirms calls of it. Without it there are none. */
  endpointOf?: (id: string) => Endpoint | undefined;
};

export type Identity = {
  /** Serves the OpenID provider at the path of the issuer (`/oidc`), on raw Node requests. */
  middleware: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;
  /** Registers sign-in pages, back-channel logout, the events of sessions and the RFC 8414 location of the provider's description, each in this app's scope. */
  routes: (app: FastifyInstance) => void;
  /** Origins a form of the sign-in pages may lead to. */
  formTargets: readonly string[];
  /**
   * The person behind an Authorization header.
   * @throws Failure NOT_SIGNED_IN, SESSION_ENDED, UNAVAILABLE
   */
  verifyBearer: (authorization: string | undefined) => Promise<Caller>;
  /** Reads and writes what people confirm with a second factor over a page; no one does with another provider. */
  confirmations: Confirmations;
  /** Changes that wait for their person, signed. */
  askedActs: SignedValues<AskedAct>;
  /** Renders the form that a stranger gets in place of the portal; the script that begins the sign-in belongs at `<!--begin-->`. Null with another provider. */
  signInForm: ((request: FastifyRequest) => Promise<string>) | null;
  /** Identifies the reader of the pages without scripts, and frames those pages; null with another provider. */
  plain: PlainSessions | null;
  /** The page for a person who asked for one while the registry is not available. */
  unavailablePage: (request: FastifyRequest, unavailable: Unavailability) => string;
  close: () => Promise<void>;
};

/** The form of a sign-in that its script begins: `-` stands for the sign-in's id. */
const notBegun = (lead: string | null, demoPeople: PasswordPage['demoPeople']): PasswordPage => ({
  uid: '-',
  csrf: '',
  username: '',
  password: '',
  message: null,
  reason: lead === null ? null : { lead },
  demoPeople,
  begins: true,
});

const SWEEP_EVERY_MS = 5 * MINUTE_MS;
/**
 * Opens sign-in: the embedded provider, or with ISSUER_URI the acceptance of a foreign one.
 * @throws Error when production finds a demo person (so does `refuseDemoPeople`, where the demo is switched off), the signing keys do not open with
 * SECRET_KEY, or the file of breached passwords is invalid.
 */
export async function openIdentity(given: IdentityOptions): Promise<Identity> {
  const options = completed(given);
  const { db, config, profile, asset, clock, log, accountNamesOf, endpointOf, signInLead } = options;
  const embedded = config.embeddedProvider;
  const clients = openClients(config);
  if (config.production) await refuseDemoPeople(db);

  const box = openSecretBox(config);
  const breached = await openBreachedPasswords(config.breachedPasswordsFile);
  const policy = openPasswordPolicy({ read: db.read, profile, common: await commonPasswords(), breached, accountNamesOf });
  const forms = openForms(config);
  const pages = signInPages({ config, profile, asset });
  let provider: Provider | undefined;

  const loadKeys = async (): Promise<void> => {
    const found = await signingKeys(db.read, box);
    keys.keysChanged({ keys: found.map(({ publicJwk }) => publicJwk) });
    provider = createProvider({ db, config, clients, keys: found, pages, log, clock, receiveLogout, starts });
  };
  const starts = openSignInStarts(config.signInStarts, clock);
  const keys = embedded ? ownKeys(loadKeys, clock) : foreignKeys(config.issuerUri);
  const receiveLogout = async (body: URLSearchParams): Promise<Response> =>
    new Response(null, { status: await receiveLogoutToken(logoutOptions, body.get('logout_token') ?? '', { traceId: newTraceId() }) });

  const validity = await openSessionValidity(db, {
    ownIssuer: embedded ? config.issuerUri : null,
    clock,
    onKeys: () => {
      if (embedded && provider) loadKeys().catch((error: unknown) => log.error('the signing keys could not be read', { error }));
    },
  });
  const logoutOptions = { db, config, keyFor: keys.keyFor, clock, endedHere: validity.endedHere };

  if (embedded) {
    await ensureSigningKeys(db, box, newTraceId());
    await loadKeys();
  }

  const verify = tokenVerifier(config, keys, clock);
  const foreign = embedded ? null : foreignPeople(db, options.personGroups, clock);
  const verifyBearer = bearerVerifier(verify, validity, clock, foreign);

  const sweeping = setInterval(() => {
    sweep(db, clock).catch((error: unknown) => log.warn('expired sign-in rows could not be deleted', { error }));
  }, SWEEP_EVERY_MS);
  sweeping.unref();

  const raw = providerMiddleware(
    () => provider!,
    config,
    response => response.setHeader('content-security-policy', providerPolicy(clients.formTargets, brandSource(profile))),
    uid => forms.tokenOf(uid),
  );

  const account = embedded ? accountSessions({ db, config, forms, pages, provider: () => provider! }) : null;
  const frame = accountFrame({ config, profile, asset });
  const confirmations = openConfirmations(config);
  const askedActs = openAskedActs(config);
  const parts: Parts = { clients, box, policy, forms, pages, frame, provider: () => provider!, atProvider: raw };
  return {
    plain: account && plainSessions({ account, frame, forms, config }),
    middleware: embedded ? raw : notHere,
    formTargets: clients.formTargets,
    verifyBearer,
    confirmations,
    askedActs,
    signInForm: embedded
      ? async request => pages.password(forms.context(request), notBegun(signInLead(request.url), await listDemoPeople(db.read, config)))
      : null,
    unavailablePage: (request, { paused }) =>
      pages.unavailable(forms.context(request), { paused, again: request.method === 'GET' ? request.url : null }),
    routes: app => {
      // Encapsulated: the rest of the app reads no forms and keeps its JSON error answers.
      void app.register((scope, _options, done) => {
        readForms(scope, 32_768);
        sessionEventRoutes(scope, {
          verifyBearer,
          validity,
          clock,
          staffPermissionsOf: options.staffPermissionsOf,
          live: heard => listenForLiveEvents(db, heard),
        });
        logoutRoute(scope, logoutOptions);
        const mailFrame = signInFrame({ config, profile, asset });
        freezeRoutes(scope, { db, config, forms, frame: mailFrame, clock });
        addressRoutes(scope, { db, forms, frame: mailFrame, clock, acts: options.addressActs });
        if (account) {
          confirmationRoutes(scope, { db, config, box, clock, log, verifyBearer, account, confirmations, askedActs, endpointOf });
          loginRoutes(scope, account, options, parts);
        }
        done();
      });
    },
    close: async () => {
      clearInterval(sweeping);
      await breached.close();
      await validity.close();
    },
  };
}

/** Returns the options with what holds for those that were left out. */
const completed = ({ clock = () => new Date(), ...options }: IdentityOptions): Required<IdentityOptions> => ({
  clock,
  log: options.log ?? createLog(options.config.logLevel),
  holdsPrivilege: () => Promise.resolve(true),
  signInLead: () => null,
  staffPermissionsOf: () => Promise.resolve(new Set()),
  accountNamesOf: () => Promise.resolve([]),
  personGroups: null,
  firstAccountOf: () => Promise.resolve(null),
  placeOf: () => Promise.resolve(null),
  addressActs: [],
  copyStorage: null,
  erasure: { obstaclesOf: () => Promise.resolve([]), kinds: [] },
  programs: [],
  actWords: new Map(),
  endpointOf: () => undefined,
  ...options,
});

/** Deletes rows of sign-in that have expired. */
async function sweep(db: Database, clock: () => Date): Promise<void> {
  await sweepOidcPayloads(db);
  await sweepFailures(db, clock());
  await sweepSessions(db, clock());
  await sweepLinks(db, clock());
  await sweepFreezeLinks(db, clock());
  await sweepDataCopies(db, clock());
}

/** Takes logout tokens of the provider (OpenID Connect Back-Channel Logout). */
function logoutRoute(scope: FastifyInstance, options: Parameters<typeof receiveLogoutToken>[0]): void {
  scope.post('/auth/backchannel-logout', async (request, reply) => {
    const token = String((request.body as Record<string, string> | undefined)?.logout_token ?? '');
    const status = await receiveLogoutToken(options, token, { traceId: request.traceId, address: request.address });
    void reply.code(status).header('cache-control', 'no-store');
    return status === 200 ? reply.send() : reply.send({ error: 'invalid_request', error_description: 'the logout token is not valid' });
  });
}

/** The parts of the embedded provider that its pages need. */
type Parts = {
  clients: ReturnType<typeof openClients>;
  box: ReturnType<typeof openSecretBox>;
  policy: ReturnType<typeof openPasswordPolicy>;
  forms: ReturnType<typeof openForms>;
  pages: ReturnType<typeof signInPages>;
  frame: ReturnType<typeof accountFrame>;
  provider: () => Provider;
  /** Passes a request on to the provider. */
  atProvider: ReturnType<typeof providerMiddleware>;
};

/** Pages of the embedded provider: of the login, of its second factors, of registration, of forgotten passwords and of the sign-in itself. */
function loginRoutes(
  scope: FastifyInstance,
  account: AccountSessions,
  {
    db,
    config,
    profile,
    asset,
    clock,
    log,
    placeOf,
    holdsPrivilege,
    firstAccountOf,
    copyStorage,
    erasure,
    programs,
    actWords,
  }: Required<IdentityOptions>,
  { clients, box, policy, forms, pages, frame, provider, atProvider }: Parts,
): void {
  scope.get('/.well-known/oauth-authorization-server/oidc', (request, reply) => {
    reply.hijack();
    request.raw.url = '/oidc/.well-known/oauth-authorization-server';
    atProvider(request.raw, reply.raw);
  });
  // Nested, so that only pages get its error pages.
  void scope.register((inner, _inner, ready) => {
    account.routes(inner);
    const linkFrame = signInFrame({ config, profile, asset });
    const ofLogin = { db, config, profile, box, forms, frame, account, clock };
    accountRoutes(inner, {
      ...ofLogin,
      linkFrame,
      policy,
      placeOf,
      copyStorage,
      erasure,
      programs: [...programs, otherSystemGrants(clients)],
    });
    factorRoutes(inner, { ...ofLogin, holdsPrivilege });
    const byMail = { db, config, profile, forms, policy, clock };
    const registration = registrationRoutes(inner, { ...byMail, pages: registrationPages({ config, profile, asset }) });
    passwordResetRoutes(inner, { ...byMail, pages: resetPages({ config, profile, asset }) });
    signInRoutes(inner, {
      registration,
      db,
      config,
      box,
      forms,
      pages,
      profile,
      provider,
      atProvider,
      firstAccountOf,
      clock,
      log,
      holdsPrivilege,
      actWords,
    });
    ready();
  });
}

/** With a foreign provider `/oidc` does not exist. */
const notHere = (_request: IncomingMessage, response: ServerResponse): void => {
  response.statusCode = 404;
  response.end();
};

/** Content-Security-Policy of everything under the issuer: our pages and the forms the provider sends itself. */
const providerPolicy = (formTargets: readonly string[], accent: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${accent && ` ${accent}`}`,
    "font-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action 'self' ${formTargets.join(' ')}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** @throws Error if there are demo people, whose passwords are public. */
export async function refuseDemoPeople(db: Database): Promise<void> {
  const demo = await db.read
    .selectFrom('login')
    .select('username')
    .where('demoRole', 'is not', null)
    .where('disabledAt', 'is', null)
    .execute();
  if (demo.length > 0)
    throw new Error(
      `With DEMO=off, and in production, the server does not start with demo people, whose passwords are public: ${demo.map(({ username }) => username).join(', ')}. Disable them first (npm run registry -- login disable NAME).`,
    );
}

/** Deletes old sessions. Leaves a line in the log if it deleted any. */
async function sweepSessions(db: Database, now: Date): Promise<void> {
  const before = instantBefore(now, SESSION_MEMORY_DAYS * DAY_MS);
  const old = await db.read.selectFrom('session').select('sid').where('until', '<', before).limit(1).executeTakeFirst();
  if (!old) return;
  await db.change(ownActivity('identity.forgetSessions', `Forgot sessions older than ${SESSION_MEMORY_DAYS} days`), change =>
    change.deleteFrom('session').where('until', '<', before).execute(),
  );
}
