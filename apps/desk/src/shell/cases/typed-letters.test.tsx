import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { useDeskKeys, useLeavingFields } from './desk-keys.ts';
import { watchLetters } from './typed-letters.ts';

beforeAll(watchLetters);
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function Panel({ link }: { link: (() => void) | null }) {
  useDeskKeys({ l: link });
  useLeavingFields();
  return (
    <section aria-label="Message">
      <textarea aria-label="Words" />
    </section>
  );
}
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });

it('a letter that is pressed before the data of the page are there is carried out once they are', () => {
  const link = vi.fn();
  press('l');
  const { rerender } = render(<Panel link={null} />);
  expect(link).not.toHaveBeenCalled();
  rerender(<Panel link={link} />);
  rerender(<Panel link={link} />);
  expect(link).toHaveBeenCalledTimes(1);
});

it('an early letter is forgotten by a click, and after a while', () => {
  const link = vi.fn();
  press('l');
  fireEvent.pointerDown(document.body);
  render(<Panel link={link} />);
  press('x');
  vi.advanceTimersByTime(6_000);
  render(<Panel link={link} />);
  expect(link).not.toHaveBeenCalled();
});

it('text that is typed on after Escape carries nothing out, and a single letter does', () => {
  const link = vi.fn();
  render(<Panel link={link} />);
  const field = screen.getByLabelText('Words');
  field.focus();
  press('Escape');
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Message' }));
  for (const letter of 'letter of welcome') {
    press(letter);
    vi.advanceTimersByTime(150);
  }
  vi.advanceTimersByTime(1_000);
  expect(link).not.toHaveBeenCalled();
  press('l');
  vi.advanceTimersByTime(1_000);
  expect(link).toHaveBeenCalledTimes(1);
  press('l');
  expect(link).toHaveBeenCalledTimes(2);
});
