import { type NumberResource, parsePrefix, parseResource, prefixAt, resourceSetOf } from '@portal/number-resources';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyPrefix, anyRange } from '../../number-resources/arbitrary.ts';
import { cryptography, day, keyOf, now, signed, smallAuthority } from '../test/small-authority.ts';
import {
  allResources,
  type Certificate,
  decodeAspa,
  decodeCertificate,
  decodeChecklist,
  decodeCrl,
  decodeManifest,
  decodeRoa,
  decodeSignedObject,
  encodeAspa,
  encodeCertificate,
  encodeCertificateToBeSigned,
  encodeChecklist,
  encodeCrlToBeSigned,
  encodeManifest,
  encodeRoa,
  assembleSigned,
  validateAuthority,
  validateChecklist,
  validateRepository,
  parseBase64,
  parseHex,
  parseTal,
  printBase64,
  printBase64Url,
  printHex,
  printTal,
  ProfileError,
} from './index.ts';
import { element, integer, leadingBits, octetString, sequence, tags } from './der-writer.ts';
import { decodeResources, encodeAddressBlocks, encodeAsIdentifiers } from './resources.ts';

const [taKey, otherKey, oneKey] = [keyOf(), keyOf(), keyOf()];
const setOf = (...texts: string[]) => resourceSetOf(texts.map(parseResource));

const anyAsRange: fc.Arbitrary<NumberResource> = fc
  .tuple(fc.nat(4294967295), fc.nat(4294967295))
  .map(([a, b]) => ({ family: 'asn', first: Math.min(a, b), last: Math.max(a, b) }));
const anyResources = fc
  .array(fc.oneof(anyRange as fc.Arbitrary<NumberResource>, anyPrefix as fc.Arbitrary<NumberResource>, anyAsRange), {
    minLength: 1,
    maxLength: 12,
  })
  .map(resourceSetOf);

test('any set of resources is encoded in canonical form and decoded to itself', () => {
  fc.assert(
    fc.property(anyResources, resources => {
      expect(decodeResources(encodeAddressBlocks(resources), encodeAsIdentifiers(resources))).toEqual(resources);
    }),
    { numRuns: 500 },
  );
});

test('the examples of RFC 3779, appendix B, are encoded as in the RFC', () => {
  const addresses = setOf('10.0.32.0/20', '10.0.64.0/24', '10.1.0.0/16', '10.2.48.0 - 10.2.64.255', '10.3.0.0/16');
  const ranges = ['0304040a0020', '0304000a0040', '0303000a01', '300c', '0304040a0230', '0304000a0240', '0303000a03'].join('');
  // Without the SAFI of the example, which the profile of certificates does not allow (RFC 6487, section 4.8.10).
  expect(printHex(encodeAddressBlocks(addresses)!)).toBe(`302c302a040200013024${ranges}`);
  const numbers = encodeAsIdentifiers(setOf('AS135', 'AS3000 - AS3999', 'AS5001'))!;
  expect(printHex(numbers)).toBe(`3016a0143012${['02020087', '300802020bb802020f9f', '02021389'].join('')}`);
});

const ipv4Block = (...ranges: Uint8Array[]) => sequence(sequence(octetString(Uint8Array.of(0, 1)), sequence(...ranges)));
const bits = (address: string, length: number) => leadingBits(parsePrefix(`${address}/${length}`).first, 32, length);

test.each([
  ['adjacent prefixes that could be one', ipv4Block(bits('10.0.0.0', 9), bits('10.128.0.0', 9))],
  ['prefixes out of order', ipv4Block(bits('11.0.0.0', 8), bits('9.0.0.0', 8))],
  ['a prefix written as a range', ipv4Block(sequence(bits('10.0.0.0', 8), bits('10.0.0.0', 8)))],
  ['a family without addresses', ipv4Block()],
])('%s are refused', (_, bytes) => {
  expect(() => decodeResources(bytes, null)).toThrow(ProfileError);
});

test('bytes print as hexadecimal and base64, and are read from them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), bytes => {
      expect(parseHex(printHex(bytes))).toEqual(bytes);
      expect(parseBase64(printBase64(bytes))).toEqual(bytes);
      expect(printBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
      expect(printBase64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
    }),
  );
});

const anyRoaPrefix = anyPrefix.chain(prefix =>
  fc.integer({ min: prefix.length, max: prefix.family === 'ipv4' ? 32 : 128 }).map(maxLength => ({ prefix, maxLength })),
);

test('a ROA is decoded to its prefixes in order, and its order is independent of how it was given', () => {
  fc.assert(
    fc.property(fc.nat(4294967295), fc.array(anyRoaPrefix, { minLength: 1, maxLength: 8 }), (asNumber, prefixes) => {
      const encoded = encodeRoa({ asNumber, prefixes });
      const decoded = decodeRoa(encoded);
      expect(decoded.asNumber).toBe(asNumber);
      expect(encodeRoa({ asNumber, prefixes: [...prefixes].reverse() })).toEqual(encoded);
      for (const each of prefixes) expect(decoded.prefixes).toContainEqual(each);
    }),
  );
});

const roaContent = (...parts: Uint8Array[]) => sequence(...parts);
const roaOf = (...prefixes: Uint8Array[]) => sequence(sequence(octetString(Uint8Array.of(0, 1)), sequence(...prefixes)));
const ten = bits('10.0.0.0', 8);

test.each([
  ['a version written out', roaContent(element(tags.context(0), integer(0)), integer(64500), roaOf(sequence(ten)))],
  ['a maximum length that repeats the prefix length', roaContent(integer(64500), roaOf(sequence(ten, integer(8))))],
  ['a maximum length below the prefix length', roaContent(integer(64500), roaOf(sequence(ten, integer(7))))],
  ['prefixes out of order', roaContent(integer(64500), roaOf(sequence(bits('11.0.0.0', 8)), sequence(ten)))],
  ['a prefix twice', roaContent(integer(64500), roaOf(sequence(ten), sequence(ten)))],
  ['something after its prefixes', roaContent(integer(64500), roaOf(sequence(ten)), integer(1))],
])('a ROA with %s is refused', (_, content) => {
  expect(decodeRoa(roaContent(integer(64500), roaOf(sequence(ten)))).prefixes).toHaveLength(1);
  expect(() => decodeRoa(content)).toThrow(ProfileError);
});

test('a maximum length outside the family or below the prefix is never encoded', () => {
  const prefix = parsePrefix('10.0.0.0/16');
  expect(() => encodeRoa({ asNumber: 64500, prefixes: [{ prefix, maxLength: 15 }] })).toThrow(/maximum length 15/);
  expect(() => encodeRoa({ asNumber: 64500, prefixes: [{ prefix, maxLength: 33 }] })).toThrow(/maximum length 33/);
  expect(() => encodeRoa({ asNumber: 64500, prefixes: [] })).toThrow(/needs a prefix/);
});

test('an ASPA lists providers once, in order, and AS0 only alone', () => {
  expect(decodeAspa(encodeAspa({ customer: 64500, providers: [65550, 64499, 64501] }))).toEqual({
    customer: 64500,
    providers: [64499, 64501, 65550],
  });
  expect(decodeAspa(encodeAspa({ customer: 64500, providers: [0] })).providers).toEqual([0]);
  for (const providers of [[], [0, 64501], [64500], [64501, 64501]])
    expect(() => encodeAspa({ customer: 64500, providers })).toThrow(RangeError);
  expect(() => decodeAspa(parseHex('3012' + 'a003020101' + '020300fbf4' + '3006' + '020100' + '020101'))).toThrow(/AS0/);
});

test('a checklist keeps names and hashes, and refuses names that are not portable or occur twice', () => {
  const sha256 = cryptography.sha256(Buffer.from('letter'));
  const resources = setOf('192.0.2.0/24', 'AS64500');
  const files = [
    { name: 'letter.pdf', sha256 },
    { name: null, sha256 },
  ];
  expect(decodeChecklist(encodeChecklist({ resources, files }))).toEqual({ resources, files });
  for (const name of ['a b', 'über.pdf', 'x/y'])
    expect(() => encodeChecklist({ resources, files: [{ name, sha256 }] })).toThrow(RangeError);
  expect(() => encodeChecklist({ resources, files: [files[0]!, files[0]!] })).toThrow(/once/);
  expect(() => encodeChecklist({ resources, files: [] })).toThrow(/at least one/);
});

test('a trust anchor locator is read as it was printed', () => {
  const uris = ['https://rpki.example/rpki/ta.cer', 'rsync://rpki.example/repository/ta.cer'];
  const tal = { comments: ['Example Registry'], uris, publicKey: taKey.publicKey };
  const file = printTal(tal);
  expect(file.split('\n').every(line => line.length <= 64)).toBe(true);
  expect(parseTal(file)).toEqual({ ...tal, publicKey: new Uint8Array(taKey.publicKey) });
  expect(() => printTal({ ...tal, uris: [uris[0]!, 'rsync://rpki.example/repository/other.cer'] })).toThrow(/same file name/);
  expect(() => parseTal(file.replace('\n\n', '\n'))).toThrow(ProfileError);
});

test('a certificate of each kind is decoded to what was encoded', () => {
  const common = {
    serial: 0xff00n,
    issuer: taKey.name,
    subject: oneKey.name,
    notBefore: now,
    notAfter: new Date('2051-01-01T00:00:00Z'),
    publicKey: oneKey.publicKey,
    subjectKeyId: oneKey.keyId,
    resources: setOf('10.0.0.0/8', '2001:db8::/33', 'AS64496 - AS64511'),
  };
  const issued = {
    authorityKeyId: taKey.keyId,
    crlUri: 'rsync://a.example/r/x.crl',
    issuerUri: 'rsync://a.example/ta.cer',
    policyUri: null,
  };
  const publishing = {
    repositoryUri: 'rsync://a.example/r/',
    manifestUri: 'rsync://a.example/r/x.mft',
    notificationUri: 'https://a.example/n.xml',
  };
  const all: Certificate[] = [
    { kind: 'trust-anchor', ...common, subject: common.issuer, ...publishing },
    { kind: 'authority', ...common, ...publishing, ...issued },
    { kind: 'authority', ...common, ...publishing, notificationUri: null, ...issued, policyUri: 'https://a.example/cps' },
    { kind: 'object', ...common, ...issued, objectUri: 'rsync://a.example/r/x.roa' },
    { kind: 'object', ...common, resources: 'inherit', ...issued, objectUri: 'rsync://a.example/r/x.mft' },
    { kind: 'checklist', ...common, ...issued },
  ];
  for (const certificate of all) {
    const bytes = encodeCertificate(certificate, signed(taKey, encodeCertificateToBeSigned(certificate)));
    expect(decodeCertificate(bytes)).toMatchObject(certificate);
    // Node reads it too, by code that is not ours.
    expect(() => new (process.getBuiltinModule('node:crypto').X509Certificate)(bytes)).not.toThrow();
  }
});

test('no byte of a certificate, CRL or object can be changed without being noticed', () => {
  const ta = smallAuthority(taKey);
  const prefix = parsePrefix('192.0.2.0/24');
  const uri = `${ta.repositoryUri}one.roa`;
  ta.put(
    uri,
    ta.object('roa', encodeRoa({ asNumber: 64500, prefixes: [{ prefix, maxLength: 24 }] }), {
      resources: resourceSetOf([prefix]),
      one: oneKey,
      objectUri: uri,
    }),
  );
  ta.finish(otherKey);
  expect(validateRepository(ta.bytes, taKey.publicKey, ta.files, { now, cryptography })).toEqual({
    vrps: [{ asNumber: 64500, prefix, maxLength: 24 }],
    aspas: [],
    problems: [],
    hints: [],
  });
  const names = [...ta.files.keys()];
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.nat(), fc.integer({ min: 1, max: 255 }), (name, at, flip) => {
      const spoilt = Uint8Array.from(ta.files.get(name)!.bytes!);
      spoilt[at % spoilt.length]! ^= flip;
      // With its correct hash, so that the object itself must reveal it.
      const files = new Map(ta.files).set(name, {
        bytes: spoilt,
        sha256: name.endsWith('.mft') ? new Uint8Array(32) : ta.files.get(name)!.sha256,
      });
      for (const level of ['own', 'rfc'] as const)
        expect(validateAuthority(ta.certificate, files, { now, cryptography, level }).problems).not.toEqual([]);
    }),
    { numRuns: 400 },
  );
});

test('an object that a relying party would refuse is found before it is published', () => {
  const prefix = parsePrefix('192.0.2.0/24');
  const content = encodeRoa({ asNumber: 64500, prefixes: [{ prefix, maxLength: 24 }] });
  const problemsAfter = (flaw: (ta: ReturnType<typeof smallAuthority>, uri: string) => void, at = now): string[] => {
    const ta = smallAuthority(taKey, setOf('192.0.0.0/16', 'AS64500'));
    const uri = `${ta.repositoryUri}one.roa`;
    flaw(ta, uri);
    if (!ta.files.has(ta.certificate.manifestUri)) ta.finish(otherKey);
    return validateAuthority(ta.certificate, ta.files, { now: at, cryptography }).problems.map(({ problem }) => problem);
  };
  const put =
    (more: Partial<Parameters<ReturnType<typeof smallAuthority>['object']>[2]>) => (ta: ReturnType<typeof smallAuthority>, uri: string) =>
      ta.put(uri, ta.object('roa', content, { resources: resourceSetOf([prefix]), one: oneKey, objectUri: uri, ...more }));
  expect(problemsAfter(put({}))).toEqual([]);
  expect(problemsAfter(put({ resources: setOf('192.0.3.0/24') }))).toEqual(['The ROA has a prefix that its certificate does not have']);
  expect(problemsAfter(put({ resources: setOf('192.0.2.0/24', '10.0.0.0/8') }))).toEqual([
    'The certificate has resources that its issuer does not have',
  ]);
  expect(problemsAfter(put({ resources: setOf('192.0.2.0/24', 'AS64500') }))).toEqual(['The certificate of the ROA has AS numbers']);
  expect(problemsAfter(put({ resources: 'inherit' }))).toEqual(['Only manifests inherit their resources']);
  expect(problemsAfter(put({ from: new Date(+now + 60_000) }))).toEqual(['The certificate is not valid yet']);
  expect(problemsAfter(put({ to: new Date(+now - 1000) }))).toContain('The certificate has ended');
  expect(problemsAfter(put({ objectUri: 'rsync://rpki.example/repository/ta/two.roa' }))).toEqual([
    'The object says that it is published elsewhere',
  ]);
  expect(problemsAfter((ta, uri) => (put({})(ta, uri), ta.finish(otherKey, [{ serial: 2n, revokedAt: now }])))).toEqual([
    'The certificate is revoked',
  ]);
  expect(problemsAfter((ta, uri) => (put({})(ta, uri), ta.finish(otherKey), ta.files.delete(uri)))).toEqual([
    'The manifest lists one.roa, which is missing',
  ]);
  expect(problemsAfter((ta, uri) => (put({})(ta, uri), ta.finish(otherKey), put({})(ta, uri)))).toEqual([
    'The manifest has another hash of one.roa',
  ]);
  expect(problemsAfter(put({}), new Date(+now + 2 * day))).toEqual(['The CRL is out of date']);
  expect(problemsAfter(put({}), new Date(+now - 1000))).toEqual(['The CRL is not valid yet']);
});

test('a signed checklist is validated against the CA it comes from', () => {
  const ta = smallAuthority(taKey, setOf('192.0.0.0/16', 'AS64500'));
  ta.finish(otherKey);
  const crl = decodeCrl(ta.files.get(ta.issued.crlUri)!.bytes!);
  const issuer = { certificate: ta.certificate, crl, crlUri: ta.issued.crlUri };
  const resources = setOf('192.0.2.0/24');
  const files = [{ name: 'letter.pdf', sha256: cryptography.sha256(Buffer.from('letter')) }];
  const content = encodeChecklist({ resources, files });
  const made = ta.object('checklist', content, { resources, one: oneKey });
  expect(validateChecklist(made, issuer, { now, cryptography })).toEqual({ resources, files });
  const narrow = ta.object('checklist', content, { resources: setOf('192.0.2.0/25'), one: oneKey });
  expect(() => validateChecklist(narrow, issuer, { now, cryptography })).toThrow(/resources that its certificate does not have/);
  const published = ta.object('checklist', content, { resources, one: oneKey, objectUri: `${ta.repositoryUri}x.sig` });
  expect(() => validateChecklist(published, issuer, { now, cryptography })).toThrow(/not one of this kind/);
});

test('a CRL and a manifest are decoded to what was encoded, and an empty list of revocations is left out', () => {
  const times = { thisUpdate: now, nextUpdate: new Date(+now + day) };
  const crlOf = (revoked: { serial: bigint; revokedAt: Date }[]) => {
    const toBeSigned = encodeCrlToBeSigned({ issuer: taKey.name, authorityKeyId: taKey.keyId, number: 7n, ...times, revoked });
    return decodeCrl(assembleSigned(toBeSigned, signed(taKey, toBeSigned)));
  };
  expect(crlOf([]).revoked).toEqual([]);
  expect(
    crlOf([
      { serial: 300n, revokedAt: now },
      { serial: 2n, revokedAt: now },
    ]).revoked.map(({ serial }) => serial),
  ).toEqual([2n, 300n]);
  const files = [
    { name: 'b.roa', sha256: new Uint8Array(32) },
    { name: 'a.crl', sha256: new Uint8Array(32).fill(1) },
  ];
  expect(decodeManifest(encodeManifest({ number: 12n, ...times, files })).files.map(({ name }) => name)).toEqual(['a.crl', 'b.roa']);
  expect(() => decodeManifest(encodeManifest({ number: 12n, ...times, files: [files[0]!, files[0]!] }))).toThrow(/twice/);
  expect(() => decodeManifest(encodeManifest({ number: 12n, ...times, files: [{ ...files[0]!, name: '../x.roa' }] }))).toThrow(
    /not a name/,
  );
});

test('bytes that are no object are refused in a sentence, and nothing else is thrown', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
      for (const decode of [
        decodeCertificate,
        decodeCrl,
        decodeManifest,
        decodeRoa,
        decodeAspa,
        decodeChecklist,
        (each: Uint8Array) => decodeSignedObject(each, 'roa'),
      ])
        expect(() => decode(bytes)).toThrow(ProfileError);
    }),
  );
  // Lengths that are not in their shortest form, or without an end.
  for (const hex of ['3080020100' + '0000', '308101020101', '30820003020101']) expect(() => decodeRoa(parseHex(hex))).toThrow(ProfileError);
});

test('all numbers are one prefix or range of each family', () => {
  expect(decodeResources(encodeAddressBlocks(allResources), encodeAsIdentifiers(allResources))).toEqual(allResources);
  expect(allResources.ipv4).toEqual([0n, prefixAt('ipv4', 0n, 0).last + 1n]);
});
