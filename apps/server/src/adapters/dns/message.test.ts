import { expect, test } from 'vitest';
import { decodeMessage, nameIn, recordTypes, wireNameOf } from './message.ts';

/** An answer with so many records, all of one name of 127 labels that each of them spells by a pointer. */
function answerWith(records: number): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0x8400, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records, 6);
  const name = wireNameOf(Array.from({ length: 127 }, () => 'a').join('.'));
  const record = Buffer.from([0xc0, 12, 0, recordTypes.NS, 0, 1, 0, 0, 0, 0, 0, 2, 0xc0, 12]);
  return Buffer.concat([head, name, Buffer.from([0, recordTypes.NS, 0, 1]), ...Array.from({ length: records }, () => record)]);
}

test('an answer has a thousand records at most, of one question', () => {
  expect(decodeMessage(answerWith(1000)).answers).toHaveLength(1000);
  // As many as TCP carries.
  expect(() => decodeMessage(answerWith(4650))).toThrow('the answer has 4650 records, more than 1000');
  const many = answerWith(1);
  many.writeUInt16BE(65_535, 4);
  expect(() => decodeMessage(many)).toThrow('the answer repeats 65535 questions, and one was asked');
});

test('what a server sends of random bytes is read, or refused in words, and never fails otherwise', () => {
  const whole = answerWith(5);
  for (let at = 0; at < whole.length; at++)
    for (const byte of [0, 1, 63, 64, 127, 192, 255]) {
      const bytes = Buffer.from(whole);
      bytes[at] = byte;
      for (const wire of [bytes, bytes.subarray(0, at)])
        try {
          decodeMessage(wire);
        } catch (error) {
          expect((error as Error).name, (error as Error).stack).toBe('Error');
          expect((error as Error).constructor.name).toBe('BadMessage');
        }
    }
});

test.each([
  ['DS', 4],
  ['CDS', 4],
  ['DNSKEY', 4],
  ['CDNSKEY', 4],
  ['RRSIG', 18],
  ['NSEC', 0],
  ['NSEC3', 5],
] as const)('data of a %s that is cut off after %i bytes is refused when it is read, before anything looks into it', (type, length) => {
  const record = Buffer.from([0xc0, 12, 0, recordTypes[type], 0, 1, 0, 0, 0, 0, 0, length]);
  const wire = Buffer.concat([answerWith(1), record, Buffer.alloc(length)]);
  wire.writeUInt16BE(2, 6);
  expect(() => decodeMessage(wire)).toThrow(/cut off|runs beyond/);
});

test('names are read as they are spelled, whatever points into them', () => {
  const named = decodeMessage(answerWith(2)).answers[1]!;
  const name = Array.from({ length: 127 }, () => 'a').join('.');
  expect(named.name).toBe(name);
  expect(nameIn(named)).toBe(name);
  // A label in front of a name that is as long as names can be.
  const long = Buffer.concat([answerWith(1), Buffer.from([1, 98, 0xc0, 12, 0, recordTypes.NS, 0, 1, 0, 0, 0, 0, 0, 2, 0xc0, 12])]);
  long.writeUInt16BE(2, 6);
  expect(() => decodeMessage(long)).toThrow('a name is longer than 255 bytes');
});

test.each(['', '.', 'a', 'a.', 'www.example.net', '63.63.in-addr.arpa.'])('%j is written in wire format as it is read', name => {
  const wire = wireNameOf(name);
  expect(nameIn({ name: '', type: recordTypes.NS, class: 1, ttl: 0, data: wire })).toBe(name.replace(/\.$/, ''));
});

test.each([
  ['a..b', 'a label of 0 characters'],
  ['.a', 'a label of 0 characters'],
  [`${'a'.repeat(64)}.net`, 'a label of 64 characters'],
  [`${'a.'.repeat(127)}b`, 'is longer than 255 bytes'],
])('%j is no name: it has %s', (name, words) => {
  expect(() => wireNameOf(name)).toThrow(words);
});
