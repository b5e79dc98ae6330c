import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { type Act, Decision } from './Decision.tsx';
import { OpenCaseContext } from './open-case.ts';

const open = (act: Partial<Act>) => {
  const send = vi.fn();
  const acts: Act[] = [{ name: 'approve', label: 'Mark as solved', variant: 'default', consequence: '', busy: false, send, ...act }];
  render(
    <OpenCaseContext value={{ named: { kind: 'tickets', caseId: '7' }, next: null, isDecided: false, onDecided: () => undefined }}>
      <Decision acts={acts} refusal={null} overtaken={null} />
    </OpenCaseContext>,
  );
  return { send, button: screen.getByRole('button', { name: /^Mark as solved/ }) };
};

it('a letter leads to the button of an act without words, and does not press it', () => {
  const { send, button } = open({});
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(document.activeElement).toBe(button);
  expect(send).not.toHaveBeenCalled();
  fireEvent.click(button);
  expect(send).toHaveBeenCalledTimes(1);
});

it('a letter leads to the button of an act that is not possible, which says why', () => {
  const { send, button } = open({ why: 'An approval is waiting for a second person' });
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(document.activeElement).toBe(button);
  expect(send).not.toHaveBeenCalled();
});
