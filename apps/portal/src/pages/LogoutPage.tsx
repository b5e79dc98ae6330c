import { Page } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { SkeletonLines } from '@portal/ui';

/** Shown until the provider's sign-out page loads. */
export default function LogoutPage() {
  return (
    <Page title={pages.logout.title}>
      <SkeletonLines lines={1} label="Signing out" />
    </Page>
  );
}
