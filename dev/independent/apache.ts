import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installed, start } from './program.ts';

const modules = '/usr/lib/apache2/modules';
const program = installed('/usr/sbin/apache2');
const openidc = installed(`${modules}/mod_auth_openidc.so`);

/** True if Apache and mod_auth_openidc are on this machine. */
export const apacheIsInstalled = program !== null && openidc !== null;

/** A web site that others wrote the sign-in of: Apache with mod_auth_openidc, a client of a provider. */
export type OpenIdSite = {
  /** Such as `http://localhost:4711`. */
  origin: string;
  /** Its client entry for the file CLIENTS_FILE. */
  client: Record<string, unknown>;
  /** Starts it; the provider must be there. */
  serve(issuer: string): Promise<{ output(): string }>;
  close(): Promise<void>;
};

/**
 * Returns a site on this machine. `/members/` needs a sign-in and answers with what Apache knows of the person, as headers `x-user`,
 * `x-amr`, `x-acr`, `x-email`; `/signed-out.html` needs none. `/members/frames.html` watches the session at the provider.
 */
export function openIdSite(port: number): OpenIdSite {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-apache-'));
  const origin = `http://localhost:${port}`;
  const returnTo = `${origin}/members/return`;
  const secret = 'secret-of-the-members-site-for-tests';
  let running: Awaited<ReturnType<typeof start>> | undefined;
  return {
    origin,
    client: {
      client_id: 'members-site',
      client_name: 'Members site',
      client_secret: secret,
      redirect_uris: [returnTo],
      post_logout_redirect_uris: [`${origin}/signed-out.html`],
      backchannel_logout_uri: `${returnTo}?logout=backchannel`,
    },
    async serve(issuer) {
      chmodSync(folder, 0o755);
      mkdirSync(path.join(folder, 'site/members'), { recursive: true });
      writeFileSync(path.join(folder, 'site/signed-out.html'), '<!doctype html><title>Signed out</title>Signed out of the members site');
      writeFileSync(path.join(folder, 'site/members/index.html'), '<!doctype html><title>Members site</title>For members');
      // The names of the two frames are the ones the module's own script asks for.
      writeFileSync(
        path.join(folder, 'site/members/frames.html'),
        `<!doctype html><title>Members site</title><p>For members</p>
<iframe id="openidc-op" src="${returnTo}?session=iframe_op" hidden></iframe><iframe id="openidc-rp" src="${returnTo}?session=iframe_rp&amp;poll=1000" hidden></iframe>`,
      );
      const load = (name: string) => `LoadModule ${name}_module ${modules}/mod_${name}.so`;
      writeFileSync(
        path.join(folder, 'httpd.conf'),
        `ServerRoot ${folder}
PidFile ${folder}/pid
Mutex pthread
ServerName localhost
Listen 127.0.0.1:${port}
${['mpm_event', 'authz_core', 'authz_user', 'authn_core', 'dir', 'mime', 'headers', 'auth_openidc'].map(load).join('\n')}
${process.getuid?.() === 0 ? 'User nobody\nGroup nogroup' : ''}
StartServers 1
ServerLimit 1
MaxRequestWorkers 25
ErrorLog ${folder}/error.log
LogLevel warn auth_openidc:info
TypesConfig /dev/null
AddType text/html .html
DocumentRoot ${folder}/site
DirectoryIndex index.html
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID members-site
OIDCClientSecret ${secret}
OIDCScope "openid profile email"
OIDCPKCEMethod S256
OIDCRedirectURI ${returnTo}
OIDCCryptoPassphrase only-for-this-test-run
OIDCRemoteUserClaim userid
OIDCSessionType server-cache
OIDCInfoHook iat access_token id_token session
OIDCCookieSameSite Off
<Location />
  Require all granted
</Location>
<Location /members>
  AuthType openid-connect
  Require valid-user
  # By itself it takes what Node's fetch sends for the call of a script, and does not redirect.
  OIDCUnAuthAction auth "%{HTTP:accept} -strmatch '*text/html*'"
  Header always set x-user "expr=%{REMOTE_USER}"
  Header always set x-amr "%{OIDC_CLAIM_amr}e"
  Header always set x-acr "%{OIDC_CLAIM_acr}e"
  Header always set x-email "%{OIDC_CLAIM_email}e"
</Location>
`,
      );
      running = await start(program!, ['-d', folder, '-f', path.join(folder, 'httpd.conf'), '-DFOREGROUND'], {
        ready: `${origin}/signed-out.html`,
        log: path.join(folder, 'error.log'),
      });
      return running;
    },
    async close() {
      await running?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
