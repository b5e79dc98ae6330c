import type { Environment } from '@portal/contract/shell/shell';
import { vi } from 'vitest';
import type { PortalUserManager } from '../src/auth/portal-user-manager.ts';

type Claims = Record<string, unknown>;
const rs256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
export const aKeyPair = (): Promise<CryptoKeyPair> =>
  crypto.subtle.generateKey({ ...rs256, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }, true, ['sign', 'verify']);

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/=+$/, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_');
const part = (value: unknown): string => base64url(new TextEncoder().encode(JSON.stringify(value)));

/** A signed token (RFC 7515, compact form). */
export async function signed(claims: Claims, { privateKey }: CryptoKeyPair, header: Claims = {}): Promise<string> {
  const text = `${part({ alg: 'RS256', kid: 'k1', ...header })}.${part(claims)}`;
  return `${text}.${base64url(new Uint8Array(await crypto.subtle.sign(rs256, privateKey, new TextEncoder().encode(text))))}`;
}

export const claimsOf = (token: string): Claims =>
  JSON.parse(atob(token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/'))) as Claims;
/** The same token with another header and an invalid signature. */
export const unsigned = (token: string, alg: string): string => `${part({ alg, kid: 'k1' })}.${token.split('.')[1]}.c2ln`;

const keys = await aKeyPair();
const jwk = { ...(await crypto.subtle.exportKey('jwk', keys.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' };

type Answered = Response | Promise<Response>;
export const json = (body: unknown, init: ResponseInit = {}): Response => Response.json(body, init);
export const htmlPage = (status: number): Response => new Response('<h1>Down</h1>', { status, headers: { 'content-type': 'text/html' } });
/** A connection that is never answered, and detects when the caller aborts. */
export const neverAnswered = (init?: RequestInit): Promise<Response> =>
  new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))));

/** Returns an OpenID provider behind `fetch`: it signs in one person, and its answers can be replaced individually. */
export function providerDouble(environment: Environment) {
  const { issuerUri: issuer, clientId } = environment;
  const nowSeconds = () => Math.floor(Date.now() / 1000);
  let nonce: string | null = null;
  const double = {
    /** Token requests so far, oldest first. */
    tokenRequests: [] as URLSearchParams[],
    revoked: [] as string[],
    /** Addresses people and frames were sent to. */
    sentTo: [] as URL[],
    /** Additional claims of the identity tokens. */
    claims: {} as Claims,
    seconds: 600,
    /** In addition to the tokens. */
    tokenAnswer: {} as Record<string, unknown>,
    metadata: {} as Record<string, unknown>,
    /** Set to change the next token responses. */
    token: null as null | ((form: URLSearchParams, init?: RequestInit) => Answered),
    revoke: (): Answered => new Response('', { status: 200, headers: { 'content-type': 'text/plain' } }),
    userinfo: { sub: 's1' } as Record<string, unknown>,
    /** Set to answer a request at the authorization endpoint with an error. */
    error: null as string | null,
    identityToken(changes: Claims = {}, header: { kid?: string } = {}): Promise<string> {
      const claims: Claims = {
        iss: issuer,
        sub: 's1',
        aud: clientId,
        azp: clientId,
        iat: nowSeconds(),
        exp: nowSeconds() + double.seconds,
        auth_time: 1000,
        ...(nonce && { nonce }),
        ...double.claims,
        ...changes,
      };
      for (const [name, value] of Object.entries(claims)) if (value === undefined) delete claims[name];
      return signed(claims, keys, header);
    },
    /** The usual answer of the token endpoint. */
    async tokens(changes: Record<string, unknown> = {}): Promise<Response> {
      const body = {
        access_token: 'at',
        token_type: 'Bearer',
        expires_in: double.seconds,
        id_token: await double.identityToken(),
        ...double.tokenAnswer,
        ...changes,
      };
      return json(body);
    },
    /** Returns the address to which the provider sends the browser back. */
    answerTo(address: string): string {
      const asked = new URL(address);
      double.sentTo.push(asked);
      nonce = asked.searchParams.get('nonce');
      const back = new URL(asked.searchParams.get('redirect_uri')!);
      back.searchParams.set('state', asked.searchParams.get('state')!);
      if (double.error) back.searchParams.set('error', double.error);
      else back.searchParams.set('code', 'c1');
      return back.href;
    },
    async fetch(input: string, init?: RequestInit): Promise<Response> {
      const { pathname } = new URL(input, issuer);
      const form = new URLSearchParams(init?.body as URLSearchParams | undefined);
      switch (pathname.slice(new URL(issuer).pathname.replace(/\/$/, '').length)) {
        case '/.well-known/openid-configuration':
          return json({
            issuer,
            authorization_endpoint: `${issuer}/auth`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/jwks`,
            end_session_endpoint: `${issuer}/session/end`,
            revocation_endpoint: `${issuer}/token/revocation`,
            userinfo_endpoint: `${issuer}/me`,
            ...double.metadata,
          });
        case '/jwks':
          return json({ keys: [jwk] });
        case '/me':
          return json(double.userinfo);
        case '/token/revocation':
          double.revoked.push(form.get('token_type_hint') ?? '');
          return double.revoke();
        case '/token':
          double.tokenRequests.push(form);
          if (form.get('grant_type') === 'refresh_token') nonce = null;
          return double.token ? double.token(form, init) : double.tokens();
        default:
          return json({}, { status: 404 });
      }
    },
    /** Directs this manager's windows and frames to the double; `frame` decides a frame's response, by default an immediate one. */
    serve(manager: PortalUserManager, frame: (answer: () => string) => Promise<{ url: string }> = async answer => ({ url: answer() })) {
      const leads = (navigate: (answer: () => string) => Promise<{ url: string }>) => () =>
        Promise.resolve({ navigate: ({ url }: { url: string }) => navigate(() => double.answerTo(url)), close: () => undefined });
      manager['_redirectNavigator'].prepare = leads(async answer => ({ url: answer() })) as never;
      manager['_iframeNavigator'].prepare = leads(frame) as never;
      return manager;
    },
    /** A complete sign-in by redirect. */
    async signIn(manager: PortalUserManager) {
      await manager.signinRedirect();
      const back = double.sentTo.at(-1)!;
      const url = new URL(back.searchParams.get('redirect_uri')!);
      url.searchParams.set('state', back.searchParams.get('state')!);
      if (double.error) url.searchParams.set('error', double.error);
      else url.searchParams.set('code', 'c1');
      return manager.signinRedirectCallback(url.href);
    },
  };
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => double.fetch(input, init));
  return double;
}
