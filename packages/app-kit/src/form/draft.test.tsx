import { DAY_MS, instantBefore } from '@portal/contract/days';
import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { aPerson, aSession, show } from '../../test/member.tsx';
import { forgetPerson } from '../browser/forget-person.ts';
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

const keptDrafts = () => Object.keys(localStorage).filter(key => key.startsWith('draft:'));

it.each(['auth: MD5-PW $1$abcdefgh$x', '*at: secret'])('input with a maintainer’s password is not kept: %s', text => {
  const first = show(<Request />);
  type('harmless');
  expect(keptDrafts()).toHaveLength(1);
  type(text);
  expect(keptDrafts()).toEqual([]);
  expect(purpose().value, 'on the page it stays').toBe(text);
  first.unmount();
});

it('a draft expires after a week, and one without a time is expired', () => {
  const at = (days: number) => JSON.stringify({ at: instantBefore(new Date(), days * DAY_MS), value: { purpose: 'old' } });
  for (const [text, shown] of [
    [at(6.9), 'old'],
    [at(7.1), ''],
    ['{"value":{"purpose":"old"}}', ''],
  ] as const) {
    localStorage.setItem('draft:tess:ipv4-request:EXAMPLE-AU', text);
    const page = show(<Request />);
    expect(purpose().value).toBe(shown);
    expect(keptDrafts()).toHaveLength(shown === '' ? 0 : 1);
    page.unmount();
  }
});

it('a sign-out removes the person’s input and account names, and leaves other people’s data', () => {
  const draft = JSON.stringify({ at: new Date().toISOString(), value: 'x' });
  for (const key of ['draft:tess:a', 'draft:tess:b:EXAMPLE-AU', 'draft:tessa:a']) localStorage.setItem(key, draft);
  localStorage.setItem('selected-account:tess', 'EXAMPLE-AU');
  sessionStorage.setItem('recent-places EXAMPLE-AU', '[]');
  document.cookie = 'first-account=EXAMPLE-AU; path=/';
  forgetPerson('tess');
  expect(Object.keys(localStorage)).toEqual(['draft:tessa:a']);
  expect(Object.keys(sessionStorage)).toEqual([]);
  expect(document.cookie).not.toContain('EXAMPLE-AU');
});

it('is never kept under the prefix of the sign-in library', () => {
  show(<Request />);
  type('x');
  expect(Object.keys(localStorage).filter(key => key.startsWith('oidc.'))).toEqual([]);
});
