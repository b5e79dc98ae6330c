import { DAY_MS } from '@portal/contract/days';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { dataSubjects } from '../../platform/kept-data.ts';
import { SESSION_MEMORY_DAYS } from '../identity/sessions/sessions.ts';
import { securityTxt } from './security-txt.ts';

describe('security.txt', () => {
  const profile = { securityEmail: 'security@registry.example', securityPolicyUrl: '' };
  const appUrl = 'https://my.registry.example';
  test('has the fields of RFC 9116, and counts for 90 days from today', () =>
    expect(securityTxt({ appUrl, profile, now: new Date('2026-11-27T05:13:00Z') })).toBe(
      [
        'Contact: mailto:security@registry.example',
        'Expires: 2027-02-25T00:00:00.000Z',
        'Preferred-Languages: en',
        'Canonical: https://my.registry.example/.well-known/security.txt',
        '',
      ].join('\n'),
    ));
  test('names the policy where the registry has one', () =>
    expect(
      securityTxt({ appUrl, profile: { ...profile, securityPolicyUrl: 'https://registry.example/security' }, now: new Date(DAY_MS) }),
    ).toContain('\nPolicy: https://registry.example/security\n'));
});

describe.each(kindsForRules)('public pages on %s', kind => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await testPortal(kind);
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const get = (url: string, headers: Record<string, string> = {}) =>
    portal.http.inject({ url, headers: { host: 'portal.test', ...headers } });

  test('anyone reads where to report a security problem, as text', async () => {
    const { statusCode, headers, body } = await get('/.well-known/security.txt');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(body).toMatch(/^Contact: mailto:\S+\nExpires: \d{4}-\d\d-\d\dT/);
    expect(headers['set-cookie']).toBeUndefined();
  });

  test.each(['/whois', '/irt-validation', '/checklists', '/certificates'])('%s leads to all public pages, and to sign-in', async url => {
    const { body } = await get(url);
    const [, ways] = /<nav[^>]* aria-label="Public pages">(.*?)<\/nav>/s.exec(body)!;
    expect([...ways!.matchAll(/href="(\/\w+)"/g)].map(([, path]) => path)).toEqual(['/whois', '/numbers', '/status', '/help']);
    expect(body).toMatch(/href="(?:http:\/\/portal\.test)?\/"[^>]*>Sign in<\/a>/);
  });

  test('the foot of public pages leads to the accessibility statement and to security.txt', async () => {
    const { body } = await get('/whois');
    expect(body).toContain('href="/accessibility"');
    expect(body).toContain('href="/privacy"');
    expect(body).toContain('href="/.well-known/security.txt"');
    expect(body).toContain('<a href="/help/join">Become a member</a>');
  });

  test('search engines are asked to leave calls and sign-in alone, and may read public pages', async () => {
    const { statusCode, body } = await get('/robots.txt');
    expect(statusCode).toBe(200);
    expect(body).toMatch(/^User-agent: \*\nDisallow: \/api\/\n/);
    expect(body).not.toMatch(/^Disallow: \/(whois|numbers|status|help|accessibility|privacy)?$/m);
  });

  test('the accessibility statement names the level, and is kept by its ETag', async () => {
    const { statusCode, headers, body } = await get('/accessibility');
    expect(statusCode).toBe(200);
    expect(body).toContain('level AA');
    expect(body).not.toContain('noindex');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['cache-control']).toBe('public, max-age=86400');
    const again = await get('/accessibility', { 'if-none-match': String(headers['etag']) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await get('/accessibility', { 'if-none-match': 'W/"other"' })).statusCode).toBe(200);
  });

  test('the privacy page says for all kinds of people which data is kept and until when', async () => {
    const { statusCode, headers, body } = await get('/privacy');
    expect(statusCode).toBe(200);
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['cache-control']).toBe('public, max-age=86400');
    for (const [subject, title] of Object.entries(dataSubjects)) expect(body).toContain(`<h2 id="${subject}">${title}</h2>`);
    expect(body).toContain(`${SESSION_MEMORY_DAYS} days after a session ended`);
  });
});
