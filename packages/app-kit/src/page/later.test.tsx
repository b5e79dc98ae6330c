import { show } from '@portal/app-kit/testing';
import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { optionalPart } from './later.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const module = { Strip: ({ text }: { text: string }) => <p>{text}</p> };
/** Loads the module after this many failures. */
const failing = (times: number) => {
  let calls = 0;
  return vi.fn(() => (calls++ < times ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(module)));
};
const settle = () => act(() => vi.advanceTimersByTimeAsync(5000));

test('an optional part that can’t be loaded leaves its place empty, and its surroundings stay', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const load = failing(99);
  const Strip = optionalPart(load, 'Strip');
  show(
    <main>
      <Strip text="Maintenance on Sunday" />
      <h1>Home</h1>
    </main>,
  );
  await settle();
  expect(load).toHaveBeenCalledTimes(3);
  expect(screen.getByRole('heading', { name: 'Home' })).toBeDefined();
  expect(screen.queryByText('Maintenance on Sunday')).toBeNull();
});

test('an optional part that fails to render breaks nothing else', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const Broken = optionalPart(
    () =>
      Promise.resolve({
        Broken: (): never => {
          throw new Error('No such field');
        },
      }),
    'Broken',
  );
  show(
    <main>
      <Broken />
      <h1>Home</h1>
    </main>,
  );
  await settle();
  expect(screen.getByRole('heading', { name: 'Home' })).toBeDefined();
});

test('a menu that could not be loaded says so, and is retried when it is opened again', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const Menu = optionalPart(failing(3), 'Strip');
  const said: string[] = [];
  function Bar() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Notifications
        </button>
        {open && <Menu text="No notifications yet" onLost={() => setOpen(false)} />}
      </>
    );
  }
  show(<Bar />, { kit: { notify: ({ text }) => said.push(text) } });
  act(() => screen.getByRole('button').click());
  await settle();
  expect(said).toEqual(['This couldn’t be loaded. Check your connection and try again.']);
  act(() => screen.getByRole('button').click());
  await settle();
  expect(screen.getByText('No notifications yet')).toBeDefined();
});
