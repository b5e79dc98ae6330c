import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { aPerson, aSession, show } from '../../test/member.tsx';
import { useDraft } from './draft.ts';

function Request() {
  const draft = useDraft('ipv4-request:EXAMPLE-AU', { purpose: '' });
  return (
    <>
      <input aria-label="Purpose" value={draft.value.purpose} onChange={event => draft.set({ purpose: event.target.value })} />
      {draft.restored && <p>From an earlier visit</p>}
      <button type="button" onClick={draft.discard}>
        Throw away
      </button>
    </>
  );
}
const purpose = () => screen.getByLabelText<HTMLInputElement>('Purpose');
const type = (value: string) => fireEvent.change(purpose(), { target: { value } });
beforeEach(() => localStorage.clear());

it('typed input is restored after a reload', () => {
  const first = show(<Request />);
  type('Servers in Brisbane');
  first.unmount();
  show(<Request />);
  expect(purpose().value).toBe('Servers in Brisbane');
  expect(screen.getByText('From an earlier visit')).toBeTruthy();
});

it('another person who signs in here does not see it', () => {
  const first = show(<Request />);
  type('Secret plans');
  first.unmount();
  show(<Request />, { session: aSession({ person: aPerson({ userId: 'olive' }) }) });
  expect(purpose().value).toBe('');
});

it('a discarded draft is gone', () => {
  const first = show(<Request />);
  type('No');
  fireEvent.click(screen.getByText('Throw away'));
  expect(purpose().value).toBe('');
  first.unmount();
  show(<Request />);
  expect(purpose().value).toBe('');
});

it('is never kept under the prefix of the sign-in library', () => {
  show(<Request />);
  type('x');
  expect(Object.keys(localStorage).filter(key => key.startsWith('oidc.'))).toEqual([]);
});
