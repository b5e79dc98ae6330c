import { type FeeAccountKind, feeKinds, maxAsns, maxCounted } from '@portal/contract/billing/fee-estimates';
import { formatCount } from '@portal/number-resources';

/** Bits of a prefix of which the fee counts one unit: single addresses of IPv4, /56 blocks of IPv6. */
const UNIT_LENGTH = { ipv4: 32, ipv6: 56 } as const;
const names = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;

/** Question of a fee: holdings by size. */
export type FeeQuestion = { kind: FeeAccountKind; economy: string; ipv4: bigint; ipv6: bigint; asns: number; isNew: boolean };
/** The fields as they were written. */
export type FeeFields = { kind: string; economy: string; ipv4: string; ipv6: string; asns: string; new: string };

/** Reads sizes such as `/22`, `/22 + /24` or, of IPv4, `1024`. @returns the sum in units of the fee, or what is wrong */
function sizeOf(text: string, family: 'ipv4' | 'ipv6'): bigint | string {
  const right =
    family === 'ipv4'
      ? 'Enter prefix lengths or addresses, such as /22, /22 + /24 or 1024'
      : 'Enter prefix lengths, such as /32 or /32 + /36';
  let sum = 0n;
  for (const part of text.split(/[\s,;+]+/).filter(each => each !== '')) {
    const [, length] = /^\/(\d{1,3})$/.exec(part) ?? [];
    if (length !== undefined) {
      // Longer prefixes of IPv6 than a /56 count as one.
      const bits = UNIT_LENGTH[family] - Number(length);
      if (Number(length) > (family === 'ipv4' ? 32 : 128)) return `${names[family]} has no ${part}. ${right}.`;
      sum += bits <= 0 ? 1n : 1n << BigInt(bits);
    } else if (family === 'ipv4' && /^\d{1,10}$/.test(part)) sum += BigInt(part);
    else return `“${part.slice(0, 20)}” isn’t a size of ${names[family]}. ${right}.`;
  }
  return sum > maxCounted[family] ? `That is more than all of ${names[family]}. ${right}.` : sum;
}

/** Reads the fields of the fee calculator. @param economies of the registry's region */
export function readFeeQuestion(
  given: Readonly<Record<string, unknown>>,
  economies: readonly string[],
): { fields: FeeFields; question: FeeQuestion | null; problems: Partial<Record<keyof FeeFields, string>> } {
  const text = (name: keyof FeeFields): string => (typeof given[name] === 'string' ? given[name].trim().slice(0, 200) : '');
  const fields: FeeFields = {
    kind: text('kind') || 'member',
    economy: text('economy').toUpperCase(),
    ipv4: text('ipv4'),
    ipv6: text('ipv6'),
    asns: text('asns'),
    new: text('new'),
  };
  const problems: Partial<Record<keyof FeeFields, string>> = {};
  const kind = (Object.keys(feeKinds) as FeeAccountKind[]).find(each => each === fields.kind);
  if (kind === undefined) problems.kind = 'Choose one of the kinds of account.';
  if (fields.economy !== '' && !economies.includes(fields.economy)) problems.economy = 'Choose an economy of the list.';
  const [ipv4, ipv6] = [sizeOf(fields.ipv4, 'ipv4'), sizeOf(fields.ipv6, 'ipv6')];
  if (typeof ipv4 === 'string') problems.ipv4 = ipv4;
  if (typeof ipv6 === 'string') problems.ipv6 = ipv6;
  const asns = fields.asns === '' ? 0 : /^\d{1,6}$/.test(fields.asns) ? Number(fields.asns) : -1;
  if (asns < 0 || asns > maxAsns) problems.asns = `Enter a whole number up to ${formatCount(maxAsns)}, such as 1.`;
  const isAsked = Object.keys(given).length > 0;
  return {
    fields,
    problems: isAsked ? problems : {},
    question:
      isAsked && kind !== undefined && typeof ipv4 === 'bigint' && typeof ipv6 === 'bigint' && Object.keys(problems).length === 0
        ? { kind, economy: fields.economy, ipv4, ipv6, asns, isNew: fields.new !== '' }
        : null,
  };
}
