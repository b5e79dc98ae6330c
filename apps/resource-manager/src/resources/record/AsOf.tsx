import { useAddress } from '@portal/app-kit';
import { utcDay } from '@portal/contract/days';
import { dayOf } from '@portal/number-resources/written-day';
import { Button, formatDate, TextInput } from '@portal/ui';
import { useId, useState } from 'react';
import styles from './ResourceRecord.module.css';

const shown = (on: string | null): string => (on === null ? '' : formatDate(on, { timeZone: 'UTC', hourCycle: 'h23' }, 'date'));

/** The day of the view; part of the address. It is written as on the page, `20 Nov 2026`, and read in any usual notation that can’t be misread. */
export function AsOf({ on }: { on: string | null }) {
  return <DayField key={on} on={on} />;
}

function DayField({ on }: { on: string | null }) {
  const address = useAddress();
  const id = useId();
  const [text, setText] = useState(shown(on));
  const [problem, setProblem] = useState<string | null>(null);
  const commit = () => {
    if (text.trim() === shown(on)) return;
    const today = utcDay(new Date());
    const day = text.trim() === '' ? today : dayOf(text);
    if (day === null) return setProblem('Enter a day, such as 20 Nov 2026');
    const next = day >= today ? null : day;
    if (next === on) setText(shown(on));
    else address.set({ on: next }, { step: true });
  };
  return (
    <span className={styles.asOf}>
      <label htmlFor={id}>As of</label>
      <TextInput
        id={id}
        value={text}
        placeholder="now"
        autoComplete="off"
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={event => {
          setText(event.target.value);
          setProblem(null);
        }}
        onBlur={commit}
        onKeyDown={event => event.key === 'Enter' && commit()}
      />
      {on !== null && (
        <Button size="s" onClick={() => address.set({ on: null })}>
          Show today
        </Button>
      )}
      {problem !== null && (
        <span id={`${id}-problem`} role="alert" className={styles.problem}>
          {problem}
        </span>
      )}
    </span>
  );
}
