import type { Person } from '@portal/contract/identity/people';
import { TopBarButton } from '@portal/ui';
import type { ComponentProps } from 'react';

/** "Hello, {name}!" in the top bar, with as what, and whether the sign-in has a second factor. It opens the menu of the person. */
export function PersonButton({
  person,
  note,
  ...rest
}: Omit<ComponentProps<typeof TopBarButton>, 'icon' | 'words' | 'secure'> & { person: Pick<Person, 'name' | 'mfa'>; note: string }) {
  return (
    <TopBarButton
      icon={person.mfa ? 'shield' : 'user'}
      secure={person.mfa}
      words={`Hello, ${person.name}!`}
      note={note}
      aria-label={`Hello, ${person.name}! ${note}`}
      {...rest}
    />
  );
}
