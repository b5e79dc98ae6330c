import { ServiceFailure } from '@portal/api-client';
import { Field, TextInput } from '@portal/ui';
import { fireEvent, screen } from '@testing-library/react';
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
