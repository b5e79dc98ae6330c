import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressBits, annualFee, componentFee, type FeeCircumstances, type FeeSchedule, sumOf } from './fees.ts';
import { cents, printCents, times } from '../money.ts';

type Parameters = Pick<FeeSchedule, 'baseFee' | 'bitFactor'> & Partial<FeeSchedule>;
const schedule = (given: Parameters): FeeSchedule => ({
  ipv4Base: 24,
  ipv6Base: 34,
  associateFee: '500',
  nirMultiplier: '2.9',
  ldcShare: '0.5',
  asnFee: '100',
  freeAsns: 2,
  signUpFee: '500',
  ...given,
});
/** The announced schedules, by their first year. */
const member: Record<number, FeeSchedule> = {
  2010: schedule({ baseFee: '1180', bitFactor: '1.300', associateFee: '675', asnFee: '0' }),
  2015: schedule({ baseFee: '1050', bitFactor: '1.308', asnFee: '0' }),
  2020: schedule({ baseFee: '1180', bitFactor: '1.300', asnFee: '0' }),
  2023: schedule({ baseFee: '1180', bitFactor: '1.310', asnFee: '0' }),
  2025: schedule({ baseFee: '1236', bitFactor: '1.315' }),
  2026: schedule({ baseFee: '1295', bitFactor: '1.320' }),
  2027: schedule({ baseFee: '1356', bitFactor: '1.325' }),
};
const nonMember: Record<number, FeeSchedule> = {
  2025: schedule({ baseFee: '1421', bitFactor: '1.315' }),
  2026: schedule({ baseFee: '1488', bitFactor: '1.320' }),
  2027: schedule({ baseFee: '1559', bitFactor: '1.325' }),
};
const of = (schedules: Record<number, FeeSchedule>, year: number): FeeSchedule =>
  schedules[
    Math.max(
      ...Object.keys(schedules)
        .map(Number)
        .filter(from => from <= year),
    )
  ]!;
const plain: FeeCircumstances = { nir: false, ldc: false };
const feeOf = (fees: FeeSchedule, ipv4: number | bigint, ipv6: number | bigint, asns = 0, circumstances = plain): string =>
  printCents(sumOf(annualFee(fees, { ipv4: BigInt(ipv4), ipv6: BigInt(ipv6), asns }, circumstances)));
const ipv4Of = (prefix: number): number => 2 ** (32 - prefix);
const ipv6Of = (prefix: number): number => 2 ** (56 - prefix);

describe('acceptance scenario 11: the fees that were published', () => {
  const in2023 = of(member, 2023);
  test('P1: a new member with a /24 pays 1050 a year in 2015, and 1550 with signing up', () => {
    expect(feeOf(of(member, 2015), 256, 0)).toBe('1050.00');
    expect(feeOf(of(member, 2015), 256, 0, 0, { ...plain, signUp: true })).toBe('1550.00');
  });
  test.each([
    ['P2: a /24 and a /48', ipv4Of(24), ipv6Of(48), '1180.00'],
    ['P3: a /24 and a /32', ipv4Of(24), ipv6Of(32), '2025.00'],
    ['P4: a /23 and a /48', ipv4Of(23), ipv6Of(48), '1545.80'],
    ['P5: a /23 and a /32', ipv4Of(23), ipv6Of(32), '2025.00'],
    ['P6: nothing but an AS number', 0, 0, '500.00'],
  ])('%s in 2023', (_which, ipv4, ipv6, fee) => expect(feeOf(in2023, ipv4, ipv6, 1)).toBe(fee));
  test('P7 and P8: 512,000 addresses in 2022, held by a member and by a national registry', () => {
    expect(feeOf(of(member, 2022), 512_000, 0)).toBe('20958.50');
    expect(feeOf(of(member, 2022), 512_000, 0, 0, { nir: true, ldc: false })).toBe('60779.65');
  });
  test.each([
    [24, '52500'],
    [23, '68250'],
    [22, '88725'],
    [21, '115343'],
    [20, '149945'],
    [19, '194929'],
    [18, '253407'],
    [17, '329430'],
    [16, '428259'],
  ])('P9: a /%i of JPNIC in 2013, tax included, in whole yen', (prefix, yen) => {
    const withTax = times(componentFee(schedule({ baseFee: '50000', bitFactor: '1.3' }), 'ipv4', BigInt(ipv4Of(prefix))), '1.05');
    expect(String((withTax + 50n) / 100n)).toBe(yen);
  });
  test('P10: IRINN, whose families have base fees of their own', () => {
    const ipv4 = (prefix: number) =>
      printCents(componentFee(schedule({ baseFee: '27500', bitFactor: '1.35' }), 'ipv4', BigInt(ipv4Of(prefix))));
    const ipv6 = (prefix: number) => componentFee(schedule({ baseFee: '24199', bitFactor: '1.35' }), 'ipv6', BigInt(ipv6Of(prefix)));
    expect([ipv4(24), ipv4(23)]).toEqual(['27500.00', '37125.00']);
    expect(printCents(ipv6(48))).toBe('24199.00');
    expect((ipv6(32) + 50n) / 100n).toBe(44103n);
  });
});

/** By IPv4 prefix: 2015, 2020, 2023, 2025, 2026, 2027. */
const table: readonly [prefix: number, ...fees: string[]][] = [
  [24, '1050.00', '1180.00', '1180.00', '1236.00', '1295.00', '1356.00'],
  [23, '1373.40', '1534.00', '1545.80', '1625.34', '1709.40', '1796.70'],
  [22, '1796.41', '1994.20', '2025.00', '2137.32', '2256.41', '2380.63'],
  [21, '2349.70', '2592.46', '2652.75', '2810.58', '2978.46', '3154.33'],
  [20, '3073.41', '3370.20', '3475.10', '3695.91', '3931.57', '4179.49'],
  [19, '4020.02', '4381.26', '4552.38', '4860.12', '5189.67', '5537.82'],
  [18, '5258.18', '5695.63', '5963.62', '6391.06', '6850.36', '7337.62'],
  [17, '6877.70', '7404.33', '7812.34', '8404.25', '9042.47', '9722.34'],
  [16, '8996.04', '9625.62', '10234.16', '11051.58', '11936.07', '12882.10'],
  [15, '11766.82', '12513.31', '13406.75', '14532.83', '15755.61', '17068.78'],
  [14, '15391.00', '16267.30', '17562.85', '19110.67', '20797.40', '22616.14'],
  [13, '20131.42', '21147.49', '23007.33', '25130.54', '27452.57', '29966.38'],
  [12, '26331.90', '27491.74', '30139.60', '33046.65', '36237.39', '39705.46'],
  [10, '45050.30', '46461.04', '51722.58', '57145.10', '63140.03', '69707.90'],
  [8, '77074.94', '78519.16', '88761.11', '98816.74', '110015.19', '122380.93'],
];
test.each(table)('a /%i costs a member in 2015, 2020, 2023, 2025, 2026 and 2027: %s, %s, %s, %s, %s, %s', (prefix, ...fees) => {
  expect([2015, 2020, 2023, 2025, 2026, 2027].map(year => feeOf(of(member, year), ipv4Of(prefix), 0))).toEqual(fees);
});
test.each([
  [2025, 24, '1421.00'],
  [2025, 23, '1868.62'],
  [2025, 22, '2457.23'],
  [2025, 21, '3231.26'],
  [2025, 20, '4249.10'],
  [2025, 16, '12705.74'],
  [2026, 24, '1488.00'],
  [2026, 22, '2592.69'],
  [2026, 20, '4517.51'],
  [2026, 16, '13714.95'],
  [2027, 24, '1559.00'],
  [2027, 22, '2737.02'],
  [2027, 16, '14810.62'],
])('in %i a /%i costs a non-member %s', (year, prefix, fee) => expect(feeOf(of(nonMember, year), ipv4Of(prefix), 0)).toBe(fee));
test.each([
  [34, 24],
  [33, 23],
  [32, 22],
  [31, 21],
  [30, 20],
  [29, 19],
  [28, 18],
  [26, 16],
  [24, 14],
  [23, 13],
  [20, 10],
])('an IPv6 /%i costs what an IPv4 /%i does', (ipv6, ipv4) => {
  for (const fees of Object.values(member)) expect(feeOf(fees, 0, ipv6Of(ipv6))).toBe(feeOf(fees, ipv4Of(ipv4), 0));
});

type Vector = {
  y: number;
  t: string;
  v4: number;
  v6: number;
  asn: number;
  expect: string;
  ldc?: true;
  gst?: string;
  total?: string;
  new?: true;
};
const vectors: readonly Vector[] = [
  { y: 2025, t: 'member', v4: 256, v6: 0, asn: 1, expect: '1236.00' },
  { y: 2025, t: 'member', v4: 1280, v6: 0, asn: 0, expect: '2334.29' },
  { y: 2025, t: 'member', v4: 768, v6: 0, asn: 0, expect: '1907.71' },
  { y: 2025, t: 'member', v4: 3072, v6: 0, asn: 0, expect: '3298.85' },
  { y: 2025, t: 'member', v4: 81920, v6: 0, asn: 0, expect: '12070.08' },
  { y: 2025, t: 'member', v4: 1024, v6: 16777216, asn: 0, expect: '2137.32' },
  { y: 2025, t: 'member', v4: 2048, v6: 16777216, asn: 0, expect: '2810.58' },
  { y: 2026, t: 'member', v4: 1024, v6: 134217728, asn: 0, expect: '5189.67' },
  { y: 2025, t: 'member', v4: 0, v6: 50331648, asn: 0, expect: '3298.85' },
  { y: 2025, t: 'member', v4: 0, v6: 16777472, asn: 0, expect: '2137.33' },
  { y: 2025, t: 'member', v4: 0, v6: 256, asn: 0, expect: '1236.00' },
  { y: 2025, t: 'member', v4: 0, v6: 0, asn: 2, expect: '500.00' },
  { y: 2025, t: 'member', v4: 256, v6: 0, asn: 5, expect: '1536.00' },
  { y: 2025, t: 'member', v4: 1024, v6: 0, asn: 0, ldc: true, expect: '1068.66' },
  { y: 2025, t: 'member', v4: 1024, v6: 0, asn: 0, expect: '2137.32', gst: '213.73', total: '2351.05' },
  { y: 2025, t: 'member', v4: 256, v6: 0, asn: 0, new: true, expect: '1736.00' },
  { y: 2022, t: 'nir', v4: 512000, v6: 0, asn: 0, expect: '60779.65' },
  { y: 2022, t: 'member', v4: 512000, v6: 0, asn: 0, expect: '20958.50' },
  { y: 2016, t: 'member', v4: 256, v6: 0, asn: 0, expect: '1050.00' },
  { y: 2016, t: 'member', v4: 1280, v6: 0, asn: 0, expect: '1958.59' },
  { y: 2013, t: 'member', v4: 0, v6: 0, asn: 1, expect: '675.00' },
  { y: 2024, t: 'member', v4: 512, v6: 256, asn: 1, expect: '1545.80' },
  { y: 2024, t: 'member', v4: 512, v6: 16777216, asn: 1, expect: '2025.00' },
  { y: 2027, t: 'member', v4: 5000, v6: 0, asn: 0, expect: '4531.96' },
  { y: 2025, t: 'nonmember', v4: 1024, v6: 0, asn: 0, expect: '2457.23' },
  { y: 2026, t: 'nonmember', v4: 256, v6: 0, asn: 0, expect: '1488.00' },
];
test.each(vectors)('acceptance scenario 11: in $y a $t with $v4 addresses, $v6 blocks and $asn AS numbers pays $expect', vector => {
  const fees = of(vector.t === 'nonmember' ? nonMember : member, vector.y);
  const circumstances = { nir: vector.t === 'nir', ldc: vector.ldc ?? false, signUp: vector.new ?? false };
  expect(feeOf(fees, vector.v4, vector.v6, vector.asn, circumstances)).toBe(vector.expect);
  if (vector.gst === undefined) return;
  const tax = times(cents(vector.expect), '0.10');
  expect(printCents(tax)).toBe(vector.gst);
  expect(printCents(cents(vector.expect) + tax)).toBe(vector.total);
});

const in2026 = member[2026]!;
test('address bits are exact for a power of two, and fractional otherwise', () => {
  expect(addressBits(in2026, 'ipv4', 256n)).toBe(0);
  expect(addressBits(in2026, 'ipv4', 1n)).toBe(0);
  expect(addressBits(in2026, 'ipv6', 2n ** 36n)).toBe(14);
  expect(addressBits(in2026, 'ipv4', 1280n)).toBeCloseTo(2.3219281, 7);
});

const holdings = fc.record({ ipv4: fc.bigInt(0n, 2n ** 32n), ipv6: fc.bigInt(0n, 2n ** 44n), asns: fc.nat(10_000) });
const circumstances = fc.record({ nir: fc.boolean(), ldc: fc.boolean(), signUp: fc.boolean() });
const someSchedule = fc.constantFrom(...Object.values(member), ...Object.values(nonMember));

test('every line is quantity times price, and amounts are whole cents that survive printing and parsing', () => {
  fc.assert(
    fc.property(someSchedule, holdings, circumstances, (fees, held, given) => {
      const lines = annualFee(fees, held, given);
      for (const { quantity, unit, amount } of lines) expect(amount).toBe(BigInt(quantity) * unit);
      const sum = sumOf(lines);
      expect(cents(printCents(sum))).toBe(sum);
      expect(sum > 0n).toBe(true);
      expect(lines.some(({ kind }) => kind === 'ldc')).toBe(given.ldc);
    }),
  );
});

test('a larger holding never pays less', () => {
  fc.assert(
    fc.property(someSchedule, holdings, fc.bigInt(1n, 2n ** 24n), (fees, held, more) => {
      fc.pre(held.ipv4 > 0n);
      const before = sumOf(annualFee(fees, held, plain));
      expect(sumOf(annualFee(fees, { ...held, ipv4: held.ipv4 + more }, plain)) >= before).toBe(true);
      expect(sumOf(annualFee(fees, { ...held, ipv6: held.ipv6 + more }, plain)) >= before).toBe(true);
    }),
  );
});

test('half a cent is rounded up, whatever the amount', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 12n), amount => {
      expect(times(2n * amount + 1n, '0.5')).toBe(amount + 1n);
    }),
  );
  expect(printCents(times(cents('0.05'), '0.10'))).toBe('0.01');
  expect(printCents(times(cents('0.04'), '0.10'))).toBe('0.00');
});

test('text that isn’t an amount is refused', () => {
  for (const wrong of ['', '1,000', '1.234', 'AUD 5', '--1', '1e3']) expect(() => cents(wrong)).toThrow(RangeError);
});
