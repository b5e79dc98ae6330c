import {
  createECDH,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import http from 'node:http';
import { type JWTPayload, SignJWT } from 'jose';

/**
 * The provider's misbehaviour in the next sign-ins. `well` is a correct provider; `error:<code>` is an error answer of its
 * authorization endpoint, `token-error:<code>` one of its token endpoint.
 */
export type Misbehaviour =
  | 'well'
  | `error:${string}`
  | `token-error:${string}`
  | 'wrong-state'
  | 'wrong-issuer'
  | 'wrong-nonce'
  | 'no-id-token'
  | 'two-part-token'
  | 'no-subject'
  | 'wrong-audience'
  | 'wrong-azp'
  | 'alg-none'
  | 'hs256-with-public-key'
  | 'forged-signature'
  | 'expired'
  | 'hanging-token-endpoint'
  | 'token-503-html'
  | 'userinfo-of-another'
  | 'dpop-nonce'
  | 'discovery-503-html'
  | 'discovery-of-another'
  | 'refresh-without-id-token'
  | 'refresh-of-another'
  | 'refresh-with-another-azp'
  | 'refresh-with-older-auth-time';

export type HostileProvider = {
  issuer: string;
  misbehave: (how: Misbehaviour) => void;
  /** The identity token answered last, for showing that the API refuses it as well. */
  lastToken: () => string | null;
  /** A logout token (OpenID Connect Back-Channel Logout 2.4) for the session of an identity token. */
  logoutToken: (identityToken: string) => Promise<string>;
  /** Paths that were asked for since the last call of `misbehave`, with the grant type of token requests. */
  asked: () => readonly string[];
  /** Refresh tokens that were used twice. */
  reused: () => number;
  /** Seconds the tokens of the next answers live. */
  liveFor: (seconds: number) => void;
  close: () => Promise<void>;
};

type Signed = { nonce: string | null; clientId: string; scope: string; authTime: number; sid: string };

/** A P-256 key made of a text: a provider that starts again has its old key, which others may remember. */
function keyOf(seed: string): { privateKey: KeyObject; jwk: JsonWebKey } {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(createHash('sha256').update(seed).digest());
  const point = curve.getPublicKey();
  const jwk = { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') };
  return { privateKey: createPrivateKey({ key: { ...jwk, d: curve.getPrivateKey('base64url') }, format: 'jwk' }), jwk };
}

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = (): number => Math.floor(Date.now() / 1000);

/** The provider as it is at the moment. */
type State = {
  issuer: string;
  privateKey: KeyObject;
  jwk: JsonWebKey;
  publicPem: string | Buffer;
  /** A key that it does not publish. */
  stranger: ReturnType<typeof keyOf>;
  how: Misbehaviour;
  last: string | null;
  asked: string[];
  reused: number;
  seconds: number;
  codes: Map<string, Signed>;
  refreshTokens: Map<string, Signed>;
  used: Set<string>;
  hanging: Set<http.ServerResponse>;
};

function begin(issuer: string): State {
  const { privateKey, jwk } = keyOf(issuer);
  return {
    issuer,
    privateKey,
    jwk,
    publicPem: createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }),
    stranger: keyOf('of a stranger'),
    how: 'well',
    last: null,
    asked: [],
    reused: 0,
    seconds: 600,
    codes: new Map(),
    refreshTokens: new Map(),
    used: new Set(),
    hanging: new Set(),
  };
}

/**
 * Starts an OpenID provider for tests that signs everyone in as one person without a page, and misbehaves on command. Never part of a
 * deployment: it trusts every client and every code.
 */
export async function startHostileProvider({ port }: { port: number }): Promise<HostileProvider> {
  const state = begin(`http://localhost:${port}`);
  const server = http.createServer((request, response) => serve(state, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, 'localhost', resolve);
  });

  return {
    issuer: state.issuer,
    misbehave: next => {
      state.how = next;
      state.asked = [];
      for (const response of state.hanging) response.destroy();
      state.hanging.clear();
    },
    lastToken: () => state.last,
    logoutToken: token => logoutTokenOf(state, token),
    asked: () => state.asked,
    reused: () => state.reused,
    liveFor: next => {
      state.seconds = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

async function identityToken(state: State, { nonce, clientId, authTime, sid }: Signed, changes: JWTPayload = {}): Promise<string> {
  const expired = state.how === 'expired';
  const claims: JWTPayload = {
    iss: state.how === 'wrong-issuer' ? 'https://id.example.org' : state.issuer,
    sub: 'person-1',
    aud: state.how === 'wrong-audience' ? 'another-client' : clientId,
    azp: state.how === 'wrong-azp' ? 'another-client' : clientId,
    iat: expired ? now() - 7200 : now(),
    exp: expired ? now() - 3600 : now() + state.seconds,
    auth_time: authTime,
    amr: ['pwd'],
    sid,
    name: 'Petra Person',
    email: 'petra@example.net',
    ...(nonce && { nonce: state.how === 'wrong-nonce' ? 'of-another-sign-in' : nonce }),
    ...changes,
  };
  if (state.how === 'no-subject') delete claims.sub;
  const header = base64url({ alg: state.how === 'alg-none' ? 'none' : 'HS256', kid: 'k1', typ: 'JWT' });
  const body = base64url(claims);
  if (state.how === 'two-part-token') return `${base64url({ alg: 'ES256', kid: 'k1' })}.${body}`;
  if (state.how === 'alg-none') return `${header}.${body}.`;
  if (state.how === 'hs256-with-public-key')
    return `${header}.${body}.${createHmac('sha256', state.publicPem).update(`${header}.${body}`).digest('base64url')}`;
  const key = state.how === 'forged-signature' ? state.stranger.privateKey : state.privateKey;
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k1' }).sign(key);
}

type Answer = { status?: number; headers?: Record<string, string>; body?: unknown };
const maintenance: Answer = { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>Down for maintenance</h1>' };

async function tokenAnswer(state: State, form: URLSearchParams): Promise<Answer> {
  if (state.how.startsWith('token-error:'))
    return { status: 400, body: { error: state.how.slice('token-error:'.length), error_description: 'told to' } };
  if (state.how === 'token-503-html') return maintenance;
  if (state.how === 'dpop-nonce')
    return { status: 400, headers: { 'dpop-nonce': randomBytes(8).toString('hex') }, body: { error: 'use_dpop_nonce' } };
  const refresh = form.get('refresh_token');
  if (refresh && state.used.has(refresh)) {
    // As the Security BCP says (RFC 9700 4.14.2): the whole family is revoked.
    state.reused += 1;
    state.refreshTokens.clear();
  }
  const signed = refresh ? state.refreshTokens.get(refresh) : state.codes.get(form.get('code') ?? '');
  if (!signed) return { status: 400, body: { error: 'invalid_grant', error_description: 'unknown or used' } };
  if (refresh) {
    state.refreshTokens.delete(refresh);
    state.used.add(refresh);
  } else state.codes.delete(form.get('code')!);

  const changes = refresh ? changesOfRefresh(state, signed) : {};
  const silent = state.how === 'no-id-token' || (refresh !== null && state.how === 'refresh-without-id-token');
  // No nonce on a refresh (OpenID Connect Core 12.2).
  state.last = silent ? null : await identityToken(state, refresh ? { ...signed, nonce: null } : signed, changes);
  const next = randomBytes(12).toString('hex');
  const lasting = signed.scope.split(' ').includes('offline_access');
  if (lasting) state.refreshTokens.set(next, signed);
  return {
    body: {
      access_token: randomBytes(12).toString('hex'),
      token_type: 'Bearer',
      expires_in: state.seconds,
      scope: signed.scope,
      ...(state.last !== null && { id_token: state.last }),
      ...(lasting && { refresh_token: next }),
    },
  };
}

/** Returns what is wrong in the identity token of a renewal. */
function changesOfRefresh({ how }: State, { authTime }: Signed): JWTPayload {
  if (how === 'refresh-of-another') return { sub: 'person-2' };
  if (how === 'refresh-with-another-azp') return { azp: 'another-client' };
  return how === 'refresh-with-older-auth-time' ? { auth_time: authTime - 1000 } : {};
}

function authorize(state: State, query: URLSearchParams): Answer {
  const back = new URL(query.get('redirect_uri')!);
  back.searchParams.set('state', state.how === 'wrong-state' ? 'of-another-sign-in' : (query.get('state') ?? ''));
  if (state.how.startsWith('error:')) {
    back.searchParams.set('error', state.how.slice('error:'.length));
    back.searchParams.set('error_description', 'The provider was told to answer so');
  } else {
    const code = randomBytes(12).toString('hex');
    state.codes.set(code, {
      nonce: query.get('nonce'),
      clientId: query.get('client_id')!,
      scope: query.get('scope') ?? '',
      authTime: now(),
      sid: randomBytes(8).toString('hex'),
    });
    back.searchParams.set('code', code);
  }
  return { status: 302, headers: { location: back.href } };
}

async function answer(state: State, url: URL, form: URLSearchParams, response: http.ServerResponse): Promise<Answer | null> {
  switch (url.pathname) {
    case '/.well-known/openid-configuration':
      if (state.how === 'discovery-503-html') return maintenance;
      return {
        body: {
          issuer: state.how === 'discovery-of-another' ? 'https://id.example.org' : state.issuer,
          authorization_endpoint: `${state.issuer}/authorize`,
          token_endpoint: `${state.issuer}/token`,
          jwks_uri: `${state.issuer}/jwks`,
          userinfo_endpoint: `${state.issuer}/userinfo`,
          end_session_endpoint: `${state.issuer}/end`,
          revocation_endpoint: `${state.issuer}/revoke`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['ES256'],
        },
      };
    case '/jwks':
      return { body: { keys: [{ ...state.jwk, kid: 'k1', use: 'sig', alg: 'ES256' }] } };
    case '/authorize':
      return authorize(state, url.searchParams);
    case '/token':
      if (state.how !== 'hanging-token-endpoint') return tokenAnswer(state, form);
      state.hanging.add(response);
      return null;
    case '/userinfo':
      return { body: { sub: state.how === 'userinfo-of-another' ? 'person-2' : 'person-1', name: 'Petra Person' } };
    case '/revoke':
      state.refreshTokens.delete(form.get('token') ?? '');
      return { body: {} };
    case '/end':
      return { status: 302, headers: { location: url.searchParams.get('post_logout_redirect_uri') ?? '/ended' } };
    default:
      return { status: 404, body: { error: 'not_found' } };
  }
}

/** Reads a request, and answers it to pages of any origin. */
function serve(state: State, request: http.IncomingMessage, response: http.ServerResponse): void {
  const url = new URL(request.url ?? '/', state.issuer);
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const cors = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'access-control-expose-headers': 'dpop-nonce',
    };
    if (request.method === 'OPTIONS') {
      response.writeHead(204, cors).end();
      return;
    }
    const form = new URLSearchParams(Buffer.concat(parts).toString());
    state.asked.push(url.pathname + (form.has('grant_type') ? ` ${form.get('grant_type')}` : ''));
    answer(state, url, form, response).then(
      given => {
        if (!given) return;
        const { status = 200, headers, body } = given;
        response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...cors, ...headers });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      },
      (error: unknown) => response.writeHead(500, cors).end(String(error)),
    );
  });
}

function logoutTokenOf({ issuer, privateKey }: State, token: string): Promise<string> {
  const { sub, aud, sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as JWTPayload;
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  return new SignJWT({
    iss: issuer,
    sub: sub!,
    aud: aud!,
    sid,
    iat: now(),
    exp: now() + 120,
    jti: randomBytes(8).toString('hex'),
    events,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'logout+jwt' })
    .sign(privateKey);
}
