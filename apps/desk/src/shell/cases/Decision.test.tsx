import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { requestDesk } from '@portal/contract/requests/desk';
import { expect, it, vi } from 'vitest';
import { type Act, Decision } from './Decision.tsx';
import { keysNow } from './desk-keys.ts';
import { OpenCaseContext, type Passed } from './open-case.ts';

const bar = (acts: readonly Act[], passed: Passed | null = null, next: (() => void) | null = null) => (
  <OpenCaseContext value={{ named: { kind: 'tickets', caseId: '7' }, next, passed, onPassed: () => undefined, onNoAct: null }}>
    <Decision acts={acts} refusal={null} overtaken={null} />
  </OpenCaseContext>
);
const open = (act: Partial<Act>) => {
  const send = vi.fn();
  const acts: Act[] = [{ name: 'approve', label: 'Mark as solved', variant: 'default', consequence: '', busy: false, send, ...act }];
  const { rerender } = render(bar(acts));
  return { send, acts, rerender, button: screen.getByRole('button', { name: /^Mark as solved/ }) };
};
const asks: Partial<Act> = {
  name: 'ask',
  label: 'Mark as solved',
  words: { label: 'Question', body: requestDesk.askAboutRequest.body, field: 'question', needed: 'Enter your question' },
};

it('a letter leads to the button of an act without words, and does not press it', () => {
  const { send, button } = open({});
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(document.activeElement).toBe(button);
  expect(send).not.toHaveBeenCalled();
  fireEvent.click(button);
  expect(send).toHaveBeenCalledTimes(1);
});

it('its letter takes a case, which decides nothing', () => {
  const { send } = open({ name: 'review', label: 'Mark as solved' });
  fireEvent.keyDown(document.body, { key: 't' });
  expect(send).toHaveBeenCalledTimes(1);
});

it('a letter that decides says who has the next move where nothing can be decided', () => {
  const onNoAct = vi.fn();
  render(
    <OpenCaseContext value={{ named: { kind: 'transfers', caseId: '8' }, next: null, passed: null, onPassed: () => undefined, onNoAct }}>
      <Decision acts={[]} refusal={null} overtaken={null} />
    </OpenCaseContext>,
  );
  fireEvent.keyDown(document.body, { key: 'r' });
  expect(onNoAct).toHaveBeenCalledTimes(1);
  expect(keysNow().has('r')).toBe(false);
});

it('a letter leads to the button of an act that is not possible, which says why', () => {
  const { send, button } = open({ why: 'An approval is waiting for a second person' });
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(document.activeElement).toBe(button);
  expect(send).not.toHaveBeenCalled();
});

it('a letter leads to where its act is done, if that is elsewhere on the page', () => {
  const leads = vi.fn();
  const { button } = open({ why: 'An approval is waiting for a second person', leads });
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(leads).toHaveBeenCalledTimes(1);
  expect(document.activeElement).not.toBe(button);
});

it('an act that becomes impossible while its form is open leaves the focus on its button, which says why', () => {
  const { acts, rerender } = open({ ...asks, name: 'approve' });
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(document.activeElement).toBe(screen.getByLabelText(/Question/));
  rerender(bar(acts.map(act => ({ ...act, why: 'An approval is waiting for a second person' }))));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Mark as solved/ }));
});

it('closing the form of an act gives its button the focus, and its letter leads back into a form that is open', async () => {
  const { button } = open(asks);
  fireEvent.keyDown(document.body, { key: 'q' });
  const field = screen.getByLabelText(/Question/);
  expect(document.activeElement).toBe(field);
  field.blur();
  fireEvent.keyDown(document.body, { key: 'q' });
  expect(document.activeElement).toBe(field);
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(screen.queryByLabelText(/Question/)).toBeNull();
  expect(button.isConnected).toBe(false);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Mark as solved/ })));
});

it('a question that was sent closes its form, and the way to the next case has the focus', () => {
  const { acts, rerender } = open(asks);
  fireEvent.keyDown(document.body, { key: 'q' });
  rerender(bar(acts, 'asked', () => undefined));
  expect(screen.queryByLabelText(/Question/)).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Next case/ }));
  expect(screen.getByText('Sent. The member has the next move. The next case of the queue is one key away.')).toBeTruthy();
});

it('an act that takes its button with it leaves the focus on the decision', () => {
  const { rerender, acts } = open({});
  const taking: Act = { name: 'review', label: 'Take into review', variant: 'quiet', consequence: '', busy: false, send: () => undefined };
  rerender(bar([...acts, taking]));
  screen.getByRole('button', { name: /^Take into review/ }).focus();
  rerender(bar(acts));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Mark as solved/ }));
});
