// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { ErrorSummary } from '../message/ErrorSummary.tsx';
import { Field } from './Field.tsx';
import { Select } from './Select.tsx';
import { TextArea, TextInput } from './TextInput.tsx';

afterEach(cleanup);
const description = (element: HTMLElement) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent;

test('help describes a field until an error takes its place', () => {
  const { rerender } = render(
    <Field label="Netname" help="A to Z">
      <TextInput />
    </Field>,
  );
  expect(description(screen.getByLabelText('Netname'))).toBe('A to Z');
  expect(screen.getByLabelText('Netname').getAttribute('aria-invalid')).toBeNull();
  rerender(
    <Field label="Netname" help="A to Z" error="No spaces">
      <TextInput />
    </Field>,
  );
  expect(description(screen.getByLabelText('Netname'))).toBe('No spaces');
  expect(screen.getByLabelText('Netname').getAttribute('aria-invalid')).toBe('true');
});

function Bounded({ of: Control }: { of: typeof TextInput | typeof TextArea }) {
  const [value, setValue] = useState('');
  return (
    <Field label="Netname" help="A to Z" error={value === 'wrong' ? 'Wrong' : undefined}>
      <Control value={value} maxLength={5} onChange={(event: { target: { value: string } }) => setValue(event.target.value)} />
    </Field>
  );
}

test.each([TextInput, TextArea])('a text that is too long is kept whole, and the field says by how much until it fits', async Control => {
  render(<Bounded of={Control} />);
  const control = screen.getByLabelText('Netname') as HTMLInputElement;
  await userEvent.click(control);
  await userEvent.paste('EXAMPLE-NET');
  expect(control.value).toBe('EXAMPLE-NET');
  expect(description(control)).toBe('Enter at most 5 characters: 6 too many');
  expect(control.getAttribute('aria-invalid')).toBe('true');
  await userEvent.clear(control);
  await userEvent.type(control, 'wrong');
  expect(description(control)).toBe('Wrong');
  await userEvent.type(control, 's');
  expect(description(control)).toBe('Enter at most 5 characters: 1 too many');
  await userEvent.clear(control);
  expect(description(control)).toBe('A to Z');
});

test('without a field that could say it, the browser keeps the bound', () => {
  render(<TextInput aria-label="Find" maxLength={5} value="" onChange={() => undefined} />);
  expect(screen.getByLabelText('Find').getAttribute('maxlength')).toBe('5');
});

test('an optional field is marked', () => {
  render(
    <Field label="Status" optional>
      <Select options={['A', { value: 'b', label: 'B' }]} />
    </Field>,
  );
  expect(screen.getByLabelText(/Status.*optional/).getAttribute('aria-required')).toBeNull();
  expect(screen.getAllByRole('option')).toHaveLength(2);
});

test('the summary is read out and leads to the field', async () => {
  const user = userEvent.setup();
  render(
    <>
      <ErrorSummary errors={[{ fieldId: 'netname', message: 'Netname has spaces' }]} />
      <Field label="Netname" id="netname">
        <TextInput />
      </Field>
    </>,
  );
  expect(screen.getByRole('alert', { name: 'There’s a problem' }).textContent).toContain('One field needs attention');
  await user.click(screen.getByRole('link', { name: 'Netname has spaces' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Netname'));
});
