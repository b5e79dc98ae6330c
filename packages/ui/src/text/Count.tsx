import type { ReactNode } from 'react';

/** Whole number with a thin gap between thousands, which does not break: 8 960. */
export const formatCount = (value: number | bigint): string => value.toString().replace(/\B(?=(\d{3})+$)/g, '\u00a0');

/** A count written out, with its shortened form beside: 65 536 (a /16). */
export function Count({ value, short, unit }: { value: number | bigint; short?: ReactNode; unit?: ReactNode }) {
  return (
    <span className="nw">
      {formatCount(value)}
      {unit && <> {unit}</>}
      {short && <span className="quiet"> {short}</span>}
    </span>
  );
}
