// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Button } from './Button.tsx';

afterEach(cleanup);
const description = (element: HTMLElement) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map(id => document.getElementById(id)?.textContent)
    .join(' ');

describe.each(['line', 'note'] as const)('a refused button with its reason in a %s', refusalIn => {
  test('stays in the tab order, shows the reason, and does nothing', async () => {
    const user = userEvent.setup();
    const act = vi.fn();
    render(
      <Button
        onClick={act}
        refusal={{ reason: 'Only corporate contacts may approve.', ask: <a href="#ask">Ask Corin</a> }}
        refusalIn={refusalIn}
      >
        Approve
      </Button>,
    );
    await user.tab();
    const button = screen.getByRole('button', { name: 'Approve' });
    expect(document.activeElement).toBe(button);
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(button.hasAttribute('disabled')).toBe(false);
    expect(description(button)).toBe('Only corporate contacts may approve.');
    await user.keyboard('{Enter}');
    await user.click(button);
    expect(act).not.toHaveBeenCalled();
    await user.tab();
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Ask Corin' }));
  });

  test('does not send its form', async () => {
    const user = userEvent.setup();
    const send = vi.fn((event: React.FormEvent) => event.preventDefault());
    render(
      <form onSubmit={send}>
        <Button type="submit" refusal={{ reason: 'Closed' }} refusalIn={refusalIn}>
          Send
        </Button>
      </form>,
    );
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(send).not.toHaveBeenCalled();
  });
});

test('a busy button keeps its label and ignores further clicks', async () => {
  const user = userEvent.setup();
  const act = vi.fn();
  render(
    <Button busy onClick={act}>
      Publishing
    </Button>,
  );
  const button = screen.getByRole('button', { name: 'Publishing' });
  await user.click(button);
  expect(button.getAttribute('aria-busy')).toBe('true');
  expect(act).not.toHaveBeenCalled();
});

test('an enabled button acts', async () => {
  const user = userEvent.setup();
  const act = vi.fn();
  render(<Button onClick={act}>Publish 3 changes</Button>);
  await user.click(screen.getByRole('button', { name: 'Publish 3 changes' }));
  expect(act).toHaveBeenCalledOnce();
});
