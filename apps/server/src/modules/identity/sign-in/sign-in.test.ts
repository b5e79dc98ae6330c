import http from 'node:http';
import { ownEndpoints, type RedirectAsJson, redirectAsJson } from '@portal/contract/shell/own-provider';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { browserAt, claimsOf, fetchCaller, kinds, type TestRegistry, testRegistry } from '../../../../test/sign-in-registry.ts';
import { acrOf } from '../../../config.ts';
import { readProfile } from '../../../profile.ts';
import { startCoolDown } from '../factors/cool-down.ts';
import { openIdentity } from '../identity.ts';
import { endSessions } from '../sessions/sessions.ts';

const wrong = 'Wrong user name or password.';
const pathOf = ({ url }: { url: string }): string => new URL(url).pathname;

/** Returns the page that follows name and password. */
async function afterPassword(registry: TestRegistry, username: string): Promise<string> {
  const browser = browserAt(registry.origin);
  const page = await browser.send(await browser.authorize(), { username, password: `demo-registry-${username}` });
  return page.url.includes('/auth-callback') ? 'callback' : page.text;
}

describe('logging in', () => {
  test('a person with a second factor gives password and code, and the token says who, how and when', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    const started = await browser.authorize();
    const second = await browser.send(started, { username: 'Corin', password: 'demo-registry-corin' });
    expect(second.text).toContain('Enter your code');
    const done = await browser.send(second, { code: registry.codeOf('corin') });
    // Each step leads straight to the next, and the last one to the portal: a redirect costs half a second over a slow line.
    expect([second.followed, done.followed]).toEqual([1, 0]);
    expect(done.headers.getSetCookie()).toContain('first-account=FIRST-AU; max-age=60; path=/; samesite=lax');
    const callback = new URL(done.url);
    expect(callback.pathname).toBe('/auth-callback');
    expect(callback.searchParams.get('state')).toBe(started.state);
    expect(callback.searchParams.get('session_state')).toMatch(/^[\w-]{43}\.[\w-]{16}$/);

    const answer = (await (await browser.redeem(done.url, started.verifier)).json()) as { id_token: string; refresh_token?: string };
    expect(answer.refresh_token).toBeUndefined();
    expect(claimsOf(answer.id_token)).toMatchObject({
      iss: `${registry.origin}/oidc`,
      sub: 'login-corin',
      aud: 'portal',
      azp: 'portal',
      amr: ['pwd', 'otp', 'mfa'],
      acr: acrOf('mfa'),
      auth_time: expect.any(Number),
      sid: expect.any(String),
      nonce: started.state,
      userid: 'corin',
      nickname: 'Corin',
      full_name: 'Corin Achterberg',
      email: 'corin@example-au.example',
      email_verified: true,
    });
    expect(await fetchCaller(registry.origin, answer.id_token)).toMatchObject({
      status: 200,
      body: { loginId: 'login-corin', mfa: true, staff: false },
    });
    expect(await registry.actions()).toEqual(['identity.createKeys', 'test.people', 'identity.signIn']);
  });

  test('a browser’s last form is answered with a page that leads to the portal, whose document it has in its store', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    const started = await browser.authorize({ response_mode: 'fragment' });
    const action = /action="([^"]+)"/.exec(started.text)![1]!;
    const csrf = /name="csrf" value="([^"]+)"/.exec(started.text)![1]!;
    const cookie = [...browser.jar]
      .filter(([, { path }]) => action.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
    const answer = await new Promise<{ status: number; location: string | undefined; body: string }>((resolve, reject) => {
      const headers = {
        cookie,
        origin: registry.origin,
        'sec-fetch-mode': 'navigate',
        'content-type': 'application/x-www-form-urlencoded',
      };
      http
        .request(new URL(action, registry.origin), { method: 'POST', headers }, response => {
          const parts: Buffer[] = [];
          response.on('data', part => parts.push(part as Buffer));
          response.on('end', () =>
            resolve({ status: response.statusCode!, location: response.headers.location, body: Buffer.concat(parts).toString() }),
          );
        })
        .on('error', reject)
        .end(new URLSearchParams({ csrf, username: 'bill', password: 'demo-registry-bill' }).toString());
    });
    expect([answer.status, answer.location]).toEqual([200, undefined]);
    const [, address] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(answer.body)!;
    const back = new URL(address!.replaceAll('&amp;', '&'));
    expect([back.origin, back.pathname, back.search]).toEqual([registry.origin, '/auth-callback', '']);
    const given = new URLSearchParams(back.hash.slice(1));
    expect(given.get('state')).toBe(started.state);
    expect((await browser.redeem(`${registry.origin}/auth-callback?${given.toString()}`, started.verifier)).status).toBe(200);
  });

  test('a person without one gives the e-mail address and password, and the token claims only that', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    const started = await browser.authorize();
    const done = await browser.send(started, { username: 'BILL@example-au.example', password: 'demo-registry-bill' });
    const { id_token } = (await (await browser.redeem(done.url, started.verifier)).json()) as { id_token: string };
    expect(claimsOf(id_token)).toMatchObject({ sub: 'login-bill', amr: ['pwd'], acr: acrOf('1fa') });
  });

  test('under the policy "privileged" everyone who has a second factor is asked for it, and people who may change the registry get one', async () => {
    await using registry = await testRegistry(
      undefined,
      { REQUIRE_MFA: 'privileged', DEMO: 'off' },
      async loginId => loginId === 'login-bill',
    );
    expect(await afterPassword(registry, 'corin')).toContain('Enter your code');
    expect(await afterPassword(registry, 'stella')).toContain('Enter your code');
    expect(await afterPassword(registry, 'bill')).toContain('Set up a second factor');
  });

  test('under the policy "privileged" people who only read, and demo people, sign in by the password alone', async () => {
    await using reading = await testRegistry(undefined, { DEMO: 'off' }, async () => false);
    expect(await afterPassword(reading, 'bill')).toContain('callback');
    await using demo = await testRegistry(undefined, {}, async () => true);
    expect(await afterPassword(demo, 'bill')).toContain('callback');
  });

  test('under the policy "off" no one is asked, except for a day after a recovery', async () => {
    await using registry = await testRegistry(undefined, { REQUIRE_MFA: 'off' });
    expect(await afterPassword(registry, 'corin')).toContain('callback');
    await registry.db.change({ action: 'test', summary: 'Reset', traceId: '0'.repeat(32) }, change =>
      startCoolDown(change, 'login-corin', 'password-reset'),
    );
    expect(await afterPassword(registry, 'corin')).toContain('Enter your code');
    registry.later(24 * 3600 + 1);
    expect(await afterPassword(registry, 'corin')).toContain('callback');
  });

  test('under the policy "all" demo people without a second factor set one up too', async () => {
    await using registry = await testRegistry(undefined, { REQUIRE_MFA: 'all' });
    expect(await afterPassword(registry, 'bill')).toContain('Set up a second factor');
  });

  test('a known and an unknown name get the same answer', async () => {
    await using registry = await testRegistry();
    const answerTo = async (username: string) => {
      const browser = browserAt(registry.origin);
      const { status, text } = await browser.send(await browser.authorize(), { username, password: 'not the password' });
      return { status, text: text.replaceAll(/(sign-in\/|csrf" value=")[\w-]+/g, '').replaceAll(username, 'NAME') };
    };
    const known = await answerTo('corin');
    expect(known.status).toBe(401);
    expect(known.text).toContain(wrong);
    expect({ ...(await answerTo('zorin')), text: '' }).toEqual({ ...known, text: '' });
    const demo = /<section class="demo"[\s\S]*<\/section>/;
    expect((await answerTo('zorin')).text.replace(demo, '')).toBe(known.text.replace(demo, ''));
  });

  test('after five wrong passwords the sixth attempt waits, right or wrong, and the delay passes', async () => {
    // The delay is exact to the second: time passes only where the test says so.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    const page = await browser.authorize();
    const type = (password: string) => browser.send(page, { username: 'bill', password });
    for (let i = 0; i < 5; i++) expect((await type('wrong')).status).toBe(401);
    const waiting = await type('demo-registry-bill');
    expect(waiting.status).toBe(429);
    expect(waiting.text).toContain('Too many attempts. Try again in 15 seconds.');
    expect(waiting.headers.get('retry-after')).toBe('15');
    registry.later(16);
    expect((await type('wrong')).status).toBe(401);
    expect((await type('demo-registry-bill')).text).toContain('Try again in 30 seconds.');
    registry.later(31);
    expect(new URL((await type('demo-registry-bill')).url).pathname).toBe('/auth-callback');
    // Log lines for the first of a row and for those that caused a delay, not for every attempt.
    expect((await registry.actions()).filter(action => action === 'identity.signInFailed')).toHaveLength(3);
  });

  test('a delay is never longer than 15 minutes, and concurrent guesses all count', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    const page = await browser.authorize();
    const at = () => browser.send(page, { username: 'bill', password: 'wrong' });
    const answers = await Promise.all(Array.from({ length: 20 }, at));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    for (let i = 0; i < 8; i++) {
      registry.later(901);
      expect((await at()).status).toBe(401);
    }
    expect((await at()).text).toMatch(/Try again in 15 minutes/);
  });

  test('a code works once, even if it is sent twice at the same time', async () => {
    await using registry = await testRegistry();
    const code = registry.codeOf('corin');
    const attempts = await Promise.all(
      [1, 2, 3].map(async () => {
        const browser = browserAt(registry.origin);
        return { browser, page: await browser.send(await browser.authorize(), { username: 'corin', password: 'demo-registry-corin' }) };
      }),
    );
    const answers = await Promise.all(attempts.map(({ browser, page }) => browser.send(page, { code })));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.filter(({ text }) => text.includes('was already used'))).toHaveLength(2);
    const again = browserAt(registry.origin);
    const page = await again.send(await again.authorize(), { username: 'corin', password: 'demo-registry-corin' });
    expect((await again.send(page, { code })).status).toBe(401);
    expect((await again.send(page, { code: registry.codeOf('corin', -1) })).status).toBe(401);
    const next = registry.codeOf('corin', 1);
    expect((await again.send(page, { code: `${next.slice(0, 3)} ${next.slice(3)}` })).status).toBe(303);
  });

  test('the demo page shows passwords, and a code that still works', async () => {
    await using registry = await testRegistry();
    for (const round of [0, 1]) {
      const browser = browserAt(registry.origin);
      const started = await browser.authorize();
      const filled = await browser.open(`${new URL(started.url).pathname}?person=corin`);
      const second = await browser.send(filled);
      expect(second.text, `round ${round}`).toContain('The code for Corin is');
      const page = await browser.open(`${new URL(second.url).pathname}?fill=code`);
      expect((await browser.send(page)).url).toContain('code=');
    }
  });

  test('outside demo mode no password or code is shown, and production does not start with demo people', async () => {
    await using registry = await testRegistry(undefined, { DEMO: 'off' });
    const browser = browserAt(registry.origin);
    const started = await browser.authorize();
    expect(started.text).not.toContain('demo-registry');
    const second = await browser.send(started, { username: 'corin', password: 'demo-registry-corin' });
    expect(second.text).toContain('Enter your code');
    expect(second.text).not.toContain('Demo registry');
    const production = { ...registry.config, production: true };
    await expect(openIdentity({ db: registry.db, config: production, profile: readProfile(''), asset: String })).rejects.toThrow(
      'demo people',
    );
  });

  test('a form without its token, or with that of another sign-in, is refused', async () => {
    await using registry = await testRegistry();
    const [mine, other] = [browserAt(registry.origin), browserAt(registry.origin)];
    const page = await mine.authorize();
    const foreign = /csrf" value="([\w-]+)/.exec((await other.authorize()).text)![1]!;
    for (const csrf of ['', foreign]) {
      const answer = await mine.send(page, { csrf, username: 'bill', password: 'demo-registry-bill' });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('This log in has expired');
    }
    expect((await browserAt(registry.origin).open(new URL(page.url).pathname)).status).toBe(400);
  });

  test('a disabled login is answered like a wrong password', async () => {
    await using registry = await testRegistry();
    await registry.db.change({ action: 'test', summary: 'Disabled', traceId: '0'.repeat(32) }, change =>
      change.updateTable('login').set({ disabledAt: change.now }).where('username', '=', 'bill').execute(),
    );
    const browser = browserAt(registry.origin);
    const answer = await browser.send(await browser.authorize(), { username: 'bill', password: 'demo-registry-bill' });
    expect([answer.status, answer.text.includes(wrong)]).toEqual([401, true]);
  });

  test('tokens are given only to pages of the portal’s own origin', async () => {
    await using registry = await testRegistry();
    const ask = (origin: string) =>
      fetch(`${registry.origin}/oidc/token`, {
        method: 'POST',
        headers: { origin },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: 'portal',
          code: 'x',
          redirect_uri: `${registry.origin}/auth-callback`,
          code_verifier: 'x'.repeat(43),
        }),
      });
    const foreign = await ask('https://evil.example');
    expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([400, null]);
    expect((await ask(registry.origin)).headers.get('access-control-allow-origin')).toBe(registry.origin);
  });

  test('every answer of the provider and the pages forbids scripts of others and framing', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    const page = await browser.authorize();
    for (const answer of [
      page,
      await browser.open('/sign-in/nobody'),
      await browser.open('/oidc?x=1'),
      await browser.open('/oidc/auth?client_id=nobody'),
      await browser.open('/oidc/nowhere'),
    ]) {
      const policy = answer.headers.get('content-security-policy')!;
      for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"])
        expect(policy).toContain(part);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('cache-control')).toContain('no-store');
      expect(answer.text).not.toMatch(/<script(?![^>]*src=)|\sstyle=|\son\w+=/);
    }
    const check = await browser.open('/oidc/session/check');
    expect(check.status).toBe(200);
    expect(check.headers.get('content-security-policy')).toContain(`frame-ancestors ${registry.origin}`);
  });

  test('only authorization code with PKCE S256 is served', async () => {
    await using registry = await testRegistry();
    const refused = async (more: Record<string, string>) => {
      const answer = await browserAt(registry.origin).authorize(more);
      return (
        new URL(answer.url).searchParams.get('error') ??
        new URLSearchParams(new URL(answer.url).hash.slice(1)).get('error') ??
        answer.status
      );
    };
    expect(await refused({ code_challenge_method: 'plain' })).toBe('invalid_request');
    expect(await refused({ code_challenge: '' })).toBe('invalid_request');
    expect(await refused({ response_type: 'token' })).toBe('unsupported_response_type');
    expect(await refused({ response_type: 'id_token' })).toBe('unsupported_response_type');
    expect(await refused({ redirect_uri: 'https://evil.example/' })).toBe(400);
  });
});

describe('an open session', () => {
  test('is renewed silently: same session, same time of sign-in', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    expect(new URL((await browser.authorize({ prompt: 'none' })).url).searchParams.get('error')).toBe('login_required');
    const first = claimsOf((await browser.signIn(registry, 'corin')).id_token);
    const renewed = await browser.authorize({ prompt: 'none' });
    const { id_token } = (await (await browser.redeem(renewed.url, renewed.verifier)).json()) as { id_token: string };
    const second = claimsOf(id_token);
    expect([second.sid, second.auth_time, second.sub]).toEqual([first.sid, first.auth_time, first.sub]);
    expect((await registry.actions()).filter(action => action === 'identity.signIn')).toHaveLength(1);
  });

  test('is stepped up by the second factor alone', async () => {
    await using registry = await testRegistry(undefined, { REQUIRE_MFA: 'off' });
    const browser = browserAt(registry.origin);
    const before = claimsOf((await browser.signIn(registry, 'corin')).id_token);
    expect(before.acr).toBe(acrOf('1fa'));
    const silent = await browser.authorize({ prompt: 'none', acr_values: acrOf('mfa') });
    expect(new URL(silent.url).searchParams.get('error')).toBe('login_required');

    const asked = await browser.authorize({ acr_values: acrOf('mfa') });
    expect(asked.text).toContain('Enter your code');
    expect(asked.text).not.toContain('type="password"');
    const done = await browser.send(asked, { code: registry.codeOf('corin') });
    const { id_token } = (await (await browser.redeem(done.url, asked.verifier)).json()) as { id_token: string };
    const after = claimsOf(id_token);
    expect(after).toMatchObject({ acr: acrOf('mfa'), amr: ['pwd', 'otp', 'mfa'], sid: before.sid, sub: before.sub });
    expect((await browser.authorize({ prompt: 'none', acr_values: acrOf('mfa') })).url).toContain('code=');
  });

  test('of a person without a second factor says so and goes back', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    await browser.signIn(registry, 'bill');
    const asked = await browser.authorize({ acr_values: acrOf('mfa') });
    expect(asked.text).toContain('MFA is not enabled!');
    const back = new URL((await browser.send(asked, {}, `${pathOf(asked)}/cancel`)).url);
    expect(back.searchParams.get('error')).toBe('unmet_authentication_requirements');
    expect((await browser.authorize({ prompt: 'none' })).url).toContain('code=');
  });

  test('that is too old for max_age asks for everything again', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    const before = await browser.signIn(registry, 'bill');
    await registry.db.unrecorded
      .updateTable('oidcPayload')
      .set({ payload: sql`jsonb_set(payload, '{loginTs}', to_jsonb((payload ->> 'loginTs')::int - 301))` })
      .where('model', '=', 'Session')
      .execute();
    expect((await browser.authorize({ max_age: '310' })).url).toContain('code=');
    const asked = await browser.authorize({ max_age: '300' });
    expect(asked.text).toContain('<h1>Log in</h1>');
    const done = await browser.send(asked, { username: 'bill', password: 'demo-registry-bill' });
    const { id_token } = (await (await browser.redeem(done.url, asked.verifier)).json()) as { id_token: string };
    expect(Number(claimsOf(id_token).auth_time)).toBeGreaterThanOrEqual(Number(claimsOf(before.id_token).auth_time));
  });

  test('ends when another person logs in over it, and the new token is theirs', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    const before = await browser.signIn(registry, 'bill');
    const asked = await browser.authorize({ prompt: 'login' });
    const second = await browser.send(asked, { username: 'corin', password: 'demo-registry-corin' });
    const leave = await browser.send(second, { code: registry.codeOf('corin') });
    // The provider logs Bill out by a form that sends itself.
    const done = await browser.send(leave);
    const { id_token } = (await (await browser.redeem(done.url, asked.verifier)).json()) as { id_token: string };
    expect(claimsOf(id_token).sub).toBe('login-corin');
    expect((await fetchCaller(registry.origin, before.id_token)).status).toBe(401);
  });

  test('slides with use, but never past its absolute end', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    await browser.signIn(registry, 'bill');
    const endsIn = async () => {
      const rows = await registry.db.read.selectFrom('oidcPayload').select('expiresAt').where('model', '=', 'Session').execute();
      return (new Date(rows[0]!.expiresAt!).getTime() - Date.now()) / 1000;
    };
    expect(await endsIn()).toBeGreaterThan(registry.config.sessionIdleSeconds - 60);
    await registry.db.unrecorded
      .updateTable('oidcPayload')
      .set({
        payload: sql`jsonb_set(payload, '{loginTs}', to_jsonb((payload ->> 'loginTs')::int - ${registry.config.sessionAbsoluteSeconds - 100}::int))`,
      })
      .where('model', '=', 'Session')
      .execute();
    expect((await browser.authorize({ prompt: 'none' })).url).toContain('code=');
    expect(await endsIn()).toBeLessThan(101);
  });
});

describe('logging out', () => {
  test('makes the bearer useless immediately, and the portal’s own request needs no confirmation', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    const { id_token } = await browser.signIn(registry, 'corin');
    expect((await fetchCaller(registry.origin, id_token)).status).toBe(200);
    const query = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: `${registry.origin}/`, state: 's1' });
    const asked = await browser.open(`/oidc/session/end?${query.toString()}`);
    expect(asked.text).toContain('data-send');
    const done = await browser.send(asked);
    expect(done.url).toBe(`${registry.origin}/?state=s1`);
    expect(await fetchCaller(registry.origin, id_token)).toMatchObject({ status: 401, body: { errors: [{ code: 'SESSION_ENDED' }] } });
    expect([...browser.jar.keys()]).not.toContain('op_session');
    expect([...browser.jar.keys()]).not.toContain('op_state');
    expect(new URL((await browser.authorize({ prompt: 'none' })).url).searchParams.get('error')).toBe('login_required');
    expect((await registry.actions()).at(-1)).toBe('identity.signOut');
  });

  test('requested by another page needs the person to confirm, and an invalid request signs no one out', async () => {
    await using registry = await testRegistry();
    const [browser, bill] = [browserAt(registry.origin), browserAt(registry.origin)];
    const { id_token } = await browser.signIn(registry, 'corin');
    const foreign = await bill.signIn(registry, 'bill');
    const end = (query: Record<string, string>) => browser.open(`/oidc/session/end?${new URLSearchParams(query).toString()}`);
    const plain = await end({});
    expect(plain.text).not.toContain('data-send');
    expect(plain.text).toContain('Do you want to log out');
    expect((await end({ id_token_hint: foreign.id_token })).text).not.toContain('data-send');
    expect((await end({ id_token_hint: 'garbage' })).status).toBe(400);
    expect((await end({ id_token_hint: id_token, post_logout_redirect_uri: 'https://evil.example/' })).status).toBe(400);
    expect(
      (await browser.open('/oidc/session/end/confirm', { method: 'POST', body: new URLSearchParams({ logout: 'yes', xsrf: 'x' }) })).status,
    ).toBe(400);
    expect((await fetchCaller(registry.origin, id_token)).status).toBe(200);
    expect((await browser.send(await end({}))).text).toContain('You’re logged out');
    expect((await fetchCaller(registry.origin, id_token)).status).toBe(401);
  });

  test('everywhere ends the bearer and the session at the provider', async () => {
    await using registry = await testRegistry();
    const browser = browserAt(registry.origin);
    const { id_token } = await browser.signIn(registry, 'corin');
    await registry.db.change({ action: 'test.end', summary: 'Ended', traceId: '0'.repeat(32) }, change =>
      endSessions(change, 'login-corin', 'test'),
    );
    await expect.poll(async () => (await fetchCaller(registry.origin, id_token)).status, { timeout: 1000, interval: 10 }).toBe(401);
    expect(new URL((await browser.authorize({ prompt: 'none' })).url).searchParams.get('error')).toBe('login_required');
  });
});

describe.each(kinds)('on the %s database', kind => {
  test('a code is redeemed once by twenty concurrent calls', async () => {
    await using registry = await testRegistry(kind);
    const browser = browserAt(registry.origin);
    const started = await browser.authorize();
    const done = await browser.send(started, { username: 'bill', password: 'demo-registry-bill' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.redeem(done.url, started.verifier)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expect(await answer.json()).toMatchObject({ error: 'invalid_grant' });
  });

  test.each([2, 20])('a code that is used %i times concurrently ends its session and leaves one line', async times => {
    await using registry = await testRegistry(kind);
    const browser = browserAt(registry.origin);
    const started = await browser.authorize();
    const done = await browser.send(started, { username: 'bill', password: 'demo-registry-bill' });
    const answers = await Promise.all(Array.from({ length: times }, () => browser.redeem(done.url, started.verifier)));
    for (const answer of answers.filter(({ status }) => status === 200)) {
      const { id_token } = (await answer.json()) as { id_token: string };
      await expect.poll(async () => (await fetchCaller(registry.origin, id_token)).status, { timeout: 1000, interval: 10 }).toBe(401);
    }
    expect(new URL((await browser.authorize({ prompt: 'none' })).url).searchParams.get('error')).toBe('login_required');
    expect((await registry.actions()).filter(action => action === 'identity.codeReused')).toHaveLength(1);
  });

  test('no answer to a code is sent before the database has stored the tokens', async () => {
    await using registry = await testRegistry(kind);
    const browser = browserAt(registry.origin);
    const started = await browser.authorize();
    const done = await browser.send(started, { username: 'bill', password: 'demo-registry-bill' });
    const refusing = (what: string) => sql.raw(`alter table oidc_payload ${what}`).execute(registry.db.unrecorded);
    await refusing(`add constraint full_disk check (model <> 'AccessToken')`);
    const refused = await browser.redeem(done.url, started.verifier);
    expect(refused.status).toBe(500);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(await refused.json()).toEqual({ error: 'server_error' });
    // Nothing has happened, so the portal may retry.
    await refusing('drop constraint full_disk');
    expect((await browser.redeem(done.url, started.verifier)).status).toBe(200);
  });
});

test('a code used again later ends the session it was given in', async () => {
  await using registry = await testRegistry();
  const browser = browserAt(registry.origin);
  const started = await browser.authorize();
  const done = await browser.send(started, { username: 'bill', password: 'demo-registry-bill' });
  const { id_token } = (await (await browser.redeem(done.url, started.verifier)).json()) as { id_token: string };
  expect((await browser.redeem(done.url, started.verifier)).status).toBe(400);
  expect(new URL((await browser.authorize({ prompt: 'none' })).url).searchParams.get('error')).toBe('login_required');
  await expect.poll(async () => (await fetchCaller(registry.origin, id_token)).status, { timeout: 1000, interval: 10 }).toBe(401);
});

test("a foreign Host header never appears in the provider's metadata", async () => {
  await using registry = await testRegistry();
  const { port } = new URL(registry.origin);
  for (const path of ['/oidc/.well-known/openid-configuration', '/.well-known/oauth-authorization-server/oidc']) {
    const ask = (headers: Record<string, string>) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        http
          .get({ host: '127.0.0.1', port, path, headers }, answer => {
            let text = '';
            answer
              .setEncoding('utf8')
              .on('data', (part: string) => (text += part))
              .on('end', () => resolve({ status: answer.statusCode!, text }));
          })
          .on('error', reject);
      });
    const own = await ask({ host: `localhost:${port}` });
    expect(own.status).toBe(200);
    expect(JSON.parse(own.text)).toMatchObject({
      issuer: `${registry.origin}/oidc`,
      token_endpoint: `${registry.origin}/oidc/token`,
      check_session_iframe: `${registry.origin}/oidc/session/check`,
    });
    expect((await ask({ host: `localhost:${port}`, 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' })).text).toBe(
      own.text,
    );
    expect((await ask({ host: 'evil.example' })).text).not.toContain('http://evil.example');
  }
});

// The check of the host is the platform's; the provider must be right without it.
test('the provider names its own address whatever host it is asked under', async () => {
  await using registry = await testRegistry();
  const server = http.createServer((request, response) => registry.identity.middleware(request, response)).listen(0, '127.0.0.1');
  try {
    await new Promise(resolve => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const text = await (await fetch(`http://127.0.0.1:${port}/oidc/.well-known/openid-configuration`)).text();
    expect(text).not.toContain(`:${port}`);
    expect(JSON.parse(text)).toMatchObject({ authorization_endpoint: `${registry.origin}/oidc/auth` });
  } finally {
    server.close();
  }
});

test('the endpoints that the portal knows are those of the metadata', async () => {
  await using registry = await testRegistry();
  const metadata: unknown = await (await fetch(`${registry.origin}/oidc/.well-known/openid-configuration`)).json();
  expect(metadata).toMatchObject(ownEndpoints(`${registry.origin}/oidc`));
});

test('only a script of the portal gets a redirect of the provider as data', async () => {
  await using registry = await testRegistry();
  const ask = new URL(ownEndpoints(`${registry.origin}/oidc`).authorization_endpoint);
  ask.search = String(
    new URLSearchParams({
      client_id: 'portal',
      redirect_uri: `${registry.origin}/silent-renew-oidc.html`,
      response_type: 'code',
      scope: 'openid',
      prompt: 'none',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    }),
  );
  const answer = (headers: Record<string, string>) => fetch(ask, { headers, redirect: 'manual' });
  const asData = await answer({ accept: redirectAsJson, 'sec-fetch-site': 'same-origin' });
  expect([asData.status, asData.headers.get('location'), asData.headers.get('cache-control')]).toEqual([200, null, 'no-store']);
  const { location } = (await asData.json()) as { location: string };
  expect([location.replace(/\?.*/, ''), new URL(location).searchParams.get('error')]).toEqual([
    `${registry.origin}/silent-renew-oidc.html`,
    'login_required',
  ]);
  for (const headers of [{ accept: redirectAsJson, 'sec-fetch-site': 'cross-site' }, { accept: redirectAsJson }, { accept: '*/*' }])
    expect((await answer(headers as Record<string, string>)).status).toBe(303);

  // Where a sign-in begins, with the token of its form: the form of that page carries the same.
  ask.searchParams.delete('prompt');
  const begins = await answer({ accept: redirectAsJson, 'sec-fetch-site': 'same-origin' });
  const { signIn, location: form } = (await begins.json()) as RedirectAsJson;
  expect(form).toBe(`/sign-in/${signIn!.uid}`);
  const cookie = begins.headers
    .getSetCookie()
    .map(each => each.replace(/;.*/, ''))
    .join('; ');
  const page = await (await fetch(`${registry.origin}${form}`, { headers: { cookie } })).text();
  expect(page).toContain(`name="csrf" value="${signIn!.csrf}"`);
});

test("the provider's metadata are identical for every page that asks", async () => {
  await using registry = await testRegistry();
  const metadataAt = async (path: string, origin: string | null) => {
    const answer = await fetch(`${registry.origin}${path}`, { headers: origin === null ? {} : { origin } });
    const { date: _date, ...headers } = Object.fromEntries(answer.headers);
    return { status: answer.status, headers, body: (await answer.json()) as object };
  };
  for (const path of ['/oidc/.well-known/openid-configuration', '/oidc/.well-known/oauth-authorization-server', '/oidc/jwks']) {
    const first = await metadataAt(path, null);
    expect(first.headers).toMatchObject({ 'access-control-allow-origin': '*', vary: 'Origin' });
    expect(await metadataAt(path, null)).toEqual(first);
    const origin = 'https://elsewhere.example';
    expect(await metadataAt(path, origin)).toEqual({ ...first, headers: { ...first.headers, 'access-control-allow-origin': origin } });
    expect((await fetch(`${registry.origin}${path}`, { method: 'HEAD' })).headers.get('content-length')).toBe(
      first.headers['content-length'],
    );
  }
});

describe.runIf(kinds.includes('postgres'))('two web processes on one PostgreSQL', () => {
  test('share sessions, and both refuse a bearer as soon as it is ended in one', async () => {
    await using first = await testRegistry('postgres');
    await using second = await first.another();
    const browser = browserAt(first.origin);
    const { id_token } = await browser.signIn(first, 'corin');
    expect((await fetchCaller(second.origin, id_token)).status).toBe(200);
    const asked = await browser.open(`/oidc/session/end?id_token_hint=${id_token}`);
    await browser.send(asked);
    expect((await fetchCaller(first.origin, id_token)).status).toBe(401);
    await expect.poll(async () => (await fetchCaller(second.origin, id_token)).status, { timeout: 500, interval: 5 }).toBe(401);
  });

  test('redeem a code once, for one of twenty concurrent calls to both', async () => {
    await using first = await testRegistry('postgres');
    await using second = await first.another();
    const browser = browserAt(first.origin);
    const started = await browser.authorize();
    const { url } = await browser.send(started, { username: 'bill', password: 'demo-registry-bill' });
    const elsewhere = browserAt(second.origin, { appUrl: first.origin });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? browser : elsewhere).redeem(url, started.verifier)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 19 }, () => 400)]);
    // The tokens of the others were never stored.
    const tokens = await first.db.read.selectFrom('oidcPayload').select('id').where('model', '=', 'AccessToken').execute();
    expect(tokens.length).toBeLessThanOrEqual(1);
  });

  test('a process that can’t listen to the others asks the database at every call', async () => {
    await using first = await testRegistry('postgres');
    await using second = await first.another();
    const { id_token } = await browserAt(first.origin).signIn(first, 'corin');
    expect((await fetchCaller(second.origin, id_token)).status).toBe(200);
    // Every listening connection of the second process dies, and the end of the session with it.
    let lost = false;
    second.db.onListening(listening => {
      if (listening) return;
      lost = true;
    });
    await first.db.change({ action: 'test.end', summary: 'Ended', traceId: '0'.repeat(32) }, async change => {
      await endSessions(change, 'login-corin', 'test');
      // At the last moment, so that the second process can't listen again before this commits.
      await change.rows(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'`,
      );
    });
    await expect.poll(() => lost, { timeout: 2000, interval: 1 }).toBe(true);
    expect((await fetchCaller(second.origin, id_token)).status).toBe(401);
  });
});
