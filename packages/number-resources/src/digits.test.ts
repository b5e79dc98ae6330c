import { expect, test } from 'vitest';
import { formatCount, formatMoney, formatRange, formatShare, groupDigits } from './digits.ts';

const shown = (text: string): string => text.replaceAll('\u00a0', '_');

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1_000'],
  [-1500, '-1_500'],
  [44_040_192, '44_040_192'],
  [2n ** 64n, '18_446_744_073_709_551_616'],
])('the count %s is written %s, with gaps that do not break', (count, written) => {
  expect(shown(formatCount(count))).toBe(written);
});

test.each([
  ['500.00', 'AUD_500.00'],
  ['12070.08', 'AUD_12_070.08'],
  ['-1356.00', '-AUD_1_356.00'],
])('the amount %s is written %s', (amount, written) => {
  expect(shown(formatMoney('AUD', amount))).toBe(written);
});

test('digits after the point are not grouped, and words are left alone', () => {
  expect(shown(groupDigits('1234.56789'))).toBe('1_234.56789');
  expect(groupDigits('none')).toBe('none');
});

test.each([
  [0, '0_%'],
  [0.001, 'under 1_%'],
  [0.665, '67_%'],
  [512 / 768, '67_%'],
  [0.9951, 'over 99_%'],
  [1, '100_%'],
])('the share %d is written %s', (share, written) => {
  expect(shown(formatShare(share))).toBe(written);
});

test.each([
  ['AS65536 - AS65538', 'AS65536_– AS65538'],
  ['198.18.64.0 - 198.18.66.255', '198.18.64.0_– 198.18.66.255'],
  ['198.18.0.0/19', '198.18.0.0/19'],
  ['AS64500', 'AS64500'],
  ['Core - main network', 'Core - main network'],
])('%s is written %s', (text, written) => {
  expect(shown(formatRange(text))).toBe(written);
});
