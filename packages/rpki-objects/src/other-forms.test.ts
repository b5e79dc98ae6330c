import { parsePrefix } from '@portal/number-resources';
import { expect, test } from 'vitest';
import { cryptography, day, keyOf, now, smallAuthority } from '../test/small-authority.ts';
import {
  bytesOf,
  extensionOf,
  extensions,
  type Form,
  formsOfOthers,
  partsOf,
  publishedInForm,
  withAccess,
} from '../test/forms-of-others.ts';
import { validateAuthority } from './index.ts';
import { oids } from './object-identifiers.ts';
import { nullValue, octetString, sequence } from './der-writer.ts';

const prefix = parsePrefix('192.0.2.0/24');
const taKey = keyOf();
const keys = { ta: taKey, manifest: keyOf(), roa: keyOf() };
const forms = [
  ...formsOfOthers(now),
  // rpki-client 8.2 refuses it: it is read, and not counted among the forms that everyone takes.
  [
    'a manifest whose certificate inherits addresses alone',
    { finish: { certificate: extensions(3, list => sequence(...bytesOf(partsOf(list).slice(0, -1)))) } },
    /some kinds only/,
  ] as const,
] as const;

/** Validates a ROA, its manifest and CRL, one of them in another form. */
function judged(form: Form, level: 'own' | 'rfc') {
  const ta = publishedInForm(form, { base: 'rsync://rpki.example/repository/', name: 'ta', now, keys, asNumber: 64500 });
  return validateAuthority(ta.certificate, ta.files, { now, cryptography, level });
}

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
    'a second address of the issuer, which rpki-client refuses',
    { roaCertificate: extensionOf(oids.authorityInformationAccess, withAccess(oids.caIssuers, 'https://rpki.example/own.cer')) },
    /one address of its issuer/,
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
    ta.finish(keys.manifest);
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
