// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { DialogWindow, type DialogProps } from './DialogWindow.tsx';

afterEach(cleanup);
const form = (
  <form>
    <p>They get an e-mail.</p>
    <input type="checkbox" aria-label="Copy in" />
    <textarea aria-label="Message" />
  </form>
);
const open = (given: Partial<DialogProps> = {}) =>
  render(
    <DialogWindow open onClose={() => undefined} title="Write to EXAMPLE-AU" {...given}>
      {given.children ?? form}
    </DialogWindow>,
  );

test('the first field of a form in a dialog has the focus', async () => {
  open();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Message')));
});

test('a decision keeps the focus, so that its words are read first', async () => {
  open({ role: 'alertdialog' });
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('alertdialog')));
});

test('a dialog without a form has the focus itself', async () => {
  open({ children: <p>Keys</p> });
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('dialog')));
});
