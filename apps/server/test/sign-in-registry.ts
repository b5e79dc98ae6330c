import { createHash, randomBytes } from 'node:crypto';
import net from 'node:net';
import { allEndpoints } from '@portal/contract/api';
import { SECOND_MS } from '@portal/contract/days';
import { Secret } from 'otpauth';
import { type Config, readConfig } from '../src/config.ts';
import { copyStorage, openFileStore } from '../src/modules/documents/index.ts';
import { addAuthenticator } from '../src/modules/identity/factors/authenticators.ts';
import { codeOf, stepAt } from '../src/modules/identity/factors/totp.ts';
import { type Identity, openIdentity } from '../src/modules/identity/identity.ts';
import { createLogin, demoPasswordOf, setPassword } from '../src/modules/identity/logins/logins.ts';
import { ensureSigningKeys } from '../src/modules/identity/sessions/signing-keys.ts';
import { type Database, openDatabase } from '../src/platform/database/index.ts';
import { openCallerAddress } from '../src/platform/http/caller-address.ts';
import { createHttp } from '../src/platform/http/http.ts';
import { noInlineHashes } from '../src/platform/http/security-headers.ts';
import { createLog } from '../src/platform/log.ts';
import { openSecretBox } from '../src/platform/secret-box.ts';
import { readProfile } from '../src/profile.ts';
import { migratedDatabase, migratedTemplate } from './database/migrated-database.ts';
import { throwawayPostgres } from './database/throwaway-postgres.ts';
import { oncePerRun } from './once-per-run.ts';

/** A registry with nothing but sign-in, over real HTTP, and a browser to sign in with: for the tests of this folder. */

export type Kind = 'embedded' | 'postgres';
const postgres = await throwawayPostgres({ inMemory: true });
export const kinds: readonly Kind[] = postgres.server ? ['embedded', 'postgres'] : ['embedded'];

const line = { action: 'test.people', summary: 'Added people', traceId: 'a'.repeat(32) };
const base = { NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: 'memory://' };
const secrets = readConfig({ ...base, APP_URL: 'http://localhost' });

/** Corin and Stella have a second factor, Bill has none. */
async function addPeople(db: Database): Promise<void> {
  await ensureSigningKeys(db, openSecretBox(secrets), line.traceId);
  await db.change(line, async change => {
    for (const [username, fullName] of [
      ['corin', 'Corin Achterberg'],
      ['bill', 'Bill Okonkwo'],
      ['stella', 'Stella Kowalski'],
    ] as const) {
      const loginId = await createLogin(change, {
        loginId: `login-${username}`,
        username,
        fullName,
        email: `${username}@example-au.example`,
        emailVerified: true,
        staff: username === 'stella',
        demoRole: `${username} of the tests`,
      });
      await setPassword(change, loginId, demoPasswordOf(username));
      if (username !== 'bill') await addAuthenticator(change, secrets, { loginId, secret: totpSecretOf(username) });
    }
  });
}

const totpSecretOf = (username: string): string =>
  username === 'corin' ? 'DEMOREGISTRYCORINDEMOREGISTRYCOR' : 'DEMOREGISTRYSTELLADEMOREGISTRYST';

async function people(kind: Kind): Promise<{ url: string; snapshot?: Buffer; drop: () => Promise<void> }> {
  if (kind === 'postgres') {
    const template = await oncePerRun('identity.template', async () => {
      const made = await postgres.server!.createDatabase(await migratedTemplate());
      const db = await openDatabase({ url: made.url });
      try {
        await addPeople(db);
      } finally {
        await db.close();
      }
      return Buffer.from(made.name);
    });
    return postgres.server!.createDatabase(template.toString());
  }
  const snapshot = await oncePerRun('identity.snapshot', async () => {
    await using made = await migratedDatabase('embedded');
    await addPeople(made.database);
    return new Uint8Array(await (await made.database.snapshot()).arrayBuffer());
  });
  return { url: 'memory://', snapshot, drop: async () => {} };
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });

export type TestRegistry = {
  db: Database;
  config: Config;
  identity: Identity;
  /** Its own address, such as `http://localhost:41234`. */
  origin: string;
  /** Moves the clock of sign-in and of changes (not that of the provider) forward. */
  later(seconds: number): void;
  now(): Date;
  /** The code on the authenticator of a person, some steps from now. */
  codeOf(username: string, steps?: number): string;
  actions(): Promise<string[]>;
  /** Another web process on the same PostgreSQL. */
  another(environment?: Record<string, string>): Promise<TestRegistry>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** On PostgreSQL where there is one, because it starts faster; tests of what differs between the two name the kind. */
export async function testRegistry(
  kind: Kind = kinds.at(-1)!,
  environment: Record<string, string> = {},
  holdsPrivilege?: (loginId: string) => Promise<boolean>,
): Promise<TestRegistry> {
  const { url, snapshot, drop } = await people(kind);
  return serve(url, snapshot, drop, environment, 0, undefined, holdsPrivilege);
}

async function serve(
  url: string,
  snapshot: Buffer | undefined,
  drop: () => Promise<void>,
  environment: Record<string, string>,
  ahead: number,
  appUrl?: string,
  holdsPrivilege?: (loginId: string) => Promise<boolean>,
): Promise<TestRegistry> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const config = readConfig({ ...base, APP_URL: appUrl ?? origin, ...environment });
  let seconds = ahead;
  const wall = (clock = () => new Date()) => clock().getTime();
  const clock = (): Date => new Date(wall() + seconds * SECOND_MS);
  // With the pool sizes of a small server.
  const db = await openDatabase({ url, snapshot, clock, pools: { reader: 4, writer: 8 } });
  const log = createLog(config.logLevel);
  const identity = await openIdentity({
    db,
    config,
    profile: readProfile(''),
    clock,
    log,
    ...(holdsPrivilege && { holdsPrivilege }),
    firstAccountOf: () => Promise.resolve('FIRST-AU'),
    copyStorage: copyStorage(openFileStore(config.filesDir)),
    actWords: new Map([['contacts.inviteContact', 'Invite a contact']]),
    endpointOf: id => allEndpoints.find(endpoint => endpoint.id === id),
    asset: source => `/assets/${source.split('/').at(-1)}`,
  });
  const http = createHttp({
    closesWithinMs: 1000,
    appUrl: config.appUrl,
    hosts: [new URL(config.appUrl).host, `localhost:${port}`],
    redirectHosts: [],
    addressOf: openCallerAddress(config.behindProxy),
    headers: {
      connect: [],
      frames: [],
      chat: [],
      framedBy: [],
      inline: noInlineHashes,
      formTargets: identity.formTargets,
      https: false,
    },
    kindOf: () => 'sign-in',
    raw: { prefix: '/oidc', handle: identity.middleware },
    log,
  });
  identity.routes(http);
  http.get('/api/me', async request => identity.verifyBearer(request.headers.authorization));
  http.get('/auth-callback', async () => 'callback');
  await http.listen({ port, host: '127.0.0.1' });
  return {
    db,
    config,
    identity,
    origin,
    later: more => {
      seconds += more;
    },
    now: clock,
    codeOf: (username, steps = 0) => codeOf(Secret.fromBase32(totpSecretOf(username)).bytes, stepAt(clock()) + steps),
    actions: async () =>
      (await db.read.selectFrom('activity').select('action').orderBy('activityId').execute()).map(({ action }) => action),
    another: (more = {}) => serve(url, undefined, async () => {}, { ...environment, ...more }, seconds, config.appUrl),
    async [Symbol.asyncDispose]() {
      await http.close();
      await identity.close();
      await db.close();
      await drop();
    },
  };
}

/** A page as a browser has it; `followed` counts the redirects on the way to it. */
export type Page = { status: number; url: string; text: string; headers: Headers; followed: number };
export type Tokens = { id_token: string; access_token: string; expires_in: number };

/**
 * Returns a browser: cookies by path, one redirect at a time, forms as on the page.
 * @param appUrl the address people see, if a proxy is in front of the server at `origin`.
 * @param address the browser's address according to the proxy.
 */
export function browserAt(origin: string, { appUrl = origin, address }: { appUrl?: string; address?: string } = {}) {
  const jar = new Map<string, { value: string; path: string }>();
  const browser = {
    jar,
    /** One request; redirects are followed up to the portal's own callback. */
    async open(url: string, init: RequestInit = {}): Promise<Page> {
      let target = new URL(url, appUrl);
      let request = init;
      for (let hops = 0; hops < 12; hops++) {
        const cookies = [...jar].filter(([, { path }]) => target.pathname.startsWith(path)).map(([name, { value }]) => `${name}=${value}`);
        const answer = await fetch(target.href.replace(appUrl, origin), {
          ...request,
          redirect: 'manual',
          headers: {
            accept: 'text/html',
            ...(request.headers as Record<string, string>),
            ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
            ...(address && { 'x-forwarded-for': address }),
          },
        });
        for (const cookie of answer.headers.getSetCookie()) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
          const path = /;\s*path=([^;]+)/i.exec(cookie)?.[1] ?? '/';
          if (/expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name!);
          else jar.set(name!, { value: value!, path });
        }
        const location = answer.headers.get('location');
        const text = await answer.text();
        if (location === null) return { status: answer.status, url: target.href, text, headers: answer.headers, followed: hops };
        target = new URL(location, target);
        if (['/auth-callback', '/silent-renew-oidc.html', '/'].includes(target.pathname))
          return { status: answer.status, url: target.href, text, headers: answer.headers, followed: hops };
        request = {};
      }
      throw new Error('too many redirects');
    },
    /** Submits the form of a page with the typed values. */
    send(page: Page, typed: Record<string, string> = {}, action?: string): Promise<Page> {
      const form = /<form\b[^>]*>[\s\S]*?<\/form>/.exec(page.text)?.[0] ?? '';
      const fields = new URLSearchParams();
      for (const [input] of form.matchAll(/<(?:input|button)\b[^>]*>/g)) {
        const name = /\bname="([^"]*)"/.exec(input)?.[1];
        if (name) fields.set(name, /\bvalue="([^"]*)"/.exec(input)?.[1] ?? '');
      }
      for (const [name, value] of Object.entries(typed)) fields.set(name, value);
      const target = action ?? /action="([^"]+)"/.exec(form)![1]!.replaceAll('&amp;', '&');
      return browser.open(target, { method: 'POST', body: fields, headers: { origin: appUrl } });
    },
    /** Starts a sign-in as the portal does. */
    async authorize(more: Record<string, string> = {}): Promise<Page & { verifier: string; state: string }> {
      const verifier = randomBytes(32).toString('base64url');
      const state = randomBytes(8).toString('hex');
      const query = new URLSearchParams({
        client_id: 'portal',
        response_type: 'code',
        scope: 'openid profile email',
        redirect_uri: `${appUrl}/auth-callback`,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        state,
        nonce: state,
        ...more,
      });
      return { ...(await browser.open(`/oidc/auth?${query.toString()}`)), verifier, state };
    },
    redeem: (callback: string, verifier: string): Promise<Response> =>
      fetch(`${origin}/oidc/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: 'portal',
          code: new URL(callback).searchParams.get('code')!,
          redirect_uri: `${appUrl}/auth-callback`,
          code_verifier: verifier,
        }),
      }),
    /** Signs in with all that is asked for, and fetches the tokens. */
    async signIn(registry: TestRegistry, username: string, more: Record<string, string> = {}): Promise<Tokens & { callback: string }> {
      const started = await browser.authorize(more);
      let page: Page = await browser.send(started, { username, password: demoPasswordOf(username) });
      if (page.text.includes('Enter your code')) page = await browser.send(page, { code: registry.codeOf(username) });
      const answer = await browser.redeem(page.url, started.verifier);
      if (!answer.ok) throw new Error(`${username} did not sign in: ${page.status} ${page.url} ${await answer.text()}`);
      return { ...((await answer.json()) as Tokens), callback: page.url };
    },
  };
  return browser;
}

export const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

/** Returns the API's answer to a bearer: the caller's status. */
export const fetchCaller = async (origin: string, token: string): Promise<{ status: number; body: Record<string, unknown> }> => {
  const answer = await fetch(`${origin}/api/me`, { headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};
