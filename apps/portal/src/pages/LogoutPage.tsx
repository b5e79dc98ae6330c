import { Page } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { SkeletonLines } from '@portal/ui';

/** Shown for the moment until the provider's sign-out page takes over. */
export default function LogoutPage() {
  return (
    <Page title={pages.logout.title}>
      <SkeletonLines lines={1} label="Signing out" />
    </Page>
  );
}
