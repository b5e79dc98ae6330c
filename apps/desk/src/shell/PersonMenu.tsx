import { type BrowserApp, PersonButton } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import type { Person } from '@portal/contract/identity/people';
import { MenuPopover } from '@portal/ui/overlay/Menu';
import { useRef, useState } from 'react';

/** The signed-in person, and the ways out. */
export function PersonMenu({ desk, person }: { desk: BrowserApp; person: Person }) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const acts: Record<string, () => void> = {
    login: () => window.location.assign(desk.environment.profileUrl),
    settings: () => window.location.assign('/settings'),
    roles: () => desk.router.go(pages.deskOwnRoles.path),
    leave: () => void desk.auth.signOut({ byPerson: true }),
  };
  return (
    <>
      <PersonButton
        ref={trigger}
        person={person}
        note={person.mfa ? 'registry staff · 2FA' : 'registry staff'}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      <MenuPopover
        triggerRef={trigger}
        open={open}
        onOpenChange={setOpen}
        label="Your login"
        groups={[
          {
            items: [
              { id: 'login', label: 'Your login', icon: 'user' },
              { id: 'roles', label: pages.deskOwnRoles.title, icon: 'shield' },
              { id: 'settings', label: 'Personal settings', icon: 'edit' },
            ],
          },
          { items: [{ id: 'leave', label: 'Log out', icon: 'sign-out' }] },
        ]}
        onAct={id => acts[id]?.()}
      />
    </>
  );
}
