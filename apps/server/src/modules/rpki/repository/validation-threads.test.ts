import { resourceSetOf, parsePrefix } from '@portal/number-resources';
import { encodeRoa } from '@portal/rpki-objects';
import { expect, test } from 'vitest';
import { keyOf, now, smallAuthority } from '../../../../../../packages/rpki-objects/test/small-authority.ts';
import { validateAuthorities } from './validation-threads.ts';

const key = keyOf();
const one = keyOf();
const prefix = parsePrefix('192.0.2.0/24');

/** An authority with one ROA. @param isRight its certificate has exactly the prefix */
function authority(isRight: boolean) {
  const made = smallAuthority(key);
  const uri = `${made.repositoryUri}one.roa`;
  const resources = resourceSetOf([isRight ? prefix : parsePrefix('192.0.3.0/24')]);
  made.put(
    uri,
    made.object('roa', encodeRoa({ asNumber: 64500, prefixes: [{ prefix, maxLength: 24 }] }), { resources, one, objectUri: uri }),
  );
  made.finish(one);
  return { certificate: made.bytes, files: made.files };
}

test('threads find the same in many authorities as without threads in a few', async () => {
  const [right, wrong] = [authority(true), authority(false)];
  const few = await validateAuthorities([right, wrong], now);
  expect(few).toEqual([expect.stringMatching(/one\.roa: The ROA has a prefix that its certificate does not have$/)]);
  const many = Array.from({ length: 120 }, (_, place) => (place % 40 === 7 ? wrong : right));
  expect(await validateAuthorities(many, now)).toEqual([few[0], few[0], few[0]]);
  expect(
    await validateAuthorities(
      Array.from({ length: 60 }, () => right),
      now,
    ),
  ).toEqual([]);
});

test('two large publications at a time each get their own answer', async () => {
  const of = (isRight: boolean) => Array.from({ length: 60 }, () => authority(isRight));
  const [right, wrong] = await Promise.all([validateAuthorities(of(true), now), validateAuthorities(of(false), now)]);
  expect({ right: right.length, wrong: wrong.length }).toEqual({ right: 0, wrong: 60 });
});
