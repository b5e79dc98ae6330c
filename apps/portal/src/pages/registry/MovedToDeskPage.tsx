import { Page, usePlace } from '@portal/app-kit';
import { findPage, pages } from '@portal/contract/pages';
import { LinkButton, Sheet } from '@portal/ui';
import { useEffect } from 'react';

/** Returns the new address of a page that moved to the desk, with the request it showed. */
export function deskAddress(path: string, search: string): string {
  const query = new URLSearchParams(search);
  const { name } = findPage(path, '');
  if (name === 'holders') {
    const q = query.get('q');
    return pages.deskAccounts.path + (q ? `?q=${encodeURIComponent(q)}` : '');
  }
  const kind = name === 'contactRequests' ? 'contacts' : query.get('kind') === 'closures' ? 'closures' : 'organisations';
  const request = query.get('request');
  const next = new URLSearchParams({
    kind,
    ...(query.get('status') === 'decided' && { status: 'decided' }),
    ...(request && { request: `${kind}-${request}` }),
  });
  return `${pages.deskRequests.path}?${next}`;
}

/** Old addresses of pages that have moved to the desk. */
export default function MovedToDeskPage() {
  const { path, search, hash } = usePlace();
  const to = deskAddress(path, search) + hash;
  useEffect(() => {
    window.location.replace(to);
  }, [to]);
  return (
    <Page title={findPage(path, '').page.title}>
      <Sheet title="This page moved to the desk">
        <LinkButton href={to}>Open the desk</LinkButton>
      </Sheet>
    </Page>
  );
}
