import { ServiceFailure } from '@portal/api-client';
import { Email } from '@portal/contract/email';
import { PhoneNumber } from '@portal/contract/phone';
import { Button, Field, SearchInput, TextArea, TextInput } from '@portal/ui';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { show } from '../../test/member.tsx';
import { useDraft } from './draft.ts';
import { Form } from './Form.tsx';
import { joinedChanges, noCall, useForm } from './use-form.ts';

const Person = z.object({
  email: Email,
  phone: PhoneNumber,
  lines: z._default(z.array(z.string().check(z.maxLength(9, { error: 'A line has at most 9 characters' }))), []),
});
const initial = { email: '', emailAgain: '', phone: '', lines: '' };

const send = vi.fn();
const reset = vi.fn();
beforeEach(() => {
  send.mockClear();
  reset.mockClear();
  localStorage.clear();
});

/** The form, and what the call that it makes is refused with once a button outside is pressed. */
function PersonForm({
  isPending = false,
  refusal = null,
  kept = false,
}: {
  isPending?: boolean;
  refusal?: ServiceFailure | null;
  kept?: boolean;
}) {
  const [error, setError] = useState<ServiceFailure | null>(null);
  const draft = useDraft('person', initial);
  const form = useForm(Person, initial, {
    name: 'person',
    draft: kept ? draft : undefined,
    toBody: ({ email, phone, lines }) => ({ email, phone, lines: lines.split('\n') }),
    also: ['papers'],
    check: ({ email, emailAgain }) => (email === emailAgain ? {} : { emailAgain: 'The two addresses are not the same' }),
    ifEmpty: { email: 'Enter the e-mail address' },
    fieldOfCode: { ALREADY_CONTACT: 'email', DOCUMENT_MISSING: 'papers' },
    shownElsewhere: ['STALE'],
    change: { error, isPending, reset },
    send,
  });
  return (
    <Form form={form} label="Person">
      <Field label="E-mail" {...form.field('email')}>
        <TextInput {...form.input('email')} />
      </Field>
      <Field label="Again" {...form.field('emailAgain')}>
        <TextInput {...form.input('emailAgain')} />
      </Field>
      <Field label="Telephone" optional {...form.field('phone')}>
        <TextInput {...form.input('phone')} />
      </Field>
      <Field label="Lines" optional {...form.field('lines')}>
        <TextInput {...form.input('lines')} />
      </Field>
      <output aria-label="Changed">{String(form.isChanged)}</output>
      <Button type="submit" busy={form.busy}>
        Save
      </Button>
      <Button onClick={form.reset}>Begin again</Button>
      <Button onClick={() => setError(refusal)}>Refuse</Button>
    </Form>
  );
}

const at = (label: RegExp) => screen.getByLabelText(label);
const described = (label: RegExp) => document.getElementById(at(label).getAttribute('aria-describedby') ?? '')?.textContent;
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

test('no problem is shown before a field is left or the form is submitted, and the first wrong field then has the focus', async () => {
  show(<PersonForm />);
  await userEvent.type(at(/Telephone/), 'call me');
  expect(described(/Telephone/)).toBeUndefined();
  await userEvent.tab();
  expect(described(/Telephone/)).toBe('Enter a telephone number, such as +61 7 5550 0100');
  expect(described(/E-mail/)).toBeUndefined();

  await save();
  expect(send).not.toHaveBeenCalled();
  expect(described(/E-mail/)).toBe('Enter the e-mail address');
  expect(at(/E-mail/).getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(at(/E-mail/));
});

test('a form with several problems lists them, and each line leads to its field', async () => {
  show(<PersonForm />);
  await userEvent.type(at(/Telephone/), 'call me');
  await save();
  const summary = within(screen.getByRole('alert', { name: 'There’s a problem' }));
  expect(summary.getAllByRole('link').map(link => link.textContent)).toEqual([
    'Enter the e-mail address',
    'Enter a telephone number, such as +61 7 5550 0100',
  ]);
  await userEvent.click(summary.getByRole('link', { name: /telephone/ }));
  expect(document.activeElement).toBe(at(/Telephone/));
  // Correcting one keeps the focus where it is, and clears the message at the field and in the list, which a single problem doesn't need.
  await userEvent.type(at(/E-mail/), 'tess@example.net');
  expect(document.activeElement).toBe(at(/E-mail/));
  expect(described(/E-mail/)).toBeUndefined();
  expect(screen.queryByRole('link', { name: 'Enter the e-mail address' })).toBeNull();
});

test('valid input is sent as the contract parses it', async () => {
  show(<PersonForm />);
  await userEvent.type(at(/E-mail/), ' tess@example.net ');
  await userEvent.type(at(/Again/), ' tess@example.net ');
  await save();
  expect(send).toHaveBeenCalledExactlyOnceWith({ email: 'tess@example.net', phone: '', lines: [''] }, expect.anything());
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a rule beyond the contract keeps the form from being sent, and the problem of a line appears at its field', async () => {
  show(<PersonForm />);
  await userEvent.type(at(/E-mail/), 'tess@example.net');
  await save();
  expect(described(/Again/)).toBe('The two addresses are not the same');
  await userEvent.type(at(/Again/), 'tess@example.net');
  await userEvent.type(at(/Lines/), 'a long, long line');
  await save();
  expect(described(/Lines/)).toBe('A line has at most 9 characters');
  expect(send).not.toHaveBeenCalled();
});

test('a refusal appears at the field it names until that is edited, and others above the form', async () => {
  const refusal = new ServiceFailure(400, [
    { code: 'INVALID_REQUEST', field: 'lines.0', message: 'This line is refused', traceId: 'f00d' },
    { code: 'ALREADY_CONTACT', message: 'tess is a contact already', traceId: 'f00d' },
    { code: 'INVALID_REQUEST', field: 'version', message: 'expected int', traceId: 'f00d' },
    { code: 'STALE', message: 'shown by the page itself', traceId: 'f00d' },
  ]);
  show(<PersonForm kept refusal={refusal} />);
  for (const label of [/E-mail/, /Again/]) await userEvent.type(at(label), 'tess@example.net');
  await save();
  await userEvent.click(screen.getByRole('button', { name: 'Refuse' }));
  expect(described(/Lines/)).toBe('This line is refused');
  expect(described(/E-mail/)).toBe('tess is a contact already');
  expect(document.activeElement).toBe(at(/E-mail/));
  expect(screen.getByText('version: expected int')).toBeDefined();
  expect(screen.getByText('f00d')).toBeDefined();
  expect(screen.queryByText('shown by the page itself')).toBeNull();

  await userEvent.type(at(/Lines/), 'short');
  expect(described(/Lines/)).toBeUndefined();
  expect(described(/E-mail/)).toBe('tess is a contact already');
  // Sent again, the earlier refusal is gone until there is a new one.
  await save();
  expect(send).toHaveBeenCalledTimes(2);
  expect(screen.queryByText('version: expected int')).toBeNull();
});

/** A form with a dry run before the act, which finds a problem with one line. */
function RehearsedForm() {
  const [tried, setTried] = useState('');
  const form = useForm(Person, initial, {
    name: 'rehearsed',
    toBody: ({ email, phone, lines }) => ({ email, phone, lines: lines.split('\n') }),
    found: values =>
      tried === JSON.stringify(values)
        ? [
            { field: 'lines.0', message: 'This line is taken' },
            { field: 'elsewhere', message: 'Something else is wrong' },
          ]
        : [],
    change: joinedChanges(noCall, { error: null, isPending: false, reset }),
    send(body, values) {
      send(body);
      setTried(JSON.stringify(values));
    },
  });
  return (
    <Form form={form} label="Rehearsed">
      <Field label="E-mail" {...form.field('email')}>
        <TextInput {...form.input('email')} />
      </Field>
      <Field label="Lines" optional {...form.field('lines')}>
        <TextInput {...form.input('lines')} />
      </Field>
      <SearchInput label="Find" value="" onChange={() => undefined} />
      <Button type="submit">Try</Button>
      <Button onClick={form.reset}>Begin again</Button>
    </Form>
  );
}

test('what a dry run finds appears at its field like a refusal, and the form can be sent again', async () => {
  show(<RehearsedForm />);
  await userEvent.type(at(/E-mail/), 'tess@example.net{Enter}');
  expect(send).toHaveBeenCalledTimes(1);
  expect(described(/Lines/)).toBe('This line is taken');
  expect(document.activeElement).toBe(at(/Lines/));
  expect(screen.getByText('Something else is wrong')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Try' }));
  expect(send).toHaveBeenCalledTimes(2);
  await userEvent.type(at(/Lines/), 'x');
  expect(described(/Lines/)).toBeUndefined();
  expect(screen.queryByText('Something else is wrong')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Begin again' }));
  expect(reset).toHaveBeenCalledOnce();
});

test('Enter sends the form from each of its fields, but not from a search inside of it', async () => {
  show(<RehearsedForm />);
  await userEvent.type(at(/E-mail/), 'tess@example.net');
  await userEvent.type(screen.getByRole('searchbox', { name: 'Find' }), '{Enter}');
  expect(send).not.toHaveBeenCalled();
  await userEvent.type(at(/Lines/), '{Enter}');
  expect(send).toHaveBeenCalledOnce();
});

function NoteForm() {
  const form = useForm(
    z.object({ note: z.string() }),
    { note: '' },
    { name: 'note', ifEmpty: { note: 'Enter a note' }, change: noCall, send },
  );
  return (
    <Form form={form} label="Note">
      <Field label="Note" {...form.field('note')}>
        <TextArea {...form.input('note')} />
      </Field>
    </Form>
  );
}

test('in a field of several lines Enter begins a line, and Ctrl and Enter sends the form', async () => {
  show(<NoteForm />);
  const note = screen.getByRole('textbox', { name: /Note/ });
  await userEvent.type(note, 'One{Enter}Two');
  expect(send).not.toHaveBeenCalled();
  await userEvent.type(note, '{Control>}{Enter}{/Control}');
  expect(send).toHaveBeenCalledTimes(1);
  expect(send.mock.calls[0]![0]).toEqual({ note: 'One\nTwo' });
});

test('it is not sent again while it is being sent', async () => {
  show(<PersonForm isPending />);
  for (const label of [/E-mail/, /Again/]) await userEvent.type(at(label), 'tess@example.net');
  await userEvent.keyboard('{Enter}');
  expect(send).not.toHaveBeenCalled();
});

test('a text that is longer than the contract allows is kept, told as it is pasted, and not sent', async () => {
  show(<PersonForm />);
  await userEvent.click(at(/Telephone/));
  await userEvent.paste('6'.repeat(43));
  expect((at(/Telephone/) as HTMLInputElement).value).toHaveLength(43);
  expect(screen.getByText('Enter at most 40 characters: 3 too many')).toBeTruthy();
});

test('a draft keeps what is typed, and starting over empties it', async () => {
  const { unmount } = show(<PersonForm kept />);
  await userEvent.type(at(/Telephone/), '+61 7');
  expect(at(/Changed/).textContent).toBe('true');
  unmount();
  show(<PersonForm kept />);
  expect((at(/Telephone/) as HTMLInputElement).value).toBe('+61 7');
  await userEvent.click(screen.getByRole('button', { name: 'Begin again' }));
  expect((at(/Telephone/) as HTMLInputElement).value).toBe('');
  expect(at(/Changed/).textContent).toBe('false');
  expect(reset).toHaveBeenCalledOnce();
});
