import { Banner } from '@portal/ui';

/** Shows that the registry has switched off contact management. */
export function ContactManagementOff({ own = false }: { own?: boolean }) {
  return (
    <Banner kind="info" title="The registry has switched off changes to contacts for now.">
      {own ? 'You can still change your own details.' : 'You can still view contacts.'}
    </Banner>
  );
}
