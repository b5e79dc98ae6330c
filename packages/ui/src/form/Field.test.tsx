// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { ErrorSummary } from '../message/ErrorSummary.tsx';
import { Field } from './Field.tsx';
import { Select } from './Select.tsx';
import { TextInput } from './TextInput.tsx';

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
