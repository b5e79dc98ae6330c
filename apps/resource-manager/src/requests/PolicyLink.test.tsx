import { existsSync } from 'node:fs';
import { show } from '@portal/app-kit/testing';
import { requestKindNames } from '@portal/contract/requests/request-form';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { PolicyLink } from './PolicyLink.tsx';

const rules = ['open', 'agreement', 'invoices', 'abuse-contact', 'hold', 'need'];

it('leads from each rule to an article that exists, in a tab of its own', () => {
  for (const kind of requestKindNames)
    for (const checkId of rules) show(<PolicyLink check={{ checkId, policy: `${kind} ${checkId}` }} kind={kind} />);
  for (const link of screen.getAllByRole('link')) {
    const [, slug] = /^\/help\/([\w-]+)$/.exec(link.getAttribute('href')!)!;
    expect(existsSync(`apps/server/help/${slug}.md`), slug).toBe(true);
    expect(link.getAttribute('target')).toBe('_blank');
  }
  expect(screen.getByRole('link', { name: 'transfer hold' }).getAttribute('href')).toBe('/help/transfer-resources');
  expect(screen.getByRole('link', { name: 'ipv4 need' }).getAttribute('href')).toBe('/help/request-resources');
  expect(screen.getByRole('link', { name: 'return invoices' }).getAttribute('href')).toBe('/help/invoices');
});
