import { show } from '@portal/app-kit/testing';
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Term } from './Term.tsx';

const words = /signed object by which a holder says which AS number may announce a prefix/;
const shown = () =>
  show(
    <p>
      Each can have a <Term name="roa">ROA</Term>.
    </p>,
  );
const word = () => screen.getByRole('button', { name: 'ROA' });
const box = () => screen.findByRole('tooltip', { hidden: true });
const expectNone = () => expect(screen.queryByRole('tooltip', { hidden: true })).toBeNull();

test('a term is explained while the keyboard is on it, and describes itself by the explanation', async () => {
  shown();
  expectNone();
  expect(word().getAttribute('aria-describedby')).toBeNull();
  act(() => word().focus());
  expect((await box()).textContent).toMatch(words);
  expect(word().getAttribute('aria-describedby')).toBe((await box()).id);
  act(() => word().blur());
  expectNone();
});

test('Escape closes the explanation, and nothing around it', async () => {
  let escaped = 0;
  show(
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- stands for a dialog around the term
    <div onKeyDown={() => (escaped += 1)}>
      <Term name="roa">ROA</Term>
    </div>,
  );
  act(() => word().focus());
  await box();
  fireEvent.keyDown(word(), { key: 'Escape' });
  expectNone();
  expect(escaped).toBe(0);
  fireEvent.keyDown(word(), { key: 'Escape' });
  expect(escaped).toBe(1);
});

test('a finger opens it by a press, which also moves the focus, and closes it by another', async () => {
  shown();
  fireEvent.pointerEnter(word(), { pointerType: 'touch' });
  expectNone();
  act(() => word().focus());
  fireEvent.click(word());
  expect((await box()).textContent).toMatch(words);
  fireEvent.click(word());
  expectNone();
});

test('a mouse opens it by passing over it, and keeps it by a press', async () => {
  shown();
  const place = word().parentElement!;
  fireEvent.pointerEnter(place, { pointerType: 'mouse' });
  await box();
  fireEvent.pointerLeave(place, { pointerType: 'mouse' });
  expectNone();
  fireEvent.pointerEnter(place, { pointerType: 'mouse' });
  fireEvent.click(word());
  fireEvent.pointerLeave(place, { pointerType: 'mouse' });
  expect((await box()).textContent).toMatch(words);
});
