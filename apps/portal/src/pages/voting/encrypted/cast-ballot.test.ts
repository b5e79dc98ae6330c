import { expect, test } from 'vitest';
import { hexOf, readTracker, receiptText } from './cast-ballot.ts';

const tracker = 'LCa0a2j/xo/5m0U8HTBBNBNCLXBkg7+g+YpeiGJm564';
const hex = '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae';

test('a tracker is read as it is shown, with spaces, with padding, and in the hexadecimal of belenios-tool', () => {
  for (const typed of [tracker, ` ${tracker.slice(0, 20)} ${tracker.slice(20)}\n`, `${tracker}=`, hex, hex.toUpperCase()])
    expect(readTracker(typed), typed).toBe(tracker);
  expect(hexOf(tracker)).toBe(hex);
});

test('anything else is no tracker', () => {
  for (const typed of ['', 'abc', tracker.slice(1), `${tracker}A`, tracker.replace('/', '_'), hex.slice(2), `${hex}00`])
    expect(readTracker(typed), typed).toBeNull();
});

test('a receipt has both forms of the tracker and the votes', () => {
  const text = receiptText(
    { title: 'Council', electionId: '7' },
    'EXAMPLE-AU',
    { tracker, trackerHex: hex, votes: 8 },
    'https://my.example',
  );
  for (const part of [tracker, hex, 'EXAMPLE-AU', 'https://my.example/elections/7', 'Votes        8']) expect(text).toContain(part);
});
