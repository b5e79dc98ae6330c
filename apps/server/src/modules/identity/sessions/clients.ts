import { signedOutUrl } from '@portal/contract/shell/signed-out-url';
import { readFileSync } from 'node:fs';
import type { ClientMetadata } from 'oidc-provider';
import * as z from 'zod/mini';
import type { Config } from '../../../config.ts';

/** Cookies and codes go over TLS, or stay on one machine. */
function isAddress(given: string): boolean {
  if (!URL.canParse(given) || given.includes('*')) return false;
  const { protocol, hostname, hash, username } = new URL(given);
  const loopback = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  return (protocol === 'https:' || (protocol === 'http:' && loopback)) && hash === '' && username === '' && !given.endsWith('#');
}
const words = (error: string) => z.string({ error });
const address = 'must be an address starting with https:// (http:// for this machine only), without a fragment';
const Address = words(address).check(z.refine(isAddress, { error: address }));
const addresses = 'must be a list of addresses';
const choice = <const V extends readonly string[]>(values: V) => z.enum(values, { error: `must be ${values.join(' or ')}` });

/**
 * Another system of the registry whose people sign in with the login they have here: an entry of the file CLIENTS_FILE, in the names of
 * OpenID Connect Dynamic Client Registration 1.0, section 2.
 */
const RegisteredClient = z.strictObject(
  {
    client_id: words('must be text').check(z.regex(/^[A-Za-z0-9._-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, ". _ -"' })),
    /** Read by people on the sign-in page. */
    client_name: words('must be the name people read when they sign in').check(
      z.refine(name => name.trim() !== '' && name.length <= 80, { error: 'must be a name of 1 to 80 characters' }),
    ),
    /** Without a secret it is a public client: a program in a browser or on a phone. */
    client_secret: z.optional(words('must be text').check(z.minLength(32, { error: 'must have at least 32 characters' }))),
    token_endpoint_auth_method: z.optional(choice(['client_secret_basic', 'client_secret_post'])),
    redirect_uris: z.array(Address, { error: addresses }).check(z.minLength(1, { error: 'must name at least one address' })),
    post_logout_redirect_uris: z.optional(z.array(Address, { error: addresses })),
    backchannel_logout_uri: z.optional(Address),
    scopes: z.optional(z.array(choice(['openid', 'profile', 'email']), { error: 'must be a list of openid, profile, email' })),
    id_token_signed_response_alg: z.optional(choice(['RS256', 'ES256'])),
    grant_types: z.optional(
      z.array(choice(['authorization_code', 'refresh_token']), { error: 'must be a list of authorization_code, refresh_token' }),
    ),
  },
  {
    error: issue =>
      issue.code === 'unrecognized_keys'
        ? `has an unknown entry "${(issue as { keys: string[] }).keys.join('", "')}"`
        : 'must be an object such as {"client_id": "meetings", …}',
  },
);
type RegisteredClient = z.infer<typeof RegisteredClient>;

/** The clients of the embedded provider: the portal, and the other systems of the registry. */
export type Clients = {
  metadata: readonly ClientMetadata[];
  /** Address at which the portal receives its logout tokens. */
  portalLogoutUri: string;
  /** Addresses at which other systems receive theirs. */
  logoutUris: ReadonlySet<string>;
  /** Origins a form of sign-in or log-out may lead to. */
  formTargets: readonly string[];
  /** Origins that may frame the page that reports a change of the person. */
  frameAncestors: readonly string[];
  /** Origins a client's pages are at; empty for an unknown one. */
  originsOf(clientId: string): readonly string[];
  /** Returns the name of another system; null for the portal. */
  otherSystem(clientId: unknown): string | null;
  /** Returns the algorithm that signs a client's tokens. */
  tokenAlgOf: (clientId: string) => TokenAlg;
};

/** Algorithms of our signing keys. */
export type TokenAlg = 'RS256' | 'ES256';

/**
 * Returns the algorithm of the portal's tokens: ES256, an eighth of the work of RS256 and a shorter token on every call, unless ID_TOKEN_ALGS
 * excludes it.
 */
export const portalTokenAlg = ({ idTokenAlgs }: Pick<Config, 'idTokenAlgs'>): TokenAlg =>
  idTokenAlgs.includes('ES256') ? 'ES256' : 'RS256';

/**
 * Reads and checks the file of other systems.
 * @throws Error with a sentence naming the file, the entry, and what would be right.
 */
function readClients(file: string, portalId: string): RegisteredClient[] {
  if (file === '') return [];
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`The file ${file} of CLIENTS_FILE cannot be read: ${(error as Error).message}`);
  }
  if (!Array.isArray(given)) throw new Error(`The file ${file} of CLIENTS_FILE must be a list of clients: [{"client_id": "meetings", …}].`);
  const seen = new Set([portalId]);
  return given.map((entry: unknown, index) => {
    const id: unknown = (entry as { client_id?: unknown } | null)?.client_id;
    const wrong = (what: string) =>
      new Error(`The file ${file} of CLIENTS_FILE: client ${typeof id === 'string' ? `"${id}"` : `number ${index + 1}`}${what}.`);
    const parsed = z.safeParse(RegisteredClient, entry);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw wrong(`${issue!.path.length > 0 ? `: ${issue!.path.join('.')}` : ''} ${issue!.message}`);
    }
    const client = parsed.data;
    if (seen.has(client.client_id)) throw wrong(client.client_id === portalId ? ' is the portal itself (CLIENT_ID)' : ' is listed twice');
    if (client.token_endpoint_auth_method && !client.client_secret) throw wrong(': token_endpoint_auth_method needs a client_secret');
    if (client.scopes && !client.scopes.includes('openid')) throw wrong(': scopes must hold openid');
    if (client.grant_types && !client.grant_types.includes('authorization_code')) throw wrong(': grant_types must hold authorization_code');
    seen.add(client.client_id);
    return client;
  });
}

const metadataOf = ({ client_secret: secret, scopes = ['openid', 'profile', 'email'], ...client }: RegisteredClient): ClientMetadata => ({
  client_id: client.client_id,
  client_name: client.client_name,
  ...(secret !== undefined && { client_secret: secret }),
  token_endpoint_auth_method: secret === undefined ? 'none' : (client.token_endpoint_auth_method ?? 'client_secret_basic'),
  application_type: 'web',
  id_token_signed_response_alg: client.id_token_signed_response_alg ?? 'RS256',
  grant_types: client.grant_types ?? ['authorization_code'],
  response_types: ['code'],
  scope: scopes.join(' '),
  redirect_uris: client.redirect_uris,
  post_logout_redirect_uris: client.post_logout_redirect_uris ?? [],
  ...(client.backchannel_logout_uri !== undefined && {
    backchannel_logout_uri: client.backchannel_logout_uri,
    backchannel_logout_session_required: true,
  }),
});

/**
 * Returns all clients from settings and file. There is no other place and no registration over the network.
 * @throws Error with a sentence that names the mistake in the file.
 */
export function openClients(config: Pick<Config, 'appUrl' | 'clientId' | 'clientsFile' | 'idTokenAlgs' | 'logoutUrl'>): Clients {
  const { appUrl, clientId, clientsFile, logoutUrl } = config;
  const portalLogoutUri = `${appUrl}/auth/backchannel-logout`;
  const portal: ClientMetadata = {
    client_id: clientId,
    token_endpoint_auth_method: 'none',
    id_token_signed_response_alg: portalTokenAlg(config),
    application_type: 'web',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    // The last is where the login's pages (`/account`) return after a sign-in; they redeem no code.
    redirect_uris: [`${appUrl}/auth-callback`, `${appUrl}/silent-renew-oidc.html`, `${appUrl}/account/return`],
    post_logout_redirect_uris: [signedOutUrl({ appUrl, logoutUrl })],
    backchannel_logout_uri: portalLogoutUri,
    backchannel_logout_session_required: true,
  };
  const others = readClients(clientsFile, clientId).map(metadataOf);
  const metadata = [portal, ...others];
  const originsOf = (uris: readonly string[] = []): string[] => [...new Set(uris.map(uri => new URL(uri).origin))];
  const origins = new Map(metadata.map(client => [client.client_id, originsOf(client.redirect_uris)]));
  const algs = new Map(metadata.map(client => [client.client_id, client.id_token_signed_response_alg]));
  const names = new Map(others.map(client => [client.client_id, client.client_name!]));
  return {
    metadata,
    portalLogoutUri,
    logoutUris: new Set(others.flatMap(({ backchannel_logout_uri: uri }) => uri ?? [])),
    formTargets: originsOf(metadata.flatMap(client => [...client.redirect_uris!, ...client.post_logout_redirect_uris!])),
    frameAncestors: [...new Set([...origins.values()].flat())],
    originsOf: id => origins.get(id) ?? [],
    tokenAlgOf: id => (algs.get(id) as TokenAlg | undefined) ?? 'RS256',
    otherSystem: id => (typeof id === 'string' ? (names.get(id) ?? null) : null),
  };
}
