import { render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, test, vi } from 'vitest';
import { createPageViews } from './page-views.ts';

const Contacts = () => <h1>Contacts</h1>;

test('a view whose code has arrived is drawn without a skeleton', async () => {
  const views = createPageViews({ contacts: () => Promise.resolve({ default: Contacts }) });
  await views.load('contacts');
  const view = views.elementOf('contacts');
  render(<Suspense fallback="Loading">{view}</Suspense>);
  expect(screen.getByRole('heading', { name: 'Contacts' })).toBeDefined();
});

test('a view whose code arrives between the making of its element and its drawing is drawn without a skeleton', async () => {
  const views = createPageViews({ contacts: () => Promise.resolve({ default: Contacts }) });
  const view = views.elementOf('contacts');
  await views.load('contacts');
  render(<Suspense fallback="Loading">{view}</Suspense>);
  expect(screen.getByRole('heading', { name: 'Contacts' })).toBeDefined();
});

test('a view that was drawn while loading stays the same component, so that the page keeps its state', async () => {
  const views = createPageViews({ contacts: () => Promise.resolve({ default: Contacts }) });
  const view = views.elementOf('contacts');
  const { rerender } = render(<Suspense fallback="Loading">{view}</Suspense>);
  expect(screen.queryByRole('heading')).toBeNull();
  expect(await screen.findByRole('heading', { name: 'Contacts' })).toBeDefined();
  await views.load('contacts');
  const heading = screen.getByRole('heading');
  rerender(<Suspense fallback="Loading">{views.elementOf('contacts')}</Suspense>);
  expect(screen.getByRole('heading')).toBe(heading);
});

test('a view that could not be preloaded is requested again when it is drawn', async () => {
  const loader = vi.fn(() => Promise.resolve({ default: Contacts })).mockRejectedValueOnce(new Error('The line broke'));
  const views = createPageViews({ contacts: loader });
  await views.load('contacts');
  const view = views.elementOf('contacts');
  render(<Suspense fallback="Loading">{view}</Suspense>);
  expect(await screen.findByRole('heading', { name: 'Contacts' })).toBeDefined();
  expect(loader).toHaveBeenCalledTimes(2);
});

test('a page without a loader has no view', async () => {
  const views = createPageViews({ contacts: () => Promise.resolve({ default: Contacts }) });
  await views.load('toString');
  expect(views.elementOf('toString')).toBeNull();
});
