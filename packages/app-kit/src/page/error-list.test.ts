import { expect, it, vi } from 'vitest';
import { createErrorList } from './error-list.ts';

const error = (code: string, traceId = code) => ({ code, message: `${code} happened`, traceId });

it('the newest error is on top, and the page scrolls to it', () => {
  const scroll = vi.fn();
  const errors = createErrorList(scroll);
  errors.show([error('A')]);
  errors.show([error('B')]);
  expect(errors.list().map(item => item.code)).toEqual(['B', 'A']);
  expect(scroll).toHaveBeenCalledTimes(2);
});

it('a repeated error is listed once, with its latest trace id', () => {
  const errors = createErrorList(() => undefined);
  errors.show([error('A', '1')]);
  errors.show([error('A', '2')]);
  expect(errors.list().map(item => item.traceId)).toEqual(['2']);
});

it('can be dismissed individually', () => {
  const errors = createErrorList(() => undefined);
  errors.show([error('A'), error('B')]);
  errors.dismiss(errors.list()[0]!);
  expect(errors.list().map(item => item.code)).toEqual(['B']);
});

it('never fills the page', () => {
  const errors = createErrorList(() => undefined);
  for (let count = 0; count < 20; count += 1) errors.show([error(`E${count}`)]);
  expect(errors.list()).toHaveLength(5);
});
