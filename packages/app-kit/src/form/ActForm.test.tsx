import { ServiceFailure } from '@portal/api-client';
import { Field, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { severalLines } from '@portal/contract/several-lines';
import { show } from '../../test/member.tsx';
import { ActForm } from './ActForm.tsx';
import { useForm } from './use-form.ts';

const Body = z.object({ reason: severalLines(500, 1) });

function Deletion({ reason, error, onAct, onClose }: { reason: string; error?: ServiceFailure; onAct: () => void; onClose: () => void }) {
  const form = useForm(
    Body,
    { reason },
    { name: 'deletion', change: { error: error ?? null, isPending: false, reset: () => undefined }, send: onAct },
  );
  return (
    <ActForm form={form} label="Delete it" act="Delete" kind="danger" keep="Cancel" onClose={onClose}>
      <Field label="Reason" {...form.field('reason')}>
        <TextInput {...form.input('reason')} />
      </Field>
    </ActForm>
  );
}

test('missing input is reported once the form is submitted, and nothing is sent before', () => {
  const [onAct, onClose] = [vi.fn(), vi.fn()];
  show(<Deletion reason="" onAct={onAct} onClose={onClose} />);
  expect(screen.queryByText('Enter a few words')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(screen.getByText('Enter a few words')).toBeDefined();
  expect(onAct).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test('valid input is sent once, and a refusal appears above the fields', () => {
  const [onAct, onClose] = [vi.fn(), vi.fn()];
  const error = new ServiceFailure(409, [{ code: 'NOTHING_TO_DO', message: 'It is gone already', traceId: 'f00d' }]);
  show(<Deletion reason="a duplicate" error={error} onAct={onAct} onClose={onClose} />);
  expect(screen.getByText('It is gone already')).toBeDefined();
  fireEvent.submit(screen.getByRole('form', { name: 'Delete it' }));
  expect(onAct).toHaveBeenCalledOnce();
});

/** A button that the form replaces. */
function Opening({ reason = '' }: { reason?: string }) {
  const [open, setOpen] = useState(false);
  return open ? (
    <Deletion reason={reason} onAct={() => undefined} onClose={() => setOpen(false)} />
  ) : (
    <div>
      <button type="button" onClick={() => setOpen(true)}>
        Delete object
      </button>
    </div>
  );
}

test('a form opened by a button has the focus, and Escape returns it to the button', async () => {
  const user = userEvent.setup();
  show(<Opening />);
  screen.getByRole('button', { name: 'Delete object' }).focus();
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(screen.getByLabelText('Reason'));
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('form')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete object' }));
});

test('Escape keeps the input and moves the focus to the discard button', async () => {
  const user = userEvent.setup();
  show(<Opening />);
  await user.click(screen.getByRole('button', { name: 'Delete object' }));
  await user.keyboard('Moved{Escape}{Escape}');
  expect((screen.getByLabelText('Reason') as HTMLInputElement).value).toBe('Moved');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete object' }));
});

test('in a dialog Escape closes an untouched form, and keeps one with input', async () => {
  const user = userEvent.setup();
  const onClose = vi.fn();
  const form = { values: '', submit: () => undefined, summary: [], refused: [], busy: false };
  const dialog = (isChanged: boolean) => (
    <Dialog open onClose={onClose} title="Delete it?">
      <ActForm form={{ ...form, isChanged }} act="Delete" onClose={onClose}>
        <Field label="Reason">
          <TextInput />
        </Field>
      </ActForm>
    </Dialog>
  );
  const first = show(dialog(true));
  (await screen.findByLabelText('Reason')).focus();
  await user.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
  first.unmount();
  show(dialog(false));
  (await screen.findByLabelText('Reason')).focus();
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});
