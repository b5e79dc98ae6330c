import fc from 'fast-check';
import { type Address, type AddressFamily, type AddressRange, addressBits, type Prefix, prefixAt } from './src/index.ts';

const anyFamily = fc.constantFrom<AddressFamily>('ipv4', 'ipv6');

/** Bits in runs, as real addresses have them: uniform numbers would never meet a run of zeros. */
function anyValue(family: AddressFamily): fc.Arbitrary<bigint> {
  const groups = addressBits(family) / 8;
  return fc
    .array(fc.oneof(fc.constant(0), fc.constant(255), fc.nat(255)), { minLength: groups, maxLength: groups })
    .map(bytes => bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n));
}

export const anyAddress: fc.Arbitrary<Address> = anyFamily.chain(family => anyValue(family).map(value => ({ family, value })));

export const anyPrefix: fc.Arbitrary<Prefix> = anyAddress.chain(({ family, value }) =>
  fc.nat(addressBits(family)).map(length => prefixAt(family, value, length)),
);

export const anyRange: fc.Arbitrary<AddressRange> = anyFamily.chain(family =>
  fc.tuple(anyValue(family), anyValue(family)).map(([a, b]) => (a <= b ? { family, first: a, last: b } : { family, first: b, last: a })),
);
