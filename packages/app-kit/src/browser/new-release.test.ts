// @vitest-environment happy-dom
import { MINUTE_MS } from '@portal/contract/days';
import { createToasts } from '@portal/ui';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReactElement } from 'react';
import { anEnvironment, aRouter } from '../../test/member.tsx';
import { createWatched } from '../place/watched.ts';
import { SETTLED_MS, watchRelease } from './new-release.ts';

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  document.body.innerHTML = '<header><input /></header><main id="main"><h1>Home</h1></main>';
});
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

/** A tab of release 0.2.0. */
function tab(place = '/') {
  const { errorReporting } = anEnvironment();
  const environment = anEnvironment({ errorReporting: { ...errorReporting, release: '0.2.0' } });
  const [release, router, toasts, reload] = [createWatched('0.2.0'), aRouter(place), createToasts(), vi.fn()];
  watchRelease({ environment, release, router, toasts }, reload);
  return {
    router,
    reload,
    toasts,
    hear: (said: string) => release.set(said),
    /** The newer release answers alone until it has settled. */
    settle: (said = '0.3.0') => {
      release.set(said);
      vi.advanceTimersByTime(SETTLED_MS);
    },
    said: () => toasts.list().map(({ text }) => text),
    press: () => (toasts.list()[0]!.action as ReactElement<{ onClick: () => void }>).props.onClick(),
  };
}
const enter = (into: Element): boolean => into.dispatchEvent(new Event('input', { bubbles: true }));
const addField = (to: ParentNode = document.querySelector('main')!): Element => {
  const field = document.createElement('input');
  to.append(field);
  return field;
};
/** A frame that shows this document; null for one of another origin. */
function addFrame(contentDocument: Document | null): Element {
  const frame = document.createElement('iframe');
  Object.defineProperty(frame, 'contentDocument', { value: contentDocument });
  document.querySelector('main')!.append(frame);
  return frame;
}
const words = 'A new version of MyRegistry is available. Your drafts are kept.';

test('a newer release is named once it has answered alone for two minutes, and the button reloads', () => {
  const { hear, said, press, reload } = tab();
  hear('0.3.0');
  vi.advanceTimersByTime(SETTLED_MS - 1);
  expect(said()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(said()).toEqual([words]);
  press();
  expect(reload).toHaveBeenCalledOnce();
});

test('while processes of both releases answer in turn nothing is said; afterwards it is said once', () => {
  const { hear, said } = tab();
  for (let minute = 0; minute < 30; minute += 1) {
    hear(minute % 2 === 0 ? '0.3.0' : '0.2.0');
    vi.advanceTimersByTime(SETTLED_MS / 2);
    expect(said()).toEqual([]);
  }
  hear('0.3.0');
  vi.advanceTimersByTime(SETTLED_MS);
  expect(said()).toEqual([words]);
  // The last process of the old one.
  hear('0.2.0');
  hear('0.3.0');
  vi.advanceTimersByTime(SETTLED_MS);
  expect(said()).toEqual([words]);
});

test('an older release, an equal one and one without a number are not named', () => {
  const { settle, said } = tab();
  for (const release of ['0.1.9', '0.2.0', 'test', '']) settle(release);
  expect(said()).toEqual([]);
});

test('what was dismissed stays away in this tab, also after a load, until a still newer release comes', () => {
  const first = tab();
  first.settle();
  first.toasts.dismiss(first.toasts.list()[0]!.toastId);
  first.router.go('/billing');
  expect(first.said()).toEqual([]);
  const loaded = tab();
  loaded.settle();
  expect(loaded.said()).toEqual([]);
  const later = tab();
  later.settle('0.3.1');
  expect(later.said()).toEqual([words]);
});

test('after a reload that led to the old release again, ten minutes pass before it is said again', () => {
  const first = tab();
  first.settle();
  first.press();
  const same = tab();
  same.settle();
  expect(same.said()).toEqual([]);
  vi.advanceTimersByTime(10 * MINUTE_MS);
  same.router.go('/billing');
  expect(same.said()).toEqual([words]);
});

test('on a page that has filled-in fields when it is complete it waits for the next page', () => {
  addField().setAttribute('value', 'half a sentence');
  const { settle, said, router } = tab('/settings');
  settle();
  expect(said()).toEqual([]);
  router.go('/settings?tab=2');
  expect(said(), 'the same page').toEqual([]);
  router.go('/billing');
  expect(said()).toEqual([words]);
});

test('empty fields and a choice that is made don’t keep it away', () => {
  addField();
  Object.assign(addField(), { type: 'radio', value: 'all', checked: true });
  const { settle, said } = tab();
  settle();
  expect(said()).toEqual([words]);
});

test('input takes it away, and it comes back on the next page', () => {
  const { settle, said, router } = tab();
  settle();
  enter(addField());
  expect(said()).toEqual([]);
  router.go('/billing');
  expect(said()).toEqual([words]);
  expect(sessionStorage.getItem('new-release'), 'the person did not dismiss it').toBeNull();
});

test('what was entered on a framed page, which is only hidden by others, keeps it away until another framed page is opened', () => {
  const { settle, said, router } = tab('/resources/whois-text-upload');
  const framed = document.implementation.createHTMLDocument();
  addFrame(framed).dispatchEvent(new Event('load'));
  enter(addField(framed.body));
  settle();
  router.go('/billing');
  expect(said()).toEqual([]);
  router.go('/resources/whois-text-upload');
  expect(said()).toEqual([]);
  router.go('/resources/ipv4');
  expect(said()).toEqual([words]);
});

test('beside a framed page of another origin, whose input can’t be seen, nothing is said', () => {
  const { settle, said, router } = tab();
  addFrame(null);
  settle();
  router.go('/billing');
  expect(said()).toEqual([]);
});

test('with an open dialog it waits for the next page', () => {
  document.body.insertAdjacentHTML('beforeend', '<div role="dialog"></div>');
  const { settle, said, router } = tab();
  settle();
  expect(said()).toEqual([]);
  router.go('/billing');
  expect(said()).toEqual([words]);
});
