import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { DateInput } from './DateInput.tsx';
import { DateTimeInput } from './DateTimeInput.tsx';
import { dayOf } from '@portal/number-resources/written-day';
import { Field } from './Field.tsx';
import { momentOf } from './moment-of.ts';

function open(first = '') {
  const values: string[] = [];
  function Form() {
    const [value, setValue] = useState(first);
    return (
      <Field label="Until" help="The last day">
        <DateInput
          value={value}
          min="2026-01-01"
          onChange={({ target }) => {
            values.push(target.value);
            setValue(target.value);
          }}
        />
      </Field>
    );
  }
  render(<Form />);
  return {
    values,
    field: screen.getByLabelText<HTMLInputElement>('Until'),
    calendar: () => document.querySelector<HTMLInputElement>('[type="date"]')!,
  };
}

it.each([
  ['2026-11-25', '2026-11-25'],
  [' 25 Nov 2026 ', '2026-11-25'],
  ['5 november 2026', '2026-11-05'],
  ['Nov 5, 2026', '2026-11-05'],
  ['5.1.2026', '2026-01-05'],
  ['29 Feb 2028', '2028-02-29'],
  ['31 Apr 2026', null],
  ['29 Feb 2026', null],
  ['11/12/2026', null],
  ['25 No 2026', null],
  ['25 Nov', null],
  ['', null],
])('reads %j as %s', (text, day) => {
  expect(dayOf(text)).toBe(day);
});

it('shows a day as everywhere in the portal, and gives it as a calendar day', async () => {
  const { values, field } = open('2026-11-25');
  expect(field.value).toBe('25 Nov 2026');
  await userEvent.clear(field);
  await userEvent.type(field, '1 dec 2026');
  expect([field.value, values.at(-1)]).toEqual(['1 dec 2026', '2026-12-01']);
  fireEvent.blur(field);
  expect(field.value).toBe('1 Dec 2026');
});

it('keeps what is no day, for the form to say so', async () => {
  const { values, field } = open();
  await userEvent.type(field, '11/12/2026');
  fireEvent.blur(field);
  expect([field.value, values.at(-1)]).toEqual(['11/12/2026', '11/12/2026']);
});

it('is described by its field, and the calendar is for the pointer and the button only', () => {
  const { field, calendar, values } = open();
  expect(document.getElementById(field.getAttribute('aria-describedby')!)!.textContent).toBe('The last day');
  expect([calendar().getAttribute('aria-hidden'), calendar().tabIndex, calendar().min]).toEqual(['true', -1, '2026-01-01']);
  fireEvent.change(calendar(), { target: { value: '2026-12-24' } });
  expect([values.at(-1), field.value]).toEqual(['2026-12-24', '24 Dec 2026']);
});

it.each([
  ['2026-11-25T14:00', '2026-11-25T14:00'],
  ['25 Nov 2026, 14:00', '2026-11-25T14:00'],
  ['25 Oct 2026 9.05', '2026-10-25T09:05'],
  ['25.11.2026, 2:00 pm', '2026-11-25T14:00'],
  ['Nov 25, 2026, 12:30 AM', '2026-11-25T00:30'],
  ['25 Nov 2026 12:00 pm', '2026-11-25T12:00'],
  ['25 Nov 2026, 24:00', null],
  ['25 Nov 2026, 14:00 pm', null],
  ['25 Nov 2026, 14:60', null],
  ['25 Nov 2026', null],
  ['25 Oct 12:30', null],
  ['11/12/2026, 14:00', null],
  ['', null],
])('reads %j as the moment %s', (text, moment) => {
  expect(momentOf(text)).toBe(moment);
});

it('shows a moment as everywhere in the portal, and keeps what is none for the form to say so', async () => {
  const values: string[] = [];
  function Form() {
    const [value, setValue] = useState('2026-11-25T14:00');
    return (
      <Field label="Closes">
        <DateTimeInput
          value={value}
          onChange={({ target }) => {
            values.push(target.value);
            setValue(target.value);
          }}
        />
      </Field>
    );
  }
  render(<Form />);
  const field = screen.getByLabelText<HTMLInputElement>('Closes');
  expect(field.value).toBe('25 Nov 2026, 14:00');
  await userEvent.clear(field);
  await userEvent.type(field, '1 dec 2026, 9:30 am');
  expect(values.at(-1)).toBe('2026-12-01T09:30');
  fireEvent.blur(field);
  expect(field.value).toBe('1 Dec 2026, 09:30');
  await userEvent.clear(field);
  await userEvent.type(field, 'noon');
  fireEvent.blur(field);
  expect([field.value, values.at(-1)]).toEqual(['noon', 'noon']);
});
