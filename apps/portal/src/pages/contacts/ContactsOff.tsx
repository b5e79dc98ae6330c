import { Banner } from '@portal/ui';

/** Says that the registry has switched changing contacts off. */
export function ContactsOff({ own = false }: { own?: boolean }) {
  return (
    <Banner kind="info" title="At the moment adding, changing and removing contacts is switched off.">
      {own ? 'Your own details stay yours to change.' : 'Contacts can be looked at; the registry switches it on again.'}
    </Banner>
  );
}
