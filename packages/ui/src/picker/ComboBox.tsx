/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus, jsx-a11y/click-events-have-key-events -- the focus stays in the field, whose keys act on the list */
import { type FocusEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Field } from '../form/Field.tsx';
import { TextInput } from '../form/TextInput.tsx';
import styles from './ComboBox.module.css';

export type ComboBoxItem = { id: string; text: string; note?: string };

export type ComboBoxProps = {
  label: ReactNode;
  items: readonly ComboBoxItem[];
  /** The text in the field. */
  value: string;
  /** The text, and the item if it matches one. */
  onChange: (value: string, item: ComboBoxItem | null) => void;
  /** The items come from a search for what is typed and are shown as they come; without it they are narrowed here. */
  searched?: boolean;
  mono?: boolean;
  help?: ReactNode;
  error?: ReactNode;
  optional?: boolean;
  placeholder?: string;
  id?: string;
};

/** A field with suggestions: people, handles, prefixes that the account holds. The typed text may differ from all of them; the form decides. */
export function ComboBox({ label, help, error, optional, id, ...rest }: ComboBoxProps) {
  return (
    <Field
      label={label}
      {...(help !== undefined && { help })}
      {...(error !== undefined && { error })}
      {...(optional && { optional })}
      {...(id && { id })}
    >
      <Suggestions label={typeof label === 'string' ? label : 'Suggestions'} {...rest} />
    </Field>
  );
}

function Suggestions({ label, items, value, onChange, searched, mono, placeholder }: Omit<ComboBoxProps, 'label'> & { label: string }) {
  const listId = useId();
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const words = value.trim().toLowerCase();
  const exact = items.find(item => item.text === value) ?? null;
  const shown = searched || exact ? items : items.filter(item => `${item.text} ${item.note ?? ''}`.toLowerCase().includes(words));
  const listed = open && shown.length > 0;
  const current = listed ? shown[active] : undefined;

  const pick = (item: ComboBoxItem) => {
    onChange(item.text, item);
    setOpen(false);
    setActive(-1);
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!listed) {
        setOpen(true);
        setActive(0);
        return;
      }
      const step = event.key === 'ArrowDown' ? 1 : -1;
      const next = (active + step + shown.length) % shown.length;
      setActive(next);
      box.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView?.({ block: 'nearest' });
    } else if (event.key === 'Enter' && current) {
      event.preventDefault();
      pick(current);
    } else if (event.key === 'Escape' && listed) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
      setActive(-1);
    }
  };
  const leave = (event: FocusEvent) => {
    if (!box.current?.contains(event.relatedTarget)) setOpen(false);
  };
  return (
    <div className={styles.box} ref={box} onBlur={leave}>
      <TextInput
        {...(mono && { mono })}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={listed}
        aria-controls={listed ? listId : undefined}
        aria-activedescendant={current ? `${listId}-${current.id}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        onChange={event => {
          setOpen(true);
          setActive(-1);
          onChange(event.target.value, items.find(item => item.text === event.target.value) ?? null);
        }}
        // Help that appears with the focus can move the field away below the pointer: then there is no click.
        onPointerDown={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onKeyDown={keys}
      />
      {listed && (
        <div className={styles.list} id={listId} role="listbox" aria-label={label}>
          {shown.map((item, index) => (
            <div
              key={item.id}
              id={`${listId}-${item.id}`}
              role="option"
              aria-selected={index === active}
              className={styles.item}
              onPointerDown={event => event.preventDefault()}
              onClick={() => pick(item)}
            >
              <span className={mono ? 'mono' : undefined}>
                <Marked text={item.text} words={words} />
              </span>
              {item.note && <span className={styles.note}>{item.note}</span>}
            </div>
          ))}
        </div>
      )}
      <output className="vh">{open && words !== '' && !exact ? `${shown.length} suggestions` : ''}</output>
    </div>
  );
}

function Marked({ text, words }: { text: string; words: string }) {
  const at = words === '' ? -1 : text.toLowerCase().indexOf(words);
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + words.length)}</mark>
      {text.slice(at + words.length)}
    </>
  );
}
