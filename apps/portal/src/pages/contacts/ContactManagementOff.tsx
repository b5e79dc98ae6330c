import { Banner } from '@portal/ui';

/** Says that the registry has switched changing contacts off, or that it could not be asked whether it has. */
export function ContactManagementOff({ own = false, known }: { own?: boolean; known: boolean }) {
  if (!known) {
    return (
      <Banner kind="warning" title="At the moment contacts cannot be added, changed or removed.">
        The portal could not ask whether the registry allows it. Load the page again in a minute.
      </Banner>
    );
  }
  return (
    <Banner kind="info" title="At the moment adding, changing and removing contacts is switched off.">
      {own ? 'Your own details stay yours to change.' : 'Contacts can be looked at; the registry switches it on again.'}
    </Banner>
  );
}
