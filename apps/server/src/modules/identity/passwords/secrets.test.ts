import { SECOND_MS } from '@portal/contract/days';
import fc from 'fast-check';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { html } from '../../../platform/http/html.ts';
import { hashPassword, verifyPassword } from '../logins/password.ts';
import { openSecretBox } from '../../../platform/secret-box.ts';
import { codeOf, secondsLeft, stepAt, stepOf } from '../factors/totp.ts';

const codeAt = (secret: Uint8Array, at: Date) => codeOf(secret, stepAt(at));

describe('a password', () => {
  test('is stored as argon2id in the PHC format, each with its own salt', async () => {
    const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(two);
    expect(await verifyPassword(one, 'correct horse')).toEqual({ matches: true, outdated: false });
    expect(await verifyPassword(one, 'correct Horse')).toEqual({ matches: false, outdated: false });
  });

  test('matches however its letters were composed', async () => {
    expect(await verifyPassword(await hashPassword('Zoë'), 'Zoe\u0308')).toMatchObject({ matches: true });
  });

  test('of an unknown name never matches', async () => {
    expect(await verifyPassword(null, '')).toEqual({ matches: false, outdated: false });
  });

  test('hashed with weaker parameters matches and is reported as outdated', async () => {
    // The reference program: echo -n password | argon2 somesalt12345678 -id -k 19456 -t 2 -p 1 -l 32
    const { argon2Sync } = await import('node:crypto');
    const nonce = Buffer.from('somesalt12345678');
    const tag = argon2Sync('argon2id', { message: 'password', nonce, memory: 1024, passes: 2, parallelism: 1, tagLength: 32 });
    const encode = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
    const phc = `$argon2id$v=19$m=1024,t=2,p=1$${encode(nonce)}$${encode(tag)}`;
    expect(await verifyPassword(phc, 'password')).toEqual({ matches: true, outdated: true });
    expect(await verifyPassword(phc, 'passwort')).toEqual({ matches: false, outdated: false });
  });
});

describe('a one-time code', () => {
  const secret = new TextEncoder().encode('12345678901234567890');

  test.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('at %i s is that of RFC 6238, appendix B', (seconds, code) => {
    expect(codeAt(secret, new Date(seconds * SECOND_MS))).toBe(code);
  });

  test('is accepted up to one step early or late, and names its step', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 4_000_000_000 }), fc.integer({ min: -4, max: 4 }), (seconds, off) => {
        const at = new Date(seconds * SECOND_MS);
        const code = codeAt(secret, new Date((seconds + off * 30) * 1000));
        const near = [-1, 0, 1].some(step => codeAt(secret, new Date((seconds + step * 30) * 1000)) === code);
        expect(stepOf(secret, code, at) !== null).toBe(near);
        if (Math.abs(off) <= 1) expect(codeAt(secret, new Date(stepOf(secret, code, at)! * 30_000))).toBe(code);
      }),
    );
  });

  test('is shown until the end of its half minute', () => {
    expect([0, 1, 29, 30].map(seconds => secondsLeft(new Date(seconds * SECOND_MS)))).toEqual([30, 29, 1, 30]);
  });

  test('agrees with an authenticator app', () => {
    const app = new TOTP({ secret: Secret.fromBase32('DEMOREGISTRYCORINDEMOREGISTRYCOR') });
    expect(codeAt(Secret.fromBase32('DEMOREGISTRYCORINDEMOREGISTRYCOR').bytes, new Date(1_795_000_000_000))).toBe(
      app.generate({ timestamp: 1_795_000_000_000 }),
    );
  });

  test.each(['', '12345', '1234567', 'abcdef', '12 345', '１２３４５６'])('is not "%s"', text => {
    expect(stepOf(secret, text, new Date())).toBeNull();
  });
});

describe('a sealed secret', () => {
  const old = { secretKey: 'the old key, at least 32 characters long', secretKeyOld: '' };
  const current = { secretKey: 'the new key, at least 32 characters long', secretKeyOld: old.secretKey };

  test('opens with the key it was sealed with, also when that is the old one', () => {
    const sealed = openSecretBox(old).seal('totp corin', 'secret');
    expect(sealed.toString('latin1')).not.toContain('secret');
    expect(openSecretBox(current).open('totp corin', sealed).toString()).toBe('secret');
    expect(() => openSecretBox({ ...current, secretKeyOld: '' }).open('totp corin', sealed)).toThrow('set SECRET_KEY_OLD');
  });

  test('is resealed once with the present key, and the old one is not needed any more', () => {
    const anew = openSecretBox(current).reseal('totp corin', openSecretBox(old).seal('totp corin', 'secret'))!;
    expect(
      openSecretBox({ ...current, secretKeyOld: '' })
        .open('totp corin', anew)
        .toString(),
    ).toBe('secret');
    expect(openSecretBox(current).reseal('totp corin', anew)).toBeNull();
    expect(() => openSecretBox(current).reseal('totp bill', anew)).toThrow('set SECRET_KEY_OLD');
  });

  test('doesn’t open under another name, or with a changed bit', () => {
    const box = openSecretBox(current);
    const sealed = box.seal('totp corin', 'secret');
    expect(() => box.open('totp bill', sealed)).toThrow();
    fc.assert(
      fc.property(fc.nat(sealed.length * 8 - 1), bit => {
        const changed = Buffer.from(sealed);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        expect(() => box.open('totp corin', changed)).toThrow();
      }),
    );
  });
});

test('no text becomes markup', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      const { markup } = html`<p title="${text}">${[text, html`<b>${text}</b>`]}</p>`;
      expect(markup.match(/[<>]/g)!.join('')).toBe('<><><><>');
      expect(markup.match(/"/g)).toHaveLength(2);
    }),
  );
});
