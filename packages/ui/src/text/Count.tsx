import { formatCount, formatMoney, formatRange, formatShare, groupDigits } from '@portal/number-resources/digits';
import type { ReactNode } from 'react';

export { formatCount, formatMoney, formatRange, formatShare, groupDigits };

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
