import { type FormEvent, useContext, useState } from 'react';
import { Button } from '../action/Button.tsx';
import { Field } from '../form/Field.tsx';
import { TextInput } from '../form/TextInput.tsx';
import styles from './SavedFilterList.module.css';
import toolStyles from './ToolList.module.css';
import { MenuClosing } from './TableMenu.tsx';
import type { SavedFilter, TableState } from './table-state.ts';

/** Filters that can be saved for one table, and letters of a name. */
const maxSavedFilters = 20;
const maxLetters = 40;

export type SavedFilterListProps = {
  saved: readonly SavedFilter[];
  /** Those that are set. */
  filters: TableState['filters'];
  onApply: (filters: TableState['filters']) => void;
  onSavedChange: (saved: readonly SavedFilter[]) => void;
};

const keyOf = (filters: TableState['filters']): string =>
  JSON.stringify(Object.entries(filters).toSorted(([a], [b]) => a.localeCompare(b)));

/** Named filters: a press sets one, and those that are set are saved under a name; a name that is there gets the new ones. */
export function SavedFilterList({ saved, filters, onApply, onSavedChange }: SavedFilterListProps) {
  const onDone = useContext(MenuClosing);
  const [name, setName] = useState('');
  const current = saved.find(each => keyOf(each.filters) === keyOf(filters));
  const isSet = Object.keys(filters).length > 0;
  const wanted = name.trim();
  const isFull = saved.length >= maxSavedFilters && !saved.some(each => each.name === wanted);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (wanted === '' || isFull) return;
    onSavedChange(
      [...saved.filter(each => each.name !== wanted), { name: wanted, filters }].toSorted((a, b) => a.name.localeCompare(b.name)),
    );
    onDone();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-tabindex -- keeps the focus inside when something without focus is pressed
    <div className={toolStyles.list} data-floats role="group" aria-label="Saved filters" tabIndex={-1}>
      {saved.length > 0 && (
        <ul className={styles.names}>
          {saved.map(each => (
            <li key={each.name}>
              <Button
                variant="quiet"
                size="s"
                aria-pressed={each === current}
                onClick={() => {
                  onApply(each.filters);
                  onDone();
                }}
              >
                {each.name}
              </Button>
              <Button
                variant="quiet"
                size="s"
                icon="close"
                aria-label={`Delete the filter ${each.name}`}
                onClick={() => onSavedChange(saved.filter(other => other !== each))}
              />
            </li>
          ))}
        </ul>
      )}
      {isSet && !current ? (
        <form onSubmit={save} className={styles.form}>
          <Field label="Save these filters as" {...(isFull && { error: `Save at most ${maxSavedFilters}. Delete one first` })}>
            <TextInput value={name} maxLength={maxLetters} autoComplete="off" onChange={({ target }) => setName(target.value)} />
          </Field>
          <Button type="submit" size="s" refusal={wanted === '' ? { reason: 'Enter a name' } : null}>
            Save
          </Button>
        </form>
      ) : (
        !current && <p className={styles.note}>Set a filter to save it here.</p>
      )}
    </div>
  );
}
