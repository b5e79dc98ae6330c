import { parseAsNumber, parseAsRange, printAsNumber } from '@portal/number-resources';
import { quote } from '../problem.ts';
import { readResource, right, type Syntax, wrong } from './reading.ts';

/** `AS` and a number from 0 to 4294967295, without leading zeros and dots (asplain, RFC 5396). */
export const readAsNumber: Syntax = value => {
  const plain = /^as(0|[1-9]\d{0,9})$/i.exec(value);
  if (plain && Number(plain[1]) <= 4294967295) return right(printAsNumber(Number(plain[1])));
  const meant = readResource(() => printAsNumber(parseAsNumber(value)));
  return 'code' in meant
    ? meant
    : wrong('not-an-as-number', `${quote(value)} isn’t how AS numbers are written here. Enter ${meant.canonical}`);
};

/** `AS64496 - AS64511`, the first not above the last. A single AS number is written as both ends. */
export const readAsBlock: Syntax = value => {
  if (!/^as[\d.]+\s*-\s*as[\d.]+$/i.test(value))
    return wrong('not-an-as-block', `${quote(value)} is not a block of AS numbers. Enter both ends, such as AS64496 - AS64511`);
  return readResource(() => {
    const { first, last } = parseAsRange(value);
    return `${printAsNumber(first)} - ${printAsNumber(last)}`;
  });
};
