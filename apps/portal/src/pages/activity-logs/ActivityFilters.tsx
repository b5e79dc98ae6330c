import { activityCategories } from '@portal/contract/activity-log/activity-log';
import { DayRange } from '@portal/ui/picker/DayRange';
import { FilterSearch } from '@portal/ui/table/FilterSearch';
import { FilterSelect } from '@portal/ui/table/FilterSelect';
import styles from './ActivityFilters.module.css';
import type { Span } from './period.ts';

export type FilterValues = { actor: string; category: string; result: string; q: string };
type Change = Partial<Record<'actor' | 'category' | 'result' | 'q' | 'from' | 'to', string | null>>;

/** An account's log has no lines for sign-ins. */
const categories = Object.entries(activityCategories).filter(([category]) => category !== 'sign-in');

/** Filters of the log: text, people, subject, result, days. All are part of the address. */
export function ActivityFilters({
  values,
  listed,
  today,
  contacts,
  onChange,
}: {
  values: FilterValues;
  listed: Span;
  today: string;
  contacts: readonly { contactId: string; name: string; former: boolean }[];
  onChange: (change: Change) => void;
}) {
  const known = ['', 'person', 'staff', 'system', 'helper', ...contacts.map(({ contactId }) => contactId)].includes(values.actor);
  return (
    <>
      <FilterSearch
        label="Filter activity"
        placeholder="Text, name or trace ID"
        value={values.q}
        onChange={q => onChange({ q })}
        className={styles.text}
      />
      <FilterSelect
        label="Who"
        className={styles.choice}
        value={values.actor}
        onChange={actor => onChange({ actor })}
        options={[
          { value: '', label: 'Anyone' },
          ...(known ? [] : [{ value: values.actor, label: 'Another contact' }]),
          ...contacts.map(({ contactId, name, former }) => ({ value: contactId, label: former ? `${name} (former)` : name })),
          { value: 'helper', label: 'Helpers' },
          { value: 'staff', label: 'Registry staff' },
          { value: 'system', label: 'System' },
          { value: 'person', label: 'People asking to join' },
        ]}
      />
      <FilterSelect
        label="About"
        className={styles.choice}
        value={values.category}
        onChange={category => onChange({ category })}
        options={[{ value: '', label: 'Any subject' }, ...categories.map(([value, label]) => ({ value, label }))]}
      />
      <FilterSelect
        label="Result"
        className={styles.choice}
        value={values.result}
        onChange={result => onChange({ result })}
        options={[
          { value: '', label: 'Done and refused' },
          { value: 'done', label: 'Done' },
          { value: 'refused', label: 'Refused' },
        ]}
      />
      <DayRange from={listed.from} to={listed.to} max={today} required onChange={onChange} />
    </>
  );
}
