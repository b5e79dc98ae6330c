import { useAddress, useMaybeSession } from '@portal/app-kit';
import { useState } from 'react';
import type { CallInput } from '@portal/app-kit';
import { type CountedHoldings, type FeeAccountKind, feeKinds, type feeEstimates, maxAsns } from '@portal/contract/billing/fee-estimates';
import { countOf, type HoldingRow, readRows, rowsBeyond, writeRows } from './holding-rows.ts';

/** The input of the calculator. All of it is in the address, so that a link carries it. */
export type FeeQuestion = {
  year: number;
  kind: FeeAccountKind;
  /** ISO 3166 code, or empty. */
  economy: string;
  newAccount: boolean;
  /** Resources beyond the account's holdings arrive by transfer. */
  transfer: boolean;
  ipv4: readonly HoldingRow[];
  ipv6: readonly HoldingRow[];
  asns: string;
};

/** The number of AS numbers in the text; null if it is not a number from 0 to 10,000. */
export const asnsOf = (text: string): number | null => (/^\d{1,5}$/.test(text.trim()) && Number(text) <= maxAsns ? Number(text) : null);

/** The rows of one family of what an account holds. */
const rowsOf = (held: CountedHoldings | null, family: 'ipv4' | 'ipv6'): HoldingRow[] =>
  held?.blocks.filter(block => block.family === family).map(({ name, quantity }) => ({ name, quantity: String(quantity) })) ?? [];

/** Reads the input from the address; missing values are the account's. */
export function useFeeQuestion(held: CountedHoldings | null) {
  const address = useAddress();
  const account = useMaybeSession()?.account ?? null;
  const [thisYear] = useState(() => new Date().getUTCFullYear());
  const own = held?.begins ? Number(held.begins.slice(0, 4)) : thisYear;
  const year = Number(address.get('year') ?? own);
  const named = address.get('kind');
  const rows = (name: 'v4' | 'v6', family: 'ipv4' | 'ipv6') => {
    const text = address.get(name);
    return text === null ? rowsOf(held, family) : readRows(text === '-' ? '' : text);
  };
  const question: FeeQuestion = {
    year: Number.isInteger(year) && year > 1900 && year < 2200 ? year : own,
    kind: Object.hasOwn(feeKinds, named ?? '') ? (named as FeeAccountKind) : (held?.kind ?? 'member'),
    economy: address.get('economy') === '-' ? '' : (address.get('economy') ?? held?.economy ?? ''),
    newAccount: address.get('new') === '1' || (account === null && address.get('new') !== '0'),
    transfer: address.get('transfer') === '1',
    ipv4: rows('v4', 'ipv4'),
    ipv6: rows('v6', 'ipv6'),
    asns: address.get('as') ?? String(held?.asns ?? 0),
  };
  const change = (next: Partial<FeeQuestion>): void =>
    address.set({
      ...(next.year !== undefined && { year: String(next.year) }),
      ...(next.kind && { kind: next.kind }),
      ...(next.economy !== undefined && { economy: next.economy || '-' }),
      ...(next.newAccount !== undefined && { new: next.newAccount ? '1' : '0' }),
      ...(next.transfer !== undefined && { transfer: next.transfer ? '1' : null }),
      // An address without rows says so, because the account's own would be filled in otherwise.
      ...(next.ipv4 && { v4: writeRows(next.ipv4) || '-' }),
      ...(next.ipv6 && { v6: writeRows(next.ipv6) || '-' }),
      ...(next.asns !== undefined && { as: next.asns || '0' }),
    });
  const reset = (): void => address.set({ year: null, kind: null, economy: null, new: null, transfer: null, v4: null, v6: null, as: null });
  const leftOut = rowsBeyond(address.get('v4') ?? '') + rowsBeyond(address.get('v6') ?? '');
  return { question, leftOut, change, reset };
}

type Input = CallInput<typeof feeEstimates.getFeeEstimate>;

/** The first day to estimate for: of the account's own term in that year, or of the year. */
const dayOf = (year: number, held: CountedHoldings | null): string => {
  const rest = held?.begins?.slice(4) ?? '-01-01';
  return `${year}${rest === '-02-29' ? '-02-28' : rest}`;
};

/** The calls for an input: with its holding, and with the account's own in the same year; the same call twice if nothing differs. */
export function callsOf(question: FeeQuestion, held: CountedHoldings | null): { asked: Input; own: Input | null } {
  const shared = {
    kind: question.kind,
    begins: dayOf(question.year, held),
    ...(question.economy && { economy: question.economy }),
  };
  const ipv4 = countOf('ipv4', question.ipv4);
  const ownIpv4 = countOf('ipv4', rowsOf(held, 'ipv4'));
  const transferred = question.transfer && ipv4 > ownIpv4 ? ipv4 - ownIpv4 : 0n;
  return {
    asked: {
      query: {
        ...shared,
        ipv4: String(ipv4),
        ipv6: String(countOf('ipv6', question.ipv6)),
        asns: asnsOf(question.asns) ?? 0,
        ...(question.newAccount && { newAccount: 'true' as const }),
        ...(transferred > 0n && { transferred: String(transferred) }),
      },
    },
    own:
      held === null
        ? null
        : {
            query: {
              ...shared,
              kind: held.kind ?? shared.kind,
              ipv4: String(ownIpv4),
              ipv6: String(countOf('ipv6', rowsOf(held, 'ipv6'))),
              asns: held.asns,
            },
          },
  };
}
