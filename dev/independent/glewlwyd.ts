import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installed, start } from './program.ts';

const program = installed('/usr/bin/glewlwyd');
const schema = installed('/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3');
const sqlite = installed('/usr/bin/sqlite3');

/** True if Glewlwyd, and the programs that set it up, are on this machine. */
export const glewlwydIsInstalled = program !== null && schema !== null && sqlite !== null;

export type Person = { username: string; password: string; name: string; email: string /** Base32. */; totpSecret: string };
export type Portal = { appUrl: string; clientId: string };

/** An OpenID provider that others wrote, Glewlwyd 2.7, set up for portals. */
export type Glewlwyd = {
  issuer: string;
  person: Person;
  /** Names of the claims with a person's name and address, for CLAIM_NAMES. */
  claimNames: string;
  /** Sets what a sign-in needs from now on; `session`: an open session from any sign-in suffices. */
  require(what: 'session' | 'password' | 'password and code'): Promise<void>;
  /** The person's name changes at the provider. */
  rename(name: string): Promise<void>;
  output(): string;
  close(): Promise<void>;
};

/** Calls of Glewlwyd's own API, with the cookie of one session. */
function session(origin: string) {
  let cookie = '';
  return async (method: 'GET' | 'POST' | 'PUT', at: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${origin}/api/${at}`, {
      method,
      headers: { 'content-type': 'application/json', cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Glewlwyd: ${method} ${at}: ${answer.status} ${text}`);
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return text === '' ? null : JSON.parse(text);
  };
}

/**
 * Starts a Glewlwyd in a temporary folder and configures it by its administrator's API: plugin, clients, person.
 * @param tokenSeconds life of access and identity tokens.
 */
export async function startGlewlwyd(
  port: number,
  portals: readonly Portal[],
  { tokenSeconds = 900 }: { tokenSeconds?: number } = {},
): Promise<Glewlwyd> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-glewlwyd-'));
  const origin = `http://localhost:${port}`;
  const issuer = `${origin}/api/oidc`;
  const database = path.join(folder, 'glewlwyd.db');
  execFileSync(sqlite!, [database], { input: readFileSync(schema!, 'utf8') });
  // The packaged pages are a folder of links, one of them to a folder where a file is meant.
  const pages = path.join(folder, 'pages');
  cpSync('/usr/share/glewlwyd/webapp', pages, { recursive: true, dereference: true, filter: file => !file.endsWith('/config.json') });
  cpSync('/usr/share/glewlwyd/templates/config.json', path.join(pages, 'config.json'));
  const otp = { module: 'otp', name: 'otp', display_name: 'One-time code' };
  writeFileSync(path.join(folder, 'glewlwyd.conf'), configurationOf({ port, origin, database, pages }));
  const running = await start(program!, ['--config-file', path.join(folder, 'glewlwyd.conf')], { ready: `${origin}/config` });
  const person: Person = {
    username: 'olga',
    password: 'a long password at another house',
    name: 'Olga Nygaard',
    email: 'olga@example-no.example',
    totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  };
  const ask = session(origin);
  const codeGroup = { second: [{ scheme_type: otp.module, scheme_name: otp.name }] };
  try {
    await ask('POST', 'auth/', { username: 'admin', password: 'password' });
    await ask('POST', 'mod/plugin/', {
      module: 'oidc',
      name: 'oidc',
      display_name: 'OpenID Connect',
      parameters: openIdParameters(issuer, tokenSeconds),
    });
    const module = (await ask('GET', 'mod/client/database')) as { parameters: { 'data-format': Record<string, object> } };
    module.parameters['data-format'].post_logout_redirect_uris = { multiple: true, read: true, write: true };
    await ask('PUT', 'mod/client/database', module);
    await ask('PUT', 'mod/client/database/reset');
    for (const { appUrl, clientId } of portals) {
      await ask('POST', 'client/', {
        client_id: clientId,
        name: 'MyRegistry',
        enabled: true,
        confidential: false,
        scope: [],
        redirect_uri: [`${appUrl}/auth-callback`, `${appUrl}/silent-renew-oidc.html`],
        post_logout_redirect_uris: [`${appUrl}/`],
        backchannel_logout_uri: `${appUrl}/auth/backchannel-logout`,
        backchannel_logout_session_required: 'yes',
        authorization_type: ['code', 'refresh_token'],
        token_endpoint_auth_method: ['none'],
      });
    }
    await ask('POST', 'user/', { ...person, enabled: true, scope: ['openid', 'g_profile'] });
    await ask('POST', 'mod/scheme/', {
      ...otp,
      expiration: 600,
      max_use: 0,
      allow_user_register: true,
      parameters: codeParameters(origin),
    });
    // A person enrols for nothing but what one of their scopes asks for.
    await ask('PUT', 'scope/openid', scopeOf({ scheme: codeGroup, scheme_required: { second: 1 } }));
    const own = session(origin);
    await own('POST', 'auth/', { username: person.username, password: person.password });
    await own('POST', 'profile/scheme/register/', {
      username: person.username,
      scheme_type: otp.module,
      scheme_name: otp.name,
      value: { type: 'TOTP', secret: person.totpSecret, time_step_size: 30 },
    });
    await ask('PUT', 'scope/openid', scopeOf({}));
  } catch (error) {
    await running.stop();
    throw new Error(`${(error as Error).message}\n${running.output()}`);
  }

  return {
    issuer,
    person,
    claimNames: 'full_name=cn,email=mail,userid=uid',
    require: what =>
      ask(
        'PUT',
        'scope/openid',
        scopeOf(
          what === 'password and code' ? { scheme: codeGroup, scheme_required: { second: 1 } } : { password_required: what === 'password' },
        ),
      ).then(() => undefined),
    async rename(name) {
      const known = (await ask('GET', `user/${person.username}`)) as object;
      await ask('PUT', `user/${person.username}`, { ...known, name });
    },
    output: running.output,
    async close() {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Settings of its OpenID Connect plugin. */
function openIdParameters(issuer: string, tokenSeconds: number): object {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const fromUser = (name: string, property: string) => ({ name, 'user-property': property, type: 'string', mandatory: true, scope: [] });
  return {
    iss: issuer,
    'jwt-type': 'rsa',
    'jwt-key-size': '256',
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: publicKey.export({ type: 'spki', format: 'pem' }),
    'access-token-duration': tokenSeconds,
    'refresh-token-duration': 3600,
    'code-duration': 60,
    'refresh-token-rolling': true,
    'refresh-token-one-use': 'always',
    'allow-non-oidc': false,
    'auth-type-code-enabled': true,
    'auth-type-code-revoke-replayed': true,
    'auth-type-token-enabled': false,
    'auth-type-password-enabled': false,
    'auth-type-client-enabled': false,
    'auth-type-refresh-enabled': true,
    'jwks-show': true,
    'pkce-allowed': true,
    'pkce-required': true,
    'pkce-method-plain-allowed': false,
    'subject-type': 'public',
    'session-management-allowed': true,
    'session-cookie-name': 'GLEWLWYD2_OIDC_SESSION',
    'session-cookie-expiration': 3600,
    'back-channel-logout-allowed': true,
    // Without it the page of its log-out finds no session to end.
    'front-channel-logout-allowed': true,
    'oauth-as-iss-id': true,
    'name-claim': 'no',
    'email-claim': 'no',
    'scope-claim': 'no',
    claims: [fromUser('cn', 'name'), fromUser('mail', 'email'), fromUser('uid', 'username')],
  };
}

/** Settings of its one-time codes. */
const codeParameters = (issuer: string): object => ({
  issuer,
  'secret-minimum-size': 16,
  'otp-length': 6,
  'hotp-allow': false,
  'hotp-window': 0,
  'totp-allow': true,
  'totp-window': 1,
  'totp-start-offset': 0,
});

const scopeOf = (more: object): object => ({
  display_name: 'Open ID',
  description: 'Sign-in',
  password_required: true,
  password_max_age: 0,
  scheme: {},
  ...more,
});

type Places = { port: number; origin: string; database: string; pages: string };

const mimeTypes = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'application/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.ttf': 'font/ttf',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

const configurationOf = ({ port, origin, database, pages }: Places): string => `port=${port}
bind_address="127.0.0.1"
external_url="${origin}"
login_url="login.html"
api_prefix="api"
static_files_path="${pages}"
allow_origin="*"
allow_methods="GET, POST, PUT, DELETE, OPTIONS"
allow_headers="Origin, X-Requested-With, Content-Type, Accept, Bearer, Authorization, DPoP"
log_mode="console"
log_level="WARNING"
cookie_secure=0
cookie_same_site="lax"
session_expiration=3600
session_key="GLEWLWYD2_SESSION_ID"
admin_session_authentication="cookie"
profile_session_authentication="cookie"
user_module_path="/usr/lib/glewlwyd/user"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
hash_algorithm="SHA512"
database = { type = "sqlite3"; path = "${database}"; };
static_files_mime_types = (
${Object.entries(mimeTypes)
  .map(([extension, type]) => `  { extension = "${extension}"; mime_type = "${type}"; }`)
  .join(',\n')}
)
`;
