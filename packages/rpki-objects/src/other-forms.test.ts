import { parsePrefix, resourceSetOf } from '@portal/number-resources';
import { expect, test } from 'vitest';
import { cryptography, day, keyOf, now, smallAuthority } from '../test/small-authority.ts';
import { encodeRoa, validateAuthority } from './index.ts';
import { DerReader, type Element } from './der-reader.ts';
import { element, integer, leadingBits, nullValue, octetString, sequence, tags } from './der-writer.ts';

/** The elements of a sequence. */
function partsOf(bytes: Uint8Array, tag: number = tags.sequence): Element[] {
  const reader = new DerReader(new DerReader(bytes, 'A test').one(tag, 'list').content, 'A test');
  const parts: Element[] = [];
  while (!reader.atEnd) parts.push(reader.any('part'));
  return parts;
}
/** Rewrites one element of a sequence; a negative place counts from the end. */
const atPlace = (place: number, rewrite: (element: Element) => Uint8Array) => (bytes: Uint8Array) => {
  const parts = partsOf(bytes);
  const at = place < 0 ? parts.length + place : place;
  return sequence(...parts.map((part, index) => (index === at ? rewrite(part) : part.whole)));
};
const reversed = ({ whole }: Pick<Element, 'whole'>): Uint8Array =>
  sequence(
    ...partsOf(whole)
      .map(part => part.whole)
      .reverse(),
  );
/** Rewrites the extensions, which come last under a tag of their own. */
const extensions = (tag: number, rewrite: (list: Uint8Array) => Uint8Array) =>
  atPlace(-1, ({ content }) => element(tags.context(tag), rewrite(content)));

const prefix = parsePrefix('192.0.2.0/24');
const [taKey, manifestKey, roaKey] = [keyOf(), keyOf(), keyOf()];
const bits = (address: string, length: number) => leadingBits(parsePrefix(`${address}/${length}`).first, 32, length);
const ipv4 = (...prefixes: Uint8Array[]) =>
  sequence(integer(64500), sequence(sequence(octetString(Uint8Array.of(0, 1)), sequence(...prefixes))));
const revoked = [7n, 9n, 300n].map(serial => ({ serial, revokedAt: new Date(+now - day) }));

type Shapes = NonNullable<Parameters<ReturnType<typeof smallAuthority>['finish']>[2]>;
type Form = { finish?: Shapes; roa?: Uint8Array; roaCertificate?: (bytes: Uint8Array) => Uint8Array; more?: string };

/** Validates a ROA, its manifest and CRL, one of them in another form. */
function judged({ finish, roa, roaCertificate, more }: Form, level: 'own' | 'rfc') {
  const ta = smallAuthority(taKey);
  const uri = `${ta.repositoryUri}one.roa`;
  const content = roa ?? encodeRoa({ asNumber: 64500, prefixes: [{ prefix, maxLength: 24 }] });
  const how = { resources: resourceSetOf([parsePrefix('192.0.2.0/23')]), one: roaKey, objectUri: uri };
  ta.put(uri, ta.object('roa', content, { ...how, ...(roaCertificate && { shape: roaCertificate }) }));
  if (more !== undefined) ta.put(ta.repositoryUri + more, new Uint8Array(4));
  ta.finish(manifestKey, revoked, finish);
  return validateAuthority(ta.certificate, ta.files, { now, cryptography, level });
}

const forms: readonly (readonly [string, Form, RegExp])[] = [
  ['a CRL whose serial numbers descend', { finish: { crl: atPlace(5, reversed) } }, /another order/],
  ['a CRL whose number comes before the key', { finish: { crl: extensions(0, list => reversed({ whole: list })) } }, /another order/],
  [
    'a CRL that revokes a certificate twice',
    { finish: { crl: atPlace(5, ({ whole }) => sequence(...[...partsOf(whole), partsOf(whole)[0]!].map(each => each.whole))) } },
    /twice/,
  ],
  ['a manifest whose files are in no order', { finish: { manifest: atPlace(-1, reversed) } }, /another order/],
  ['a manifest that lists a file of another kind', { more: 'x.spl' }, /not read here|not published here/],
  ['a manifest that lists a ghostbusters record', { more: 'x.gbr' }, /not published here/],
  ['a manifest whose certificate lives longer than it', { finish: { to: new Date(+now + 3 * day) } }, /for the time of the manifest alone/],
  [
    'a manifest whose certificate inherits addresses alone',
    {
      finish: {
        certificate: extensions(3, list =>
          sequence(
            ...partsOf(list)
              .slice(0, -1)
              .map(each => each.whole),
          ),
        ),
      },
    },
    /some kinds only/,
  ],
  [
    'certificates whose extensions are in another order',
    { roaCertificate: extensions(3, list => reversed({ whole: list })) },
    /another order/,
  ],
  ['a ROA with prefixes out of order', { roa: ipv4(sequence(bits('192.0.3.0', 24)), sequence(bits('192.0.2.0', 24))) }, /canonical/],
  ['a ROA with a prefix twice', { roa: ipv4(sequence(bits('192.0.2.0', 24)), sequence(bits('192.0.2.0', 24))) }, /canonical/],
  ['a ROA with a maximum length that repeats the length', { roa: ipv4(sequence(bits('192.0.2.0', 24), integer(24))) }, /canonical/],
];

test('what this registry writes has no hints at either level', () => {
  for (const level of ['own', 'rfc'] as const)
    expect(judged({}, level)).toMatchObject({ vrps: [{ asNumber: 64500 }], problems: [], hints: [] });
});

test.each(forms)('%s is accepted from others with a hint, and not from ourselves', (_, form, says) => {
  const ofOthers = judged(form, 'rfc');
  expect(ofOthers.problems).toEqual([]);
  expect(ofOthers.vrps).toContainEqual({ asNumber: 64500, prefix, maxLength: 24 });
  expect(ofOthers.hints.map(({ hint }) => hint).join('\n')).toMatch(says);
  const own = judged(form, 'own');
  expect(own.hints).toEqual([]);
  expect(own.problems.map(({ problem }) => problem).join('\n')).toMatch(says);
});

test.each<readonly [string, Form, RegExp]>([
  [
    'an extension that is in no profile',
    {
      roaCertificate: extensions(3, list =>
        sequence(...partsOf(list).map(each => each.whole), sequence(new Uint8Array([6, 3, 85, 29, 99]), octetString(new Uint8Array(2)))),
      ),
    },
    /not part of the profile/,
  ],
  [
    'the same extension twice',
    { roaCertificate: extensions(3, list => sequence(...[...partsOf(list), partsOf(list)[0]!].map(each => each.whole))) },
    /twice/,
  ],
  [
    'something after the list of a manifest',
    { finish: { manifest: bytes => sequence(...partsOf(bytes).map(each => each.whole), nullValue) } },
    /more in it/,
  ],
  [
    'a CRL with a third extension',
    {
      finish: {
        crl: extensions(0, list =>
          sequence(...partsOf(list).map(each => each.whole), sequence(new Uint8Array([6, 3, 85, 29, 99]), octetString(new Uint8Array(2)))),
        ),
      },
    },
    /exactly its two extensions/,
  ],
])('%s is refused from others too', (_, form, says) => {
  const { problems } = judged(form, 'rfc');
  expect(problems.map(({ problem }) => problem).join('\n')).toMatch(says);
});

test('what is not valid yet says from when it is', () => {
  const ahead = (ms: number) => {
    const ta = smallAuthority(taKey);
    ta.finish(manifestKey);
    const { problems, startsAt, endsAt } = validateAuthority(ta.certificate, ta.files, {
      now: new Date(+now - ms),
      cryptography,
      level: 'rfc',
    });
    return { problems: problems.map(({ problem }) => problem), startsAt, endsAt };
  };
  expect(ahead(0)).toMatchObject({ problems: [], startsAt: null });
  expect(ahead(60_000)).toEqual({ problems: ['The CRL is not valid yet'], startsAt: now, endsAt: null });
});

test('a result ends with the first of what it stands on', () => {
  expect(judged({}, 'rfc').endsAt).toEqual(new Date(+now + day));
  expect(judged({ finish: { to: new Date(+now + day / 2) } }, 'rfc').endsAt).toEqual(new Date(+now + day / 2));
});
