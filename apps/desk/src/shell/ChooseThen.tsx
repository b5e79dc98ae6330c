import { Button, Field, Row, Select } from '@portal/ui';
import { type ReactNode, useRef, useState } from 'react';
import { leaveField, useDeskKeys } from './cases/desk-keys.ts';
import { Key } from './cases/Key.tsx';

/**
 * A choice that takes effect by its button, or by Enter. Arrows of the keyboard move through the choices of a closed list, and each would be carried out if the choice itself did it.
 * @param value what is chosen now; with another one the button appears
 */
export function ChooseThen<Value extends string>({
  label,
  help,
  value,
  options,
  act,
  busy = false,
  letter,
  keys,
  onAct,
}: {
  label: string;
  help?: ReactNode;
  value: Value;
  options: readonly { value: Value; label: string }[];
  /** Names the act: `Move`. */
  act: string;
  busy?: boolean;
  /** The key that leads to it, where the page has one. */
  letter?: string;
  /** The keys that lead to it from a field beside it, as assistive technology reads them. */
  keys?: string;
  onAct: (chosen: Value) => void;
}) {
  const [chosen, setChosen] = useState(value);
  const [was, setWas] = useState(value);
  if (was !== value) {
    setWas(value);
    setChosen(value);
  }
  const list = useRef<HTMLSelectElement>(null);
  useDeskKeys(letter ? { [letter]: () => list.current?.focus() } : {});
  const carryOut = () => {
    if (chosen === value || busy) return;
    onAct(chosen);
    setChosen(value);
    // The button goes with the choice. What its letter led to is done, and the keys of the page work again.
    if (letter) leaveField();
    else list.current?.focus();
  };
  return (
    <Field
      label={
        letter ? (
          <>
            {label} <Key name={letter} />
          </>
        ) : (
          label
        )
      }
      help={help}
    >
      <Row gap={8} wrap>
        <Select
          ref={list}
          aria-label={label}
          aria-keyshortcuts={letter ?? keys}
          value={chosen}
          aria-busy={busy || undefined}
          options={options}
          onChange={event => setChosen(event.target.value as Value)}
          onKeyDown={event => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || chosen === value) return;
            event.preventDefault();
            carryOut();
          }}
        />
        {chosen !== value && (
          <Button size="s" busy={busy} onClick={carryOut}>
            {act}
          </Button>
        )}
      </Row>
    </Field>
  );
}
