import { savesData } from '@portal/app-kit';
import { Button, EmptyState, Sheet } from '@portal/ui';
import { type ReactNode, useState } from 'react';

/** Shows a map, which reads more than everything else on the page; with data saving only on demand. */
export function MapWhenAsked({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState(!savesData());
  if (asked) return children;
  return (
    <Sheet aria-label="Address map">
      <EmptyState title="Map not loaded" action={<Button onClick={() => setAsked(true)}>Show the map</Button>}>
        Your browser is set to save data.
      </EmptyState>
    </Sheet>
  );
}
