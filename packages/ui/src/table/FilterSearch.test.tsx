// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FilterSearch } from './FilterSearch.tsx';

const asked = vi.fn<(words: string) => void>();
beforeEach(() => {
  vi.useFakeTimers();
  asked.mockClear();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Filter() {
  const [words, setWords] = useState('');
  return (
    <>
      <FilterSearch
        label="Find"
        value={words}
        onChange={next => {
          asked(next);
          setWords(next);
        }}
      />
      <button type="button" onClick={() => setWords('from a link')}>
        Link
      </button>
    </>
  );
}
const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Find' });
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
const pause = (): void => act(() => void vi.runAllTimers());

test('searches once for several keys in a row, trimmed, and keeps the input', () => {
  render(<Filter />);
  type('n');
  type('ne ');
  expect(asked).not.toHaveBeenCalled();
  pause();
  expect(asked).toHaveBeenCalledExactlyOnceWith('ne');
  expect(field().value).toBe('ne ');
});

test('searches immediately when emptied, and not for an unchanged text', () => {
  render(<Filter />);
  type('ne');
  pause();
  type('ne ');
  pause();
  expect(asked).toHaveBeenCalledTimes(1);
  type('');
  expect(asked).toHaveBeenLastCalledWith('');
});

test('shows text set from elsewhere', () => {
  render(<Filter />);
  type('ne');
  fireEvent.click(screen.getByRole('button', { name: 'Link' }));
  expect(field().value).toBe('from a link');
});
