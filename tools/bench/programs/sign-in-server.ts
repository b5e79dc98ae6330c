import './without-hashes.ts';
import { createHash } from 'node:crypto';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { openApp } from '../../../apps/server/src/app.ts';
import { readConfig } from '../../../apps/server/src/config.ts';
import { openContext } from '../../../apps/server/src/context.ts';
import { createLogin, type Login, setPasswordHash } from '../../../apps/server/src/modules/identity/logins/logins.ts';
import { OidcPayloads } from '../../../apps/server/src/modules/identity/protocol/oidc-payloads.ts';
import { hashPassword } from '../../../apps/server/src/modules/identity/logins/password.ts';
import { claimsOf, claimsOfScopes } from '../../../apps/server/src/modules/identity/provider/provider.ts';
import { migrate, openDatabase } from '../../../apps/server/src/platform/database/index.ts';
import { createLog } from '../../../apps/server/src/platform/log.ts';
import { readProfile } from '../../../apps/server/src/profile.ts';
import { root } from '../../root.ts';
import { watchTurns } from './turns.ts';

/**
 * A measured server, alone in its process: the portal on the database of DATABASE_URL, or with BARE only oidc-provider with
 * an adapter in memory. It is filled with people who can sign in and codes that can be redeemed, and reports to its parent how long its event
 * loop was held up.
 */

const resolve = createRequire(path.join(root, 'apps/server/package.json'));
const { default: Provider } = (await import(resolve.resolve('oidc-provider'))) as typeof import('oidc-provider');
const { exportJWK, generateKeyPair } = (await import(resolve.resolve('jose'))) as typeof import('jose');
type OidcProvider = InstanceType<typeof Provider>;
type Adapter = import('oidc-provider').Adapter;
type AdapterPayload = import('oidc-provider').AdapterPayload;
type Configuration = import('oidc-provider').Configuration;

const { BARE, CODES = '0', PEOPLE = '0', VERIFIER = '', PASSWORD = '' } = process.env;
const config = readConfig(process.env);
const line = { action: 'bench.fill', summary: 'Filled a benchmark', traceId: 'b'.repeat(32) };
const accountId = 'bench-0';

/** The adapter the library documents as the least one: everything in a Map. */
class InMemory implements Adapter {
  static readonly #stored = new Map<string, AdapterPayload>();
  static readonly #sessions = new Map<string, string>();
  readonly #model: string;
  constructor(model: string) {
    this.#model = model;
  }
  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    InMemory.#stored.set(`${this.#model}:${id}`, payload);
    if (this.#model === 'Session') InMemory.#sessions.set(payload.uid!, id);
  }
  async find(id: string): Promise<AdapterPayload | undefined> {
    return InMemory.#stored.get(`${this.#model}:${id}`);
  }
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.find(InMemory.#sessions.get(uid) ?? '');
  }
  async findByUserCode(): Promise<undefined> {}
  async consume(id: string): Promise<void> {
    (await this.find(id))!.consumed = Math.floor(Date.now() / 1000);
  }
  async destroy(id: string): Promise<void> {
    InMemory.#stored.delete(`${this.#model}:${id}`);
  }
  async revokeByGrantId(): Promise<void> {}
}

const person: Login = {
  loginId: accountId,
  username: accountId,
  email: `${accountId}@bench.example`,
  emailVerified: true,
  fullName: 'Bench',
  displayName: 'Bench',
  nickname: 'Bench',
  staff: false,
  disabledAt: null,
  frozenAt: null,
  frozenEmail: null,
  demoRole: null,
  sessionsEnded: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
};

/** Shared by both sides: one public client with PKCE, the same claims in a token, a session behind each code. */
const common: Configuration = {
  clients: [
    {
      client_id: config.clientId,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      redirect_uris: [`${config.appUrl}/auth-callback`],
      backchannel_logout_uri: `${config.appUrl}/auth/backchannel-logout`,
      backchannel_logout_session_required: true,
    },
  ],
  claims: claimsOfScopes,
  scopes: ['openid', 'profile', 'email'],
  conformIdTokenClaims: false,
  responseTypes: ['code'],
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
  cookies: { keys: ['bench'] },
  ttl: { AuthorizationCode: 900, AccessToken: 900, IdToken: 900, Grant: 3600, Session: 3600, Interaction: 900 },
  findAccount: (ctx, sub) => ({ accountId: sub, claims: use => claimsOf(person, use, ctx.oidc.client!.clientId) }),
};

/** Codes as one session gets them at each silent renewal: all of one grant. */
async function fillCodes(provider: OidcProvider, count: number): Promise<string[]> {
  const client = (await provider.Client.find(config.clientId))!;
  const { clientId } = client;
  const now = Math.floor(Date.now() / 1000);
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope('openid profile email');
  const grantId = await grant.save();
  const session = Reflect.construct(provider.Session, [{}]) as InstanceType<OidcProvider['Session']>;
  session.loginAccount({ accountId, loginTs: now, amr: ['pwd'], acr: 'bench' });
  session.sidFor(clientId, 'bench-sid');
  session.grantIdFor(clientId, grantId);
  await session.save(3600);
  const codes: string[] = [];
  const make = (): Promise<string> =>
    new provider.AuthorizationCode({
      client,
      accountId,
      grantId,
      authTime: now,
      amr: ['pwd'],
      acr: 'bench',
      claims: {},
      codeChallenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      codeChallengeMethod: 'S256',
      nonce: 'bench',
      redirectUri: `${config.appUrl}/auth-callback`,
      scope: 'openid profile email',
      sessionUid: session.uid,
      sid: 'bench-sid',
      expiresWithSession: true,
    } as never).save();
  while (codes.length < count) codes.push(...(await Promise.all(Array.from({ length: Math.min(100, count - codes.length) }, make))));
  return codes;
}

async function serveBare(): Promise<string[]> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true, modulusLength: 2048 });
  const key = { ...(await exportJWK(privateKey)), kid: 'bench', alg: 'RS256', use: 'sig' };
  const provider = new Provider(config.issuerUri, { ...common, adapter: InMemory, jwks: { keys: [key as never] } });
  const handle = provider.callback();
  const prefix = new URL(config.issuerUri).pathname;
  http
    .createServer((request, response) => {
      if (request.url === '/readyz') return void response.end('ready');
      const original = request.url!;
      request.url = original.slice(prefix.length);
      Object.assign(request, { originalUrl: original });
      void handle(request, response);
    })
    .listen(config.port, '127.0.0.1');
  return fillCodes(provider, Number(CODES));
}

async function servePortal(): Promise<string[]> {
  const db = await openDatabase({ url: config.database, pools: { reader: 10, writer: 10 } });
  await migrate(db);
  const hash = PEOPLE === '0' ? '' : await hashPassword(PASSWORD);
  const known = await db.read.selectFrom('login').select('loginId').where('loginId', '=', accountId).executeTakeFirst();
  if (!known)
    await db.change(line, async change => {
      for (let i = 0; i < Math.max(1, Number(PEOPLE)); i++) {
        const name = `bench-${i}`;
        await createLogin(change, {
          loginId: name,
          username: name,
          email: `${name}@bench.example`,
          fullName: 'Bench',
          emailVerified: true,
        });
        if (hash) await setPasswordHash(change, name, hash);
      }
    });
  const log = createLog(config.logLevel);
  const app = await openApp(openContext({ db, config, profile: readProfile(config.profile), log, release: 'bench' }), { webFolder: null });
  const filler = new Provider(config.issuerUri, { ...common, adapter: model => new OidcPayloads(db, model) });
  const codes = await fillCodes(filler, Number(CODES));
  await app.http.listen({ host: '127.0.0.1', port: config.port });
  return codes;
}

const codes = BARE ? await serveBare() : await servePortal();
let turns = watchTurns();
turns();
process.on('message', (asked: string) => {
  if (asked === 'codes') process.send!(codes);
  if (asked === 'watch') {
    turns = watchTurns();
    process.send!(process.cpuUsage());
  }
  if (asked === 'report') process.send!({ turns: turns(), cpu: process.cpuUsage() });
});
process.on('SIGTERM', () => process.exit(0));
