// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { ComboBox, type ComboBoxItem } from './ComboBox.tsx';

afterEach(cleanup);
const items: ComboBoxItem[] = [
  { id: 'TI4-EX', text: 'Tess Ito', note: 'TI4-EX' },
  { id: 'NT9-EX', text: 'Network team', note: 'NT9-EX' },
  { id: 'CR17-EX', text: 'Corin Reed', note: 'CR17-EX' },
];

function Contact({ onPick }: { onPick: (value: string, item: ComboBoxItem | null) => void }) {
  const [value, setValue] = useState('');
  return (
    <ComboBox
      label="Technical contact"
      items={items}
      value={value}
      onChange={(text, item) => {
        setValue(text);
        onPick(text, item);
      }}
    />
  );
}

test('typing narrows, arrows move, Enter takes the suggestion', async () => {
  const user = userEvent.setup();
  const onPick = vi.fn();
  render(<Contact onPick={onPick} />);
  const field = screen.getByRole('combobox', { name: 'Technical contact' });
  await user.type(field, 'te');
  expect(screen.getAllByRole('option').map(option => option.textContent)).toEqual(['Tess ItoTI4-EX', 'Network teamNT9-EX']);
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent).toContain('Network team');
  await user.keyboard('{Enter}');
  expect(onPick).toHaveBeenLastCalledWith('Network team', items[1]);
  expect(screen.queryByRole('listbox')).toBeNull();
});

test('Escape puts the suggestions away and keeps what was typed', async () => {
  const user = userEvent.setup();
  const onPick = vi.fn();
  render(<Contact onPick={onPick} />);
  const field = screen.getByRole('combobox') as HTMLInputElement;
  await user.type(field, 'co{Escape}');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(field.value).toBe('co');
  expect(onPick).toHaveBeenLastCalledWith('co', null);
});
