import { ServiceFailure } from '@portal/api-client';
import { render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { FailureBanner } from './FailureBanner.tsx';

afterEach(() => {
  vi.restoreAllMocks();
});

it('a refusal is scrolled into view when it appears, and each new one again', () => {
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => {});
  const failure = (message: string) => new ServiceFailure(429, [{ code: 'TOO_MANY_REQUESTS', message, traceId: 'abc' }]);
  const { rerender } = render(<FailureBanner failure={null} />);
  expect(scrolled).not.toHaveBeenCalled();
  const first = failure('Try again in 40 seconds');
  rerender(<FailureBanner failure={first} />);
  rerender(<FailureBanner failure={first} />);
  expect(screen.getByText('Try again in 40 seconds')).toBeTruthy();
  expect(scrolled).toHaveBeenCalledTimes(1);
  rerender(<FailureBanner failure={failure('Try again in 20 seconds')} />);
  expect(scrolled).toHaveBeenCalledTimes(2);
});
