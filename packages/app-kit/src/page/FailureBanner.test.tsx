import { ServiceFailure } from '@portal/api-client';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { show } from '@portal/app-kit/testing';
import { FailureBanner } from './FailureBanner.tsx';

afterEach(() => {
  vi.restoreAllMocks();
});

/** A page whose button is refused with a growing number, or rendered again unchanged. */
function Refused() {
  const [failure, setFailure] = useState<ServiceFailure | null>(null);
  const [, setShown] = useState(0);
  const refuse = (): void =>
    setFailure(before => new ServiceFailure(429, [{ code: 'TOO_MANY_REQUESTS', message: before ? 'Again' : 'Too many', traceId: 'abc' }]));
  return (
    <>
      <FailureBanner failure={failure} />
      <button onClick={refuse}>Send</button>
      <button onClick={() => setShown(times => times + 1)}>Show</button>
    </>
  );
}

it('a refusal is scrolled into view when it appears, and each new one again', () => {
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => {});
  show(<Refused />);
  expect(scrolled).not.toHaveBeenCalled();
  fireEvent.click(screen.getByText('Send'));
  fireEvent.click(screen.getByText('Show'));
  expect(screen.getByText('Too many')).toBeTruthy();
  expect(scrolled).toHaveBeenCalledTimes(1);
  fireEvent.click(screen.getByText('Send'));
  expect(screen.getByText('Again')).toBeTruthy();
  expect(scrolled).toHaveBeenCalledTimes(2);
});

it('a read can be retried, except if it wasn’t found', () => {
  const failed = (status: number) =>
    new ServiceFailure(status, [{ code: status === 404 ? 'NOT_FOUND' : 'UNAVAILABLE', message: `Answer ${status}`, traceId: 'abc' }]);
  show(
    <>
      <FailureBanner failure={failed(404)} onRetry={() => {}} />
      <FailureBanner failure={failed(503)} onRetry={() => {}} />
    </>,
  );
  expect(screen.getByText('Answer 404')).toBeTruthy();
  expect(screen.getAllByRole('button', { name: 'Try again' })).toHaveLength(1);
});
