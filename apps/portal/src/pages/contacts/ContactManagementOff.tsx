import { Banner } from '@portal/ui';

/** Shows that the registry has switched off contact management, or that this couldn't be determined. */
export function ContactManagementOff({ own = false, known }: { own?: boolean; known: boolean }) {
  if (!known) {
    return (
      <Banner kind="warning" title="Contacts can’t be added, changed or removed right now.">
        The portal couldn’t check whether this is allowed. Reload the page in a minute.
      </Banner>
    );
  }
  return (
    <Banner kind="info" title="The registry has switched off changes to contacts for now.">
      {own ? 'You can still change your own details.' : 'You can still view contacts.'}
    </Banner>
  );
}
