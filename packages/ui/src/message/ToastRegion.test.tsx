// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ToastRegion } from './ToastRegion.tsx';
import { createToasts } from './toasts.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('a confirmation leaves after a while, an error stays', () => {
  const toasts = createToasts();
  render(<ToastRegion toasts={toasts} />);
  act(() => {
    toasts.show({ text: '256 zones delegated.' });
    toasts.show({ kind: 'error', text: 'The zone was refused.' });
  });
  expect(screen.getByText('256 zones delegated.')).toBeTruthy();
  act(() => {
    vi.advanceTimersByTime(8001);
  });
  expect(screen.queryByText('256 zones delegated.')).toBeNull();
  expect(screen.getByText('The zone was refused.')).toBeTruthy();
});

test('never more than four together', () => {
  const toasts = createToasts();
  for (let index = 0; index < 9; index += 1) toasts.show({ text: `n${index}` });
  expect(toasts.list().map(toast => toast.text)).toEqual(['n5', 'n6', 'n7', 'n8']);
});

test('one that stays is not pushed out and leaves when it is dismissed', () => {
  const toasts = createToasts();
  render(<ToastRegion toasts={toasts} />);
  act(() => {
    toasts.show({ kind: 'info', text: 'A new version is available.', stays: true });
    for (let index = 0; index < 6; index += 1) toasts.show({ text: `n${index}` });
  });
  expect(toasts.list().map(toast => toast.text)).toEqual(['A new version is available.', 'n2', 'n3', 'n4', 'n5']);
  act(() => {
    vi.advanceTimersByTime(60_000);
  });
  expect(toasts.list().map(toast => toast.text)).toEqual(['A new version is available.']);
  act(() => screen.getByRole('button', { name: 'Dismiss' }).click());
  expect(toasts.list()).toEqual([]);
});
