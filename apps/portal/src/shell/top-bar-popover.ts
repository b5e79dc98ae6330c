import { useRef, useState } from 'react';

/**
 * Returns what a button of the top bar and the popover it opens share. The code of the popover is on its way once pointer or focus come near,
 * and is drawn from the first opening on, so that it can close gently.
 */
export function useTopBarPopover(load: () => Promise<unknown>) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  return {
    isWanted,
    button: {
      ref: trigger,
      'aria-expanded': open,
      onPointerEnter: () => void load(),
      onFocus: () => void load(),
      onClick: () => {
        setWanted(true);
        setOpen(!open);
      },
    },
    popover: { triggerRef: trigger, open, onOpenChange: setOpen },
  };
}
