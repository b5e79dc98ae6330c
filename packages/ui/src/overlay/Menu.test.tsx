// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Menu } from './Menu.tsx';

const onAct = vi.fn();
beforeEach(() => {
  onAct.mockClear();
  render(
    <Menu
      label="More acts"
      icon="more"
      groups={[
        {
          items: [
            { id: 'edit', label: 'Edit whois' },
            { id: 'transfer', label: 'Transfer', refusal: 'Needs a multifactor sign-in' },
          ],
        },
        { label: 'Danger', items: [{ id: 'return', label: 'Return to the registry', danger: true }] },
      ]}
      onAct={onAct}
    />,
  );
});
afterEach(cleanup);
const trigger = () => screen.getByRole('button', { name: 'More acts' });
const item = (name: RegExp) => screen.getByRole('menuitem', { name, hidden: true });

test('opens on its first item, moves with the arrows and round the end, acts with Enter, and gives the focus back', async () => {
  const user = userEvent.setup();
  await user.click(trigger());
  expect(trigger().getAttribute('aria-expanded')).toBe('true');
  expect(document.activeElement).toBe(item(/Edit whois/));
  await user.keyboard('{ArrowUp}');
  expect(document.activeElement).toBe(item(/Return/));
  await user.keyboard('{ArrowDown}{Enter}');
  expect(onAct).toHaveBeenCalledExactlyOnceWith('edit');
  expect(screen.queryByRole('menu', { hidden: true })).toBeNull();
  expect(document.activeElement).toBe(trigger());
});

test('a refused item can be reached, says why, and does nothing', async () => {
  const user = userEvent.setup();
  await user.click(trigger());
  await user.keyboard('t');
  expect(document.activeElement).toBe(item(/Needs a multifactor sign-in/));
  expect(document.activeElement?.getAttribute('aria-disabled')).toBe('true');
  await user.keyboard('{Enter}');
  expect(onAct).not.toHaveBeenCalled();
  expect(screen.getByRole('menu', { hidden: true })).toBeTruthy();
});

test('Escape closes it', async () => {
  const user = userEvent.setup();
  await user.click(trigger());
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('menu', { hidden: true })).toBeNull();
  expect(document.activeElement).toBe(trigger());
});

test('Home and End lead to the first and the last item, Tab closes and gives the focus back', async () => {
  const user = userEvent.setup();
  await user.click(trigger());
  await user.keyboard('{End}');
  expect(document.activeElement).toBe(item(/Return/));
  await user.keyboard('{Home}');
  expect(document.activeElement).toBe(item(/Edit whois/));
  await user.keyboard('{Tab}');
  expect(screen.queryByRole('menu', { hidden: true })).toBeNull();
  expect(document.activeElement).toBe(trigger());
});

test('a press outside closes it and acts on nothing', async () => {
  const user = userEvent.setup();
  await user.click(trigger());
  await user.click(document.body);
  expect(screen.queryByRole('menu', { hidden: true })).toBeNull();
  expect(onAct).not.toHaveBeenCalled();
});

test('names itself and its groups, and says that its button has a menu', async () => {
  const user = userEvent.setup();
  expect(trigger().getAttribute('aria-haspopup')).toBe('menu');
  await user.click(trigger());
  expect(screen.getByRole('menu', { name: 'More acts', hidden: true })).toBeTruthy();
  expect(screen.getByRole('group', { name: 'Danger', hidden: true })).toBeTruthy();
});
