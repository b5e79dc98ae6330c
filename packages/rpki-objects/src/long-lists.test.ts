import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cryptography, keyOf, now, signed } from '../test/small-authority.ts';
import { serialKey } from './crl.ts';
import { assembleSigned, decodeCrl, encodeCrlToBeSigned, parsePublication, printBase64, ProfileError } from './index.ts';

const key = keyOf();
const day = 86_400_000;
type Revoked = { serial: bigint; revokedAt: Date };

/** A CRL with these entries, rewritten as given: by others of the same length. */
function crlOf(revoked: readonly Revoked[], rewrite: (text: string) => string = text => text) {
  const made = encodeCrlToBeSigned({
    issuer: key.name,
    authorityKeyId: key.keyId,
    number: 7n,
    thisUpdate: now,
    nextUpdate: new Date(+now + day),
    revoked,
  });
  const toBeSigned = new Uint8Array(Buffer.from(rewrite(Buffer.from(made).toString('latin1')), 'latin1'));
  return assembleSigned(toBeSigned, signed(key, toBeSigned));
}
const at = (iso: string): Date => new Date(iso);

test('every serial number of a long list is found, and no other, whatever its length and its time', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.bigInt({ min: 0n, max: (1n << 159n) - 1n }), { minLength: 1, maxLength: 40 }),
      fc.date({ min: at('1951-01-01T00:00:00Z'), max: at('2060-12-31T23:59:59Z'), noInvalidDate: true }),
      (serials, date) => {
        const revokedAt = new Date(Math.floor(+date / 1000) * 1000);
        const crl = decodeCrl(crlOf(serials.map(serial => ({ serial, revokedAt }))));
        expect(crl.revokedSerials).toEqual(new Set(serials.map(serialKey)));
        expect(crl.revoked).toEqual(serials.toSorted((a, b) => (a < b ? -1 : 1)).map(serial => ({ serial, revokedAt })));
        for (const serial of serials) expect(crl.revokedSerials.has(serialKey(serial + 1n))).toBe(serials.includes(serial + 1n));
      },
    ),
  );
});

test('the last days of months are times like others, and days that a month does not have are refused', () => {
  const days = ['2024-02-29', '2025-01-31', '2025-04-30', '2025-12-31'].map((date, index) => ({
    serial: BigInt(index + 1),
    revokedAt: at(`${date}T10:00:00Z`),
  }));
  expect(decodeCrl(crlOf(days)).revoked).toEqual(days);
  for (const wrong of ['250229', '250431', '251301', '250100'])
    expect(() => decodeCrl(crlOf([{ serial: 1n, revokedAt: at('2025-05-05T10:00:00Z') }], text => text.replace('250505', wrong)))).toThrow(
      'time of revocation is not a time with seconds, in UTC',
    );
});

test('an entry that is not in DER is refused, wherever it stands in the list', () => {
  const entries = Array.from({ length: 9 }, (_, index) => ({ serial: 0x51n + BigInt(index), revokedAt: at('2025-05-05T10:00:00Z') }));
  for (const [from, to, says] of [
    ['\x02\x01\x55', '\x02\x01\xd5', 'serial number is negative'],
    ['\x02\x01\x55', '\x02\x00\x55', 'serial number has no digits'],
    ['\x02\x01\x55', '\x04\x01\x55', 'revoked certificate has no serial number where it belongs'],
    ['\x30\x12\x02\x01\x55', '\x31\x12\x02\x01\x55', 'revoked certificates has no revoked certificate where it belongs'],
  ] as const)
    expect(() =>
      decodeCrl(
        crlOf(entries, text => text.replace(from, to)),
        () => {},
      ),
    ).toThrow(says);
});

test('serial numbers in another order, or one twice, are a form of others', () => {
  const revokedAt = at('2025-05-05T10:00:00Z');
  const entries = [0x51n, 0x52n, 0x53n].map(serial => ({ serial, revokedAt }));
  const swapped = crlOf(entries, text => text.replace('\x02\x01\x51', '\x02\x01\x54'));
  const twice = crlOf(entries, text => text.replace('\x02\x01\x51', '\x02\x01\x52'));
  expect(() => decodeCrl(swapped)).toThrow('in another order');
  expect(() => decodeCrl(twice)).toThrow('revokes a certificate twice');
  const hints: string[] = [];
  expect(decodeCrl(swapped, hint => void hints.push(hint)).revokedSerials).toEqual(new Set([0x54n, 0x52n, 0x53n].map(serialKey)));
  expect(hints).toEqual(['The CRL lists serial numbers or extensions in another order']);
});

const message = (inside: string): string =>
  `<msg xmlns="http://www.hactrn.net/uris/rpki/publication-spec/" version="4" type="query">${inside}</msg>`;
const long = printBase64(cryptography.sha256(new Uint8Array(1)).slice(0, 30)).repeat(100);
const publish = (text: string): string => message(`<publish tag="a" uri="rsync://rpki.example/a.roa">${text}</publish>`);
const contentOf = (source: string): string => {
  const query = parsePublication(source);
  if (query.kind !== 'changes' || query.changes[0]?.kind !== 'publish') throw new Error('It publishes nothing');
  return printBase64(query.changes[0].content);
};

test('a long file in a message is the same in one line, in many, beside a comment and with character references', () => {
  for (const text of [
    long,
    long.replaceAll(/.{64}/g, '$&\n'),
    long.replaceAll(/.{64}/g, '$&\r\n'),
    `\n\t ${long} \n`,
    `${long.slice(0, 400)}<!-- >${long}< -->${long.slice(400)}`,
    `${long.slice(0, 400)}&#65;${long.slice(401)}`.replace('&#65;', `&#${long.charCodeAt(400)};`),
  ])
    expect(contentOf(publish(text))).toBe(long);
});

test('long text where none belongs is refused, however the parser is given it', () => {
  for (const source of [
    `>${long}<`,
    `${publish('AA==')}${long}`,
    `<?xml version="1.0"?>${long}${publish('AA==')}`,
    `<?xml version=">${long}<"?>${publish('AA==')}`,
    message(`<publish tag=">${long}</publish>`),
    message(`<publish tag="a" uri=">${long}<">AA==</publish>`),
    message(`&a>${long}<b/>;`),
    message(`<?a >${long}<?>`),
    message(`<![CDATA[>${long}<]]>`),
    publish(`${long}<a/>`),
    publish(long).replace('</msg>', ''),
    publish(`${long}]]>`),
    publish(`${long}é`),
  ])
    expect(() => parsePublication(source), source.slice(0, 150)).toThrow(ProfileError);
});
