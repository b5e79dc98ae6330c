import { expect, test } from 'vitest';
import { type DnsMessage, recordTypes, wireNameOf } from '../../../adapters/dns/message.ts';
import { denialProblem } from './denial.ts';

const salt = Buffer.from('aabbccdd', 'hex');
const alphabet = '0123456789abcdefghijklmnopqrstuv';
/** The bytes of 32 digits of base32hex. */
const bytesOf = (text: string): Buffer =>
  Buffer.from(
    BigInt(
      `0b${text
        .split('')
        .map(digit => alphabet.indexOf(digit).toString(2).padStart(5, '0'))
        .join('')}`,
    )
      .toString(16)
      .padStart(40, '0'),
    'hex',
  );
const nsec3 = (owner: string, next: string, iterations = 12) => ({
  name: `${owner}.example`,
  type: recordTypes.NSEC3,
  class: 1,
  ttl: 3_600,
  data: Buffer.concat([Buffer.from([1, 1, 0, iterations, salt.length]), salt, Buffer.from([20]), bytesOf(next), Buffer.from([0, 1, 0x20])]),
});
const nsec = (owner: string, next: string) => ({
  name: owner,
  type: recordTypes.NSEC,
  class: 1,
  ttl: 3_600,
  data: Buffer.concat([wireNameOf(next), Buffer.from([0, 1, 0x20])]),
});
const problem = (authority: DnsMessage['authority'], { name = 'not-there-7.example', code = 3 } = {}) =>
  denialProblem('example', { question: { name, spelled: name, type: recordTypes.PTR }, code, authority } as unknown as DnsMessage);

/** The hash of the zone in the example of RFC 5155, appendix A. */
const apex = '0p9mhaveqvm6t7vbl5lop2u3t2rp3tom';

test('hashed names prove it if one matches the zone and one covers the name', () => {
  expect(problem([nsec3(apex, apex)])).toBeNull();
  expect(problem([nsec3(apex, '0p9mhaveqvm6t7vbl5lop2u3t2rp3ton')])).toMatch(/NSEC3 records that don’t cover it/);
  expect(problem([nsec3('2t7b4g4vsa5smi47k61mv5bv1a22bojr', '2t7b4g4vsa5smi47k61mv5bv1a22bojr')])).toMatch(/don’t cover it/);
  // An online signer has the name itself, without the type.
  expect(problem([nsec3(apex, apex)], { name: 'example', code: 0 })).toBeNull();
  expect(problem([nsec3('2t7b4g4vsa5smi47k61mv5bv1a22bojr', apex, 151)])).toBeNull();
  expect(problem([{ ...nsec3(apex, apex), data: Buffer.from([1, 1]) }])).toMatch(/don’t cover it/);
});

test('ordered names prove it if they cover the name and the wildcard', () => {
  expect(problem([nsec('example', 'example')])).toBeNull();
  expect(problem([nsec('example', 'a.example'), nsec('a.example', 'example')])).toBeNull();
  expect(problem([nsec('a.example', 'example')])).toMatch(/NSEC records that don’t cover it/);
  expect(problem([nsec('example', 'a.example')])).toMatch(/don’t cover it/);
  expect(problem([nsec('example', '10.example'), nsec('9.example', 'x.example')])).toBeNull();
  expect(problem([nsec('not-there-7.example', 'x.example')], { code: 0 })).toBeNull();
  expect(problem([])).toMatch(/without NSEC or NSEC3/);
  expect(problem([{ ...nsec('example', 'example'), data: Buffer.from([63]) }])).toMatch(/can’t be read/);
});
