import { useAddress } from '@portal/app-kit';
import { utcDay } from '@portal/contract/days';
import { Button, TextInput } from '@portal/ui';
import styles from './ResourceRecord.module.css';

const today = (): string => utcDay(new Date());

/** The day of the view; part of the address. */
export function AsOf({ on }: { on: string | null }) {
  const address = useAddress();
  // A date counts once it is complete: while the year is typed it changes with each digit.
  const commit = (text: string) => {
    const next = text === '' || text >= today() ? null : text;
    if (next !== on && (next === null || /^[12]\d{3}-/.test(next))) address.set({ on: next }, { step: true });
  };
  return (
    <label className={styles.asOf}>
      <span>As of</span>
      <TextInput
        key={on}
        type="date"
        max={today()}
        defaultValue={on ?? ''}
        onBlur={({ target }) => commit(target.value)}
        onKeyDown={event => event.key === 'Enter' && commit(event.currentTarget.value)}
      />
      {on !== null && (
        <Button size="s" onClick={() => address.set({ on: null })}>
          Show today
        </Button>
      )}
    </label>
  );
}
