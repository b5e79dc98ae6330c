import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserAt, testRegistry, type TestRegistry } from '../../apps/server/test/sign-in-registry.ts';
import { apacheIsInstalled, openIdSite, type OpenIdSite } from './apache.ts';
import { freePort } from './program.ts';

/** Tests our provider with a third-party client, certified by the OpenID Foundation. */
describe.skipIf(!apacheIsInstalled)('a site of Apache with mod_auth_openidc', () => {
  let site: OpenIdSite;
  let registry: TestRegistry;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-clients-'));
  beforeAll(async () => {
    site = openIdSite(await freePort());
    const file = path.join(folder, 'clients.json');
    writeFileSync(file, JSON.stringify([site.client]));
    registry = await testRegistry(undefined, { CLIENTS_FILE: file });
    await site.serve(registry.config.issuerUri);
  });
  afterAll(async () => {
    await site?.close();
    await registry?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens the members' pages in a new browser and signs in on the way. */
  const enter = async (username: string) => {
    const browser = browserAt(registry.origin);
    let page = await browser.open(`${site.origin}/members/`);
    expect(new URL(page.url).origin).toBe(registry.origin);
    page = await browser.send(page, { username, password: `demo-registry-${username}` });
    if (page.text.includes('name="code"')) page = await browser.send(page, { code: registry.codeOf(username) });
    return { browser, page };
  };
  const isIn = async (browser: ReturnType<typeof browserAt>): Promise<boolean> =>
    (await browser.open(`${site.origin}/members/`)).url === `${site.origin}/members/`;
  /** The site's own view of the session; 401 when there is none. */
  const session = async (browser: ReturnType<typeof browserAt>) => browser.open(`${site.origin}/members/return?info=json`);

  test('reads the provider’s description, signs people in with PKCE, and knows who came and how', async () => {
    const { page } = await enter('corin');
    expect([page.status, page.url]).toEqual([200, `${site.origin}/members/`]);
    expect(page.text).toContain('For members');
    expect(Object.fromEntries(['x-user', 'x-email', 'x-acr'].map(name => [name, page.headers.get(name)]))).toEqual({
      'x-user': 'corin',
      'x-email': 'corin@example-au.example',
      'x-acr': 'urn:myregistry:acr:mfa',
    });
    expect(page.headers.get('x-amr')!.split(',').sort()).toEqual(['mfa', 'otp', 'pwd']);
  });

  test('keeps a session under the sid of its identity token, bound to its own audience', async () => {
    const { browser } = await enter('bill');
    const { status, text } = await session(browser);
    expect(status).toBe(200);
    const { id_token: claims } = JSON.parse(text) as { id_token: Record<string, unknown> };
    expect(claims).toMatchObject({ iss: registry.config.issuerUri, aud: 'members-site', azp: 'members-site', amr: ['pwd'] });
    expect(claims.sid).toEqual(expect.any(String));
  });

  test('is notified when the person logs out of the portal, and then admits no one', async () => {
    const { browser } = await enter('bill');
    const { id_token } = await signOn(browser);
    expect(await isIn(browser)).toBe(true);
    const query = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: `${registry.origin}/` });
    const page = await browser.open(`/oidc/session/end?${query.toString()}`);
    expect((await browser.send(page)).url).toBe(`${registry.origin}/`);
    expect((await session(browser)).status).toBe(401);
    expect(await isIn(browser)).toBe(false);
  });

  test('logs the person out here too, and comes back', async () => {
    const { browser } = await enter('bill');
    const { id_token } = await signOn(browser);
    const page = await browser.open(`${site.origin}/members/return?logout=${encodeURIComponent(`${site.origin}/signed-out.html`)}`);
    expect(new URL(page.url).pathname).toBe('/oidc/session/end');
    const back = await browser.send(page);
    expect([back.url, back.text]).toEqual([`${site.origin}/signed-out.html`, expect.stringContaining('Signed out of the members site')]);
    const answer = await fetch(`${registry.origin}/api/me`, { headers: { authorization: `Bearer ${id_token}` } });
    expect(answer.status).toBe(401);
    expect(await isIn(browser)).toBe(false);
  });

  /** Opens the portal in the same browser: no question is asked. */
  const signOn = async (browser: ReturnType<typeof browserAt>): Promise<{ id_token: string }> => {
    const started = await browser.authorize({ prompt: 'none' });
    return (await (await browser.redeem(started.url, started.verifier)).json()) as { id_token: string };
  };
});
