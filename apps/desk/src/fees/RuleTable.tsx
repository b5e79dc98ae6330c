import {
  type FeeAnnouncement,
  type FeeDesk,
  type ScheduleKind,
  scheduleKindNames,
  scheduleKinds,
} from '@portal/contract/billing/fee-schedules';
import { Sheet } from '@portal/ui';
import { useState } from 'react';
import { TextButton } from '../shell/TextButton.tsx';
import styles from './Fees.module.css';
import { feeFields, feeRows, feesBefore, isSame, termWords } from './fee-words.ts';

type Props = { announcement: FeeAnnouncement; desk: FeeDesk };

/** Rules beside those of the fees that come before: those that change first, and the others on demand. */
export function RuleTable({ announcement, desk }: Props) {
  const { fees, decision } = announcement;
  const before = feesBefore(announcement, desk);
  const [all, setAll] = useState(false);
  const rules = scheduleKindNames
    .filter(kind => fees[kind])
    .flatMap(kind => feeFields.map(field => ({ kind, field, was: before?.fees[kind], is: fees[kind]! })));
  const changed = rules.filter(({ was, is, field }) => was === undefined || !isSame(was, is, field));
  const same = rules.filter(rule => !changed.includes(rule));
  const both = fees['non-member'] !== undefined;
  const rows = all ? [...changed, ...same] : [...changed, ...same.slice(0, Math.max(0, 4 - changed.length))];
  return (
    <Sheet
      flush
      title={changed.length === 0 ? 'No number changes' : changed.length === 1 ? 'One number changes' : `${changed.length} numbers change`}
      meta={
        <span>
          Fee = base × factor<sup>size</sup>, size in doublings beyond the base. {decision ? `By ${decision}` : 'No decision is named'}
        </span>
      }
      footer={
        rows.length < rules.length || all ? (
          <TextButton onClick={() => setAll(!all)}>{all ? 'Show fewer' : `Show ${rules.length - rows.length} more that stay`}</TextButton>
        ) : undefined
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so it is reached by the keyboard */}
      <section className={styles.scroll} aria-label="Rules" tabIndex={0}>
        <table className={styles.rules}>
          <thead>
            <tr>
              <th scope="col">Rule</th>
              {both && <th scope="col">For</th>}
              <th scope="col" className="num">
                {before ? termWords(before) : 'Before'}
              </th>
              <th scope="col" className="num">
                {termWords(announcement)}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ kind, field, was, is }) => (
              <Rule key={`${kind}/${field}`} label={feeRows[field].label} kind={both ? kind : null} currency={desk.currency}>
                {{
                  was: was && feeRows[field].words(was, ''),
                  is: feeRows[field].words(is, ''),
                  isNew: was === undefined || !isSame(was, is, field),
                }}
              </Rule>
            ))}
          </tbody>
        </table>
      </section>
    </Sheet>
  );
}

type RuleProps = {
  label: string;
  kind: ScheduleKind | null;
  currency: string;
  children: { was: string | undefined; is: string; isNew: boolean };
};

const Rule = ({ label, kind, children: { was, is, isNew } }: RuleProps) => (
  <tr data-pending={isNew || undefined}>
    <th scope="row">{label}</th>
    {kind !== null && <td data-label="For">{scheduleKinds[kind]}</td>}
    <td className="num" data-label="Before">
      {was ?? 'none'}
    </td>
    <td className="num" data-label="Then" data-new={isNew || undefined}>
      {isNew ? is : 'same'}
    </td>
  </tr>
);
