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

test('Escape closes the suggestions and keeps the input', async () => {
  const user = userEvent.setup();
  const onPick = vi.fn();
  render(<Contact onPick={onPick} />);
  const field = screen.getByRole('combobox') as HTMLInputElement;
  await user.type(field, 'co{Escape}');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(field.value).toBe('co');
  expect(onPick).toHaveBeenLastCalledWith('co', null);
});

test('the arrows open the list and wrap around, and the field announces the list and the current suggestion', async () => {
  const user = userEvent.setup();
  render(<Contact onPick={vi.fn()} />);
  const field = screen.getByRole('combobox');
  field.focus();
  expect(field.getAttribute('aria-expanded')).toBe('false');
  await user.keyboard('{ArrowDown}');
  expect(field.getAttribute('aria-expanded')).toBe('true');
  expect(field.getAttribute('aria-controls')).toBe(screen.getByRole('listbox', { name: 'Technical contact' }).id);
  const current = () => screen.getByRole('option', { selected: true });
  expect(current().textContent).toContain('Tess Ito');
  await user.keyboard('{ArrowUp}');
  expect(current().textContent).toContain('Corin Reed');
  await user.keyboard('{ArrowDown}');
  expect(current().textContent).toContain('Tess Ito');
  expect(field.getAttribute('aria-activedescendant')).toBe(current().id);
  expect(document.activeElement).toBe(field);
});

test('a click takes a suggestion and leaves the focus in the field; blur closes the list', async () => {
  const user = userEvent.setup();
  const onPick = vi.fn();
  render(<Contact onPick={onPick} />);
  const field = screen.getByRole('combobox');
  await user.click(field);
  await user.click(screen.getByRole('option', { name: /Corin Reed/ }));
  expect(onPick).toHaveBeenLastCalledWith('Corin Reed', items[2]);
  expect(document.activeElement).toBe(field);
  await user.click(field);
  expect(screen.getByRole('listbox')).toBeTruthy();
  await user.tab();
  expect(screen.queryByRole('listbox')).toBeNull();
});

test('announces the number of suggestions for the input', async () => {
  const user = userEvent.setup();
  render(<Contact onPick={vi.fn()} />);
  await user.type(screen.getByRole('combobox'), 'te');
  expect(screen.getByRole('status').textContent).toBe('2 suggestions');
});
