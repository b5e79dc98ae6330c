import { activityCategories } from '@portal/contract/activity-log/activity-log';
import { SearchInput, Select } from '@portal/ui';
import { DayRange } from '@portal/ui/picker/DayRange';
import { useRef, useState } from 'react';
import styles from './ActivityFilters.module.css';
import type { Span } from './period.ts';

export type FilterValues = { actor: string; category: string; result: string; q: string };
type Change = Partial<Record<'actor' | 'category' | 'result' | 'q' | 'from' | 'to', string | null>>;

/** Long enough for the next key to follow, short enough to feel immediate. */
const pauseMs = 250;
/** Of sign-ins there are no lines in an account's log. */
const categories = Object.entries(activityCategories).filter(([category]) => category !== 'sign-in');

/** Narrows the log: words, people, what it is about, result, days. All of it stands in the address. */
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
      <FilterText value={values.q} onChange={q => onChange({ q })} />
      <Select
        aria-label="Who"
        size="s"
        className={styles.choice}
        value={values.actor}
        onChange={event => onChange({ actor: event.target.value })}
        options={[
          { value: '', label: 'Anybody' },
          ...(known ? [] : [{ value: values.actor, label: 'Another contact' }]),
          ...contacts.map(({ contactId, name, former }) => ({ value: contactId, label: former ? `${name} (former)` : name })),
          { value: 'helper', label: 'Helpers' },
          { value: 'staff', label: 'Registry staff' },
          { value: 'system', label: 'System' },
          { value: 'person', label: 'People who ask to join' },
        ]}
      />
      <Select
        aria-label="About"
        size="s"
        className={styles.choice}
        value={values.category}
        onChange={event => onChange({ category: event.target.value })}
        options={[{ value: '', label: 'About anything' }, ...categories.map(([value, label]) => ({ value, label }))]}
      />
      <Select
        aria-label="Result"
        size="s"
        className={styles.choice}
        value={values.result}
        onChange={event => onChange({ result: event.target.value })}
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

function FilterText({ value, onChange }: { value: string; onChange: (q: string) => void }) {
  // What is being typed counts until the filter changes from elsewhere (a link, the way back).
  const [typed, setTyped] = useState({ text: value, above: value });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const text = typed.above === value ? typed.text : value;
  const ask = (next: string) => {
    clearTimeout(timer.current);
    setTyped({ text: next, above: value });
    const commit = () => {
      setTyped({ text: next, above: next.trim() });
      onChange(next.trim());
    };
    if (next === '') commit();
    else timer.current = setTimeout(commit, pauseMs);
  };
  return (
    <SearchInput
      label="Filter the lines"
      placeholder="Words, name or trace id"
      value={text}
      maxLength={100}
      onChange={ask}
      spellCheck={false}
      autoComplete="off"
      className={styles.text}
    />
  );
}
