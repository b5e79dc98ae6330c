// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DateFormatSetting } from './DateText.tsx';
import { DatedText } from './DatedText.tsx';

const wordsIn = (timeZone: string, text: string) =>
  render(
    <DateFormatSetting value={{ timeZone, hourCycle: 'h23' }}>
      <DatedText text={text} />
    </DateFormatSetting>,
  ).container.textContent;

it('shows the instants in a sentence as days of the reader’s zone, and days as they are', () => {
  const text = 'Sent on 2026-11-28T17:30:00.000Z. Marked invalid on 2026-12-13T17:30:00Z, not on 2026-12-01';
  expect(wordsIn('Australia/Brisbane', text)).toBe('Sent on 29 Nov 2026. Marked invalid on 14 Dec 2026, not on 2026-12-01');
  expect(wordsIn('America/New_York', text)).toBe('Sent on 28 Nov 2026. Marked invalid on 13 Dec 2026, not on 2026-12-01');
  expect(wordsIn('UTC', 'No day in it')).toBe('No day in it');
});
