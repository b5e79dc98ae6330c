import { ServiceFailure } from '@portal/api-client';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { show } from '../../test/member.tsx';
import { ActForm } from './ActForm.tsx';

const form = (ready: boolean, more: { onAct: () => void; onClose: () => void; error?: ServiceFailure }) => (
  <ActForm
    label="Delete it"
    change={{ error: more.error ?? null, isPending: false }}
    ready={ready}
    act="Delete"
    kind="danger"
    keep="Keep it"
    onAct={more.onAct}
    onClose={more.onClose}
  >
    {sent => (sent && !ready ? <p>Write the reason</p> : <p>Nothing is missing</p>)}
  </ActForm>
);

test('what is missing is told once it was tried, and nothing is sent before', () => {
  const [onAct, onClose] = [vi.fn(), vi.fn()];
  show(form(false, { onAct, onClose }));
  expect(screen.queryByText('Write the reason')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(screen.getByText('Write the reason')).toBeDefined();
  expect(onAct).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Keep it' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test('what is right is sent once, and what went wrong stands above', () => {
  const [onAct, onClose] = [vi.fn(), vi.fn()];
  const error = new ServiceFailure(409, [{ code: 'NOTHING_TO_DO', message: 'It is gone already', traceId: 'f00d' }]);
  show(form(true, { onAct, onClose, error }));
  expect(screen.getByText('It is gone already')).toBeDefined();
  fireEvent.submit(screen.getByRole('form', { name: 'Delete it' }));
  expect(onAct).toHaveBeenCalledOnce();
});
